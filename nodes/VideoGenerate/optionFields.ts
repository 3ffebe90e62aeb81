import type { INodeProperties } from 'n8n-workflow';

const NOT_EVERYWHERE = 'Not every model or deployment honours it';

const waiting = { show: { '/waitForCompletion': [true] } };

/** In the order of their display names, as n8n sorts collections. */
export const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Aspect Ratio',
			name: 'aspectRatio',
			type: 'string',
			default: '16:9',
			placeholder: 'e.g. 9:16',
			description: `Width to height of the picture. Veo and Seedance models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Batch Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 10,
			description:
				'How many requests to the service may be under way at once. Renders themselves all run side by side. The value of the first item counts.',
		},
		{
			displayName: 'Camera Fixed',
			name: 'cameraFixed',
			type: 'boolean',
			default: false,
			description: `Whether the camera stands still. Seedance models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Duration (Seconds)',
			name: 'duration',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 5,
			description: `Length of the video. Models bill by it; without it they take a length of their own. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Extra Fields (JSON)',
			name: 'extraFields',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "mode": "pro" }',
			description:
				'Further fields of the request body. They never replace what is set elsewhere. Fields that the service does not know are dropped in silence.',
		},
		{
			displayName: 'Generate Audio',
			name: 'generateAudio',
			type: 'boolean',
			default: true,
			description: `Whether the video has sound. Veo and Seedance models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Head Start (Seconds)',
			name: 'headStart',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			displayOptions: { show: { '/waitForCompletion': [true], '/waitMode': ['durable'] } },
			description:
				'How long to look every few seconds before the execution goes to sleep. It holds a worker meanwhile; worth it where renders are short.',
		},
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
			description: "Options in the vendor's own spelling, handed on to the model as they are",
		},
		{
			displayName: 'Negative Prompt',
			name: 'negativePrompt',
			type: 'string',
			default: '',
			placeholder: 'e.g. text, watermark',
			description: `What the video must not show. Veo models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'On Timeout',
			name: 'onTimeout',
			type: 'options',
			options: [
				{
					name: 'Fail',
					value: 'fail',
					description: 'The item fails and names the task ID; the render goes on',
				},
				{
					name: 'Return Task',
					value: 'returnTask',
					description: 'The item is the unfinished task, to be followed with Video Status',
				},
			],
			default: 'fail',
			displayOptions: waiting,
			description: 'What becomes of a video that is not ready after Max Wait',
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
			description: `Whether people may be shown, in the vendor's words. Veo models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 5,
			displayOptions: waiting,
			description:
				'Time before the first look at a task. It grows to 10 seconds, or stays at what is set here if that is more.',
		},
		{
			displayName: 'Resolution',
			name: 'resolution',
			type: 'string',
			default: '720p',
			placeholder: 'e.g. 1080p',
			description: `Veo and Seedance models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Reuse Paid Task on Retry',
			name: 'reuseTask',
			type: 'boolean',
			default: true,
			description:
				'Whether a retry of this execution picks up the task that was already paid for instead of submitting it again',
		},
		{
			displayName: 'Seed',
			name: 'seed',
			type: 'number',
			default: 0,
			description: `The same seed and prompt give a similar video. Veo and Seedance models. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Size',
			name: 'size',
			type: 'string',
			default: '1280x720',
			placeholder: 'e.g. 720x1280',
			description: `Width and height in pixels. ${NOT_EVERYWHERE}.`,
		},
		{
			displayName: 'Watermark',
			name: 'watermark',
			type: 'boolean',
			default: false,
			description: `Whether the vendor's mark is shown. Seedance models. ${NOT_EVERYWHERE}.`,
		},
	],
};
