import type { INodeProperties, INodePropertyOptions, NodeHint } from 'n8n-workflow';

import { FAMILIES } from '../shared/family/families';
import type { Family, FamilyOption, Setting } from '../shared/family/family';
import {
	includeOtherFieldsField,
	linkField,
	maxSizeField,
	modelField,
	simplifyField,
} from '../shared/fields/common';

const imageSources: INodePropertyOptions[] = [
	{ name: 'Base64 or Data URI', value: 'base64' },
	{ name: 'Binary Field', value: 'binary' },
	{ name: 'URL', value: 'url' },
];

/** The fields of one picture, by its source; for the image and for each further image. */
const imageFields: INodeProperties[] = [
	{
		displayName: 'Image URL',
		name: 'image',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/product.png',
		displayOptions: { show: { imageSource: ['url'] } },
		description:
			'A web address that can be opened without signing in. Where a model does not open addresses, the node loads the image.',
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
		hint: 'The name of the input binary field containing the image',
		displayOptions: { show: { imageSource: ['binary'] } },
	},
];

/** Returns words such as "For Kling, Veo and Wan models". */
const modelsOf = (has: (family: Family) => unknown) => {
	const labels = FAMILIES.filter(has).map(({ label }) => label);
	return `For ${labels.join(', ').replace(/, (\w+)$/, ' and $1')} models`;
};

const furtherImagesField: INodeProperties = {
	displayName: 'Further Images',
	name: 'furtherImages',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Image',
	default: {},
	description:
		'A last frame, or images that show who or what is to be seen. Refused for models that do not take them.',
	options: [
		{
			displayName: 'Image',
			name: 'image',
			values: [
				{
					displayName: 'Role',
					name: 'role',
					type: 'options',
					options: [
						{
							name: 'Last Frame',
							value: 'lastFrame',
							description: `Where the video ends. ${modelsOf(({ pictures }) => pictures.lastFrame)}.`,
						},
						{
							name: 'Reference',
							value: 'reference',
							description: `Who or what is to be seen. ${modelsOf(({ pictures }) => pictures.references)}.`,
						},
					],
					default: 'lastFrame',
				},
				{
					displayName: 'Image Source',
					name: 'imageSource',
					type: 'options',
					options: imageSources,
					default: 'binary',
				},
				...imageFields,
			],
		},
	],
};

/** Words in a model's name that decide which options and values a family has. */
const KINDS_OF_MODELS = ['', 't2v', 'pro'];

/** Returns how a family accepts an option, for each kind of its models that does. */
const settingsOf = ({ settings }: Family, option: FamilyOption): Setting[] =>
	KINDS_OF_MODELS.flatMap((model) => {
		const setting = settings(model)[option];
		return setting?.at ? [setting] : [];
	});

/** Returns a sentence on the models that have an option. */
const hasOption = (option: FamilyOption) =>
	`${modelsOf((family) => settingsOf(family, option).length > 0)}. Not every model of them supports it`;

/** Returns a number to sort a resolution or a size by; 0 for a ratio. */
function linesOf(value: string): number {
	const [, width, height] = /^(\d+)x(\d+)$/.exec(value) ?? [];
	if (height !== undefined) return Number(width) * Number(height);
	return value.endsWith('k') ? parseInt(value) * 540 : value.endsWith('p') ? parseInt(value) : 0;
}

/**
 * Returns all values of an option that any family has: resolutions and sizes by their pixels, the
 * most common ratios first. An expression may give any other value; the run refuses those that the
 * chosen model does not have.
 */
function toChoices(option: FamilyOption): INodePropertyOptions[] {
	const labelsOf = new Map<string, string[]>();
	for (const family of FAMILIES) {
		const values = settingsOf(family, option).flatMap((setting) => setting.values ?? []);
		for (const value of new Set(values.map((one) => String(one).toLowerCase()))) {
			labelsOf.set(value, [...(labelsOf.get(value) ?? []), family.label]);
		}
	}
	return [...labelsOf]
		.sort(([a, ofA], [b, ofB]) => linesOf(a) - linesOf(b) || ofB.length - ofA.length)
		.map(([value, labels]) => ({ name: value, value, description: labels.join(', ') }));
}

