import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { modelField, simplifyField } from '../shared/fields/common';
import { familyHints } from './familyHints';
import { furtherImagesField, imageFields } from './imageFields';
import { optionsField } from './optionFields';

export const videoGenerateFields: INodeProperties[] = [
	modelField(
		'searchVideoModels',
		'veo-3.1-fast-generate-001',
		'The model to render the video with; any other than those of the list can be entered By ID. Prices differ between models.',
	),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. A paper boat on a rainy street, camera close to the water',
		description:
			'What the video should show. Behind a Chat Trigger, drag chatInput from the input into this field.',
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
		description: 'The image to start the video from',
	},
	...imageFields,
	furtherImagesField,
	{
		displayName: 'Wait',
		name: 'wait',
		type: 'options',
		options: [
			{
				name: 'In Process',
				value: 'inProcess',
				description: 'Poll every few seconds; the wait ends if n8n restarts',
			},
			{
				name: 'Durable',
				value: 'durable',
				description:
					'Sleep in the n8n database and check every few minutes; occupies no worker and survives a restart',
			},
			{
				name: 'Do Not Wait',
				value: 'none',
				description: 'Return the submitted tasks immediately; follow them with Video Status',
			},
		],
		default: 'inProcess',
		description:
			'Whether the execution waits for the videos, sleeps until they are ready, or goes on',
	},
	{
		displayName: 'Download Video',
		name: 'downloadVideo',
		type: 'boolean',
		default: true,
		displayOptions: { hide: { wait: ['none'] } },
		description:
			'Whether to add the file to the item, so that it can be watched. Turn it off where Video Download comes behind this node.',
	},
	simplifyField,
	optionsField,
];

/** All that the editor can show while a node runs: it writes progress to the browser's console. */
export const videoGenerateHints: NodeHint[] = [
	...familyHints,
	{
		message:
			'A render takes a few minutes and is billed. The browser console (F12) shows its progress.',
		displayCondition: '={{ $parameter.wait === "inProcess" && !$parameter.options?.dryRun }}',
		whenToDisplay: 'beforeExecution',
		location: 'outputPane',
	},
	{
		message:
			'Each video is billed. The execution sleeps; the first check comes after 66 seconds (after Head Start, if set).',
		displayCondition: '={{ $parameter.wait === "durable" && !$parameter.options?.dryRun }}',
		whenToDisplay: 'beforeExecution',
		location: 'outputPane',
	},
	{
		message: 'Dry Run: the requests are checked and shown. Nothing is submitted or billed.',
		displayCondition: '={{ Boolean($parameter.options?.dryRun) }}',
		whenToDisplay: 'beforeExecution',
		location: 'outputPane',
	},
	{
		message: 'Each video is billed when it is submitted. Follow its task with Video Status.',
		displayCondition: '={{ $parameter.wait === "none" && !$parameter.options?.dryRun }}',
		whenToDisplay: 'beforeExecution',
		location: 'outputPane',
	},
];
