import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_S } from '../shared/download/downloadOptions';
import {
	fileNameField,
	leaveOutInputFieldsField,
	linkField,
	optionsField,
	outputBinaryField,
	taskIdField,
} from '../shared/fields/common';

export const videoDownloadFields: INodeProperties[] = [
	{
		displayName: 'Source',
		name: 'source',
		type: 'options',
		options: [
			{
				name: 'Task',
				value: 'task',
				description: 'Download what the task has made, by its task ID',
			},
			{
				name: 'URL',
				value: 'url',
				description: 'Download a file from the result_url of a task',
			},
		],
		default: 'task',
		description: 'Where the file comes from',
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
		description: 'The URL of the file. The API key is only sent to the host of the credential.',
	},
	{ ...outputBinaryField, required: true },
	optionsField(
		fileNameField,
		leaveOutInputFieldsField,
		linkField,
		{
			displayName: 'Max Size (MB)',
			name: 'maxSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 500,
			description: 'The largest file to download. Without this option, there is no limit.',
		},
		{
			displayName: 'Retries',
			name: 'retries',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: DEFAULT_RETRIES,
			description: 'How many times to restart a download that is interrupted or refused',
		},
		{
			displayName: 'Timeout (Seconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_TIMEOUT_S,
			description: 'How long to wait without receiving data before restarting the download',
		},
	),
];