const familyFields: INodeProperties[] = [
	{
		displayName: 'Aspect Ratio',
		name: 'aspectRatio',
		type: 'options',
		options: toChoices('aspectRatio'),
		default: '16:9',
		description: `The ratio of width to height. ${hasOption('aspectRatio')}.`,
	},
	{
		displayName: 'Camera Fixed',
		name: 'cameraFixed',
		type: 'boolean',
		default: false,
		description: `Whether to keep the camera still. ${hasOption('cameraFixed')}.`,
	},
	{
		displayName: 'Duration (Seconds)',
		name: 'duration',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 8,
		description:
			'The length of the video, by which most models bill: 4, 6 or 8 for Veo, 4, 8 or 12 for Sora, 5 or 10 for Kling and Jimeng, 6 or 10 for Hailuo. If not set, each model uses its own default.',
	},
	{
		displayName: 'Generate Audio',
		name: 'generateAudio',
		type: 'boolean',
		default: true,
		description: `Whether to generate sound for the video. ${hasOption('generateAudio')}.`,
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
		description: `What the video should not show. ${hasOption('negativePrompt')}.`,
	},
	{
		displayName: 'Person Generation',
		name: 'personGeneration',
		type: 'options',
		options: [
			{ name: 'Allow Adults', value: 'allow_adult' },
			{ name: 'Allow All', value: 'allow_all' },
			{ name: 'Do Not Allow', value: 'dont_allow' },
		],
		default: 'allow_adult',
		description: `Whether people may be shown. ${hasOption('personGeneration')}.`,
	},
	{
		displayName: 'Resolution',
		name: 'resolution',
		type: 'options',
		options: toChoices('resolution'),
		default: '720p',
		description: `The quality of the picture. ${hasOption('resolution')}.`,
	},
	{
		displayName: 'Seed',
		name: 'seed',
		type: 'number',
		default: 0,
		description: `The same seed and prompt produce similar videos. ${hasOption('seed')}.`,
	},
	{
		displayName: 'Size',
		name: 'size',
		type: 'options',
		options: toChoices('size'),
		default: '1280x720',
		description: `Width and height in pixels. ${hasOption('size')}.`,
	},
	{
		displayName: 'Watermark',
		name: 'watermark',
		type: 'boolean',
		default: false,
		description: `Whether to show the vendor's watermark. ${hasOption('watermark')}.`,
	},
];

const downloading = { show: { '/downloadVideo': [true] }, hide: { '/wait': ['none'] } };
const waiting = { hide: { '/wait': ['none'] } };

const otherFields: INodeProperties[] = [
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
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to only read and check everything and return the request that would be sent. Nothing is submitted or billed. An image that the node loads from its URL is loaded.',
	},
	{
		displayName: 'Extra Fields (JSON)',
		name: 'extraFields',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "mode": "pro" }',
		description:
			'Additional fields for the request body. The service silently drops fields that it does not know. A field that the node sets itself is refused.',
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
	includeOtherFieldsField,
	{ ...linkField, displayOptions: downloading },
	{ ...maxSizeField, displayOptions: downloading },
	{
		displayName: 'Max Videos per Run',
		name: 'maxVideos',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		description:
			'How many videos a run may submit: if there are more, all fail before the first is submitted. Videos that an earlier try has paid for do not count; those that are submitted again do, and so do all calls of one tool by an agent in one execution. 0 is no limit. The smallest value of all items applies.',
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
		description:
			"Options in the vendor's own spelling. The service silently drops what it does not know. A field that the node sets itself is refused.",
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
		displayName: 'Reuse Paid Task on Retry',
		name: 'reuseTask',
		type: 'boolean',
		default: true,
		description:
			'Whether a retry of this execution picks up the task that is already paid for instead of submitting a new one',
	},
	{
		displayName: 'Stream Progress',
		name: 'streamProgress',
		type: 'boolean',
		// All items share one message.
		noDataExpression: true,
		default: true,
		description:
			'Whether to tell in short lines how far the videos are, if the Response Mode of the Chat Trigger or Webhook is Streaming. If off, only the last node of a workflow says how they ended. The output is the same either way.',
	},
];

/** n8n sorts collections by display name. */
const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...familyFields, ...otherFields].sort((one, other) =>
		one.displayName.localeCompare(other.displayName),
	),
};

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
		options: [...imageSources, { name: 'None', value: 'none' }],
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

const HINTS = {
	inProcess:
		'A render takes a few minutes and is billed. The browser console (F12) shows its progress.',
	durable:
		'Each video is billed. The execution sleeps; the first check comes after 66 seconds (after Head Start, if set).',
	none: 'Each video is billed when it is submitted. Follow its task with Video Status.',
};
const DRY_RUN = 'Dry Run: the requests are checked and shown. Nothing is submitted or billed.';

const toHint = (message: string, condition: string): NodeHint => ({
	message,
	displayCondition: `={{ ${condition} }}`,
	whenToDisplay: 'beforeExecution',
	location: 'outputPane',
});

/** The editor shows only these hints while a node runs; progress goes to the browser's console. */
export const videoGenerateHints: NodeHint[] = [
	...Object.entries(HINTS).map(([wait, message]) =>
		toHint(message, `$parameter.wait === "${wait}" && !$parameter.options?.dryRun`),
	),
	toHint(DRY_RUN, 'Boolean($parameter.options?.dryRun)'),
];
