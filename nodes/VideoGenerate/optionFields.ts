import type { INodeProperties } from 'n8n-workflow';

import { FAMILIES } from '../shared/family/modelFamily';
import { allowPrivateField, maxSizeField } from '../shared/fields/common';

const NOT_EVERYWHERE = 'Not every model of them supports it';

const downloading = { show: { '/downloadVideo': [true] }, hide: { '/wait': ['none'] } };
const waiting = { hide: { '/wait': ['none'] } };

/** In the order of their display names, as n8n sorts collections. */
export const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			...allowPrivateField,
			description:
				'Whether a video, or an image that the node loads, may also come from a private network, for storage inside your own. The host of the Base URL is always allowed.',
		},
		{
			displayName: 'Aspect Ratio',
			name: 'aspectRatio',
			type: 'string',
			default: '16:9',
			placeholder: 'e.g. 9:16',
			description: `The ratio of width to height. For Veo, Seedance, Kling and Jimeng models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Batch Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 10,
			description:
				'How many requests to send to the service at the same time. The renders themselves all run in parallel. The value of the first item applies to all items.',
		},
		{
			displayName: 'Camera Fixed',
			name: 'cameraFixed',
			type: 'boolean',
			default: false,
			description: `Whether to keep the camera still. For Seedance models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Crash-Safe Submit',
			name: 'crashSafeSubmit',
			type: 'boolean',
			default: false,
			displayOptions: { show: { '/wait': ['durable'] } },
			description:
				'Whether to submit only once n8n has stored that the execution waits, so that n8n can die at any time and no video is paid for twice. Head Start and Reuse Paid Task on Retry then do nothing. The value of the first item applies to all items.',
		},
		{
			displayName: 'Duration (Seconds)',
			name: 'duration',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 5,
			description:
				'The length of the video, by which most models bill. If not set, each model uses its own default.',
		},
		{
			displayName: 'Extra Fields (JSON)',
			name: 'extraFields',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "mode": "pro" }',
			description:
				'Additional fields for the request body. They never override what is set elsewhere. The service silently drops fields that it does not know.',
		},
		{
			displayName: 'Generate Audio',
			name: 'generateAudio',
			type: 'boolean',
			default: true,
			description: `Whether to generate sound for the video. For Veo, Seedance and Wan models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Head Start (Seconds)',
			name: 'headStart',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			displayOptions: { show: { '/wait': ['durable'] } },
			description:
				'How long to poll every few seconds before the execution goes to sleep. This occupies a worker, so use it only if renders are short.',
		},
		{ ...maxSizeField, displayOptions: downloading },
		{
			displayName: 'Max Wait (Minutes)',
			name: 'maxWait',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 30,
			displayOptions: waiting,
			description: 'How long to wait for a video before On Timeout applies',
		},
		{
			displayName: 'Metadata (JSON)',
			name: 'metadata',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "enhancePrompt": true }',
			description:
				"Options in the vendor's own spelling, passed on unchanged. They never override what is set elsewhere.",
		},
		{
			displayName: 'Model Family',
			name: 'modelFamily',
			type: 'options',
			options: [
				{ name: 'As the Service or the Name of the Model Says', value: 'auto' },
				...FAMILIES.map(({ label }) => ({ name: label, value: label })),
			],
			default: 'auto',
			description:
				'Whose spelling of the options to use. Set it if the deployment gives models names of its own.',
		},
		{
			displayName: 'Negative Prompt',
			name: 'negativePrompt',
			type: 'string',
			default: '',
			placeholder: 'e.g. text, watermark',
			description: `What the video should not show. For Veo, Kling and Wan models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'On Timeout',
			name: 'onTimeout',
			type: 'options',
			options: [
				{
					name: 'Fail',
					value: 'fail',
					description: 'The item fails with the task ID; the render continues',
				},
				{
					name: 'Return Task',
					value: 'returnTask',
					description: 'The item is the unfinished task; follow it with Video Status',
				},
			],
			default: 'fail',
			displayOptions: waiting,
			description: 'What to do if a video is not ready after Max Wait',
		},
		{
			displayName: 'Output Binary Field',
			name: 'binaryProperty',
			type: 'string',
			default: 'data',
			displayOptions: { show: { '/downloadVideo': [true] } },
			description: 'The name of the output binary field to put the video in',
		},
		{
			displayName: 'Person Generation',
			name: 'personGeneration',
			type: 'string',
			default: 'allow_adult',
			placeholder: 'e.g. dont_allow',
			description: `Whether people may be shown, as one of the vendor's values. For Veo models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 5,
			displayOptions: waiting,
			description:
				'How long to wait before the first poll. The interval then grows to 10 seconds; a longer interval stays the same. With Durable, it only applies during Head Start.',
		},
		{
			displayName: 'Resolution',
			name: 'resolution',
			type: 'string',
			default: '720p',
			placeholder: 'e.g. 1080p',
			description: `The quality of the picture. For Veo, Seedance, Vidu, Hailuo and Wan models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Reuse Paid Task on Retry',
			name: 'reuseTask',
			type: 'boolean',
			default: true,
			description:
				'Whether a retry of this execution picks up the task that is already paid for instead of submitting a new one',
		},
		{
			displayName: 'Seed',
			name: 'seed',
			type: 'number',
			default: 0,
			description: `The same seed and prompt produce similar videos. For Veo, Seedance, Vidu, Wan and Jimeng models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Size',
			name: 'size',
			type: 'string',
			default: '1280x720',
			placeholder: 'e.g. 720x1280',
			description: `Width and height in pixels. For Veo, Sora, Kling and Wan models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Watermark',
			name: 'watermark',
			type: 'boolean',
			default: false,
			description: `Whether to show the vendor's watermark. For Seedance, Hailuo and Wan models. ${NOT_EVERYWHERE}.`,
		},
	],
};
