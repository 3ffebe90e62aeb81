import type { INodeProperties } from 'n8n-workflow';

import { modelField } from '../shared/fields/model';
import { simplifyField } from '../shared/fields/simplify';
import { optionsField } from './optionFields';

export const videoGenerateFields: INodeProperties[] = [
	modelField(
		'searchVideoModels',
		'veo-3.1-fast-generate-001',
		'The model that renders the video. Prices differ per model.',
	),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. A paper boat on a rainy street, camera close to the water',
		description: 'What the video shows',
	},
	{
		displayName: 'Image Source',
		name: 'imageSource',
		type: 'options',
		options: [
			{ name: 'Base64 or Data URI', value: 'base64' },
			{ name: 'Binary Field', value: 'binary' },
			{ name: 'None', value: 'none' },
			{ name: 'URL', value: 'url' },
		],
		default: 'none',
		description:
			'The image that the video starts from. Some models ignore an image or a URL without saying so.',
	},
	{
		displayName: 'Image URL',
		name: 'image',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/product.png',
		displayOptions: { show: { imageSource: ['url'] } },
		description:
			'Address that the service can open. Some models take no URL: if the video does not resemble the image, use a binary field.',
	},
	{
		displayName: 'Image Data',
		name: 'image',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		required: true,
		placeholder: 'e.g. data:image/png;base64,iVBORw0KGgo...',
		displayOptions: { show: { imageSource: ['base64'] } },
		description: 'The image as base64 text or as a data URI',
	},
	{
		displayName: 'Input Binary Field',
		name: 'imageBinaryProperty',
		type: 'string',
		default: 'data',
		required: true,
		hint: 'The name of the input binary field that holds the image',
		displayOptions: { show: { imageSource: ['binary'] } },
	},
	{
		displayName: 'Wait for Completion',
		name: 'waitForCompletion',
		type: 'boolean',
		default: true,
		description:
			'Whether to wait until the video is rendered. When off, the node returns the task IDs at once; follow them with Video Status.',
	},
	{
		displayName: 'Wait Mode',
		name: 'waitMode',
		type: 'options',
		options: [
			{
				name: 'In Process',
				value: 'inProcess',
				description: 'Looks every few seconds; ends with n8n, should it be restarted',
			},
			{
				name: 'Durable',
				value: 'durable',
				description:
					'Sleeps in the database of n8n, holds no worker and outlives a restart; looks once in a few minutes',
			},
		],
		default: 'inProcess',
		displayOptions: { show: { waitForCompletion: [true] } },
		description: 'Where the execution waits while the video is rendered',
	},
	{
		displayName: 'Download Video',
		name: 'downloadVideo',
		type: 'boolean',
		default: false,
		displayOptions: { show: { waitForCompletion: [true] } },
		description: 'Whether to put the video file into the item',
	},
	simplifyField,
	optionsField,
];
