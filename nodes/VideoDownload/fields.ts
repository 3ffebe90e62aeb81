import type { INodeProperties } from 'n8n-workflow';

import { taskIdField } from '../shared/fields/taskId';

export const videoDownloadFields: INodeProperties[] = [
	{
		displayName: 'Source',
		name: 'source',
		type: 'options',
		options: [
			{
				name: 'Task',
				value: 'task',
				description: 'The video of a task, from the service',
			},
			{
				name: 'URL',
				value: 'url',
				description: 'The result_url of a task. The key is sent only to the host of the Base URL.',
			},
		],
		default: 'task',
	},
	{ ...taskIdField, displayOptions: { show: { source: ['task'] } } },
	{
		displayName: 'Result URL',
		name: 'resultUrl',
		type: 'string',
		default: '={{ $json.result_url }}',
		required: true,
		placeholder: 'e.g. https://storage.example.com/video.mp4',
		displayOptions: { show: { source: ['url'] } },
		description: 'Address of the video file',
	},
	{
		displayName: 'Output Binary Field',
		name: 'binaryProperty',
		type: 'string',
		default: 'data',
		required: true,
		hint: 'The name of the output binary field to put the video in',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'File Name',
				name: 'fileName',
				type: 'string',
				default: '',
				placeholder: 'e.g. launch-teaser.mp4',
				description: 'Name of the file. When empty, it is named after the task.',
			},
			{
				displayName: 'Max Size (MB)',
				name: 'maxSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 500,
				description:
					'Larger videos end the download at once. Without this option there is no limit.',
			},
			{
				displayName: 'Retries',
				name: 'retries',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 5,
				description: 'How often a download that fails is tried again',
			},
			{
				displayName: 'Timeout (Seconds)',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 120,
				description: 'Time without a single byte after which the download is tried again',
			},
		],
	},
];
