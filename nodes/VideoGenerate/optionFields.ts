import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	fileNameField,
	leaveOutInputFieldsField,
	linkField,
	optionsField,
	outputBinaryField,
	rawResponseField,
} from '../shared/fields/common';
import { FAMILIES, familyNamed } from '../shared/models/families/families';
import type { SettingName } from '../shared/models/settings';
import type { Family } from '../shared/models/takes';

export const imageSources: INodePropertyOptions[] = [
	{ name: 'URL', value: 'url' },
	{ name: 'Binary Field', value: 'binary' },
	{ name: 'Base64 or Data URI', value: 'base64' },
];

/** The fields of one picture, by its source: of the first frame (`Image`), and of each row of Input Files (`File`). */
export const toFileFields = (noun: 'Image' | 'File'): INodeProperties[] => [
	{
		displayName: `${noun} Data`,
		name: 'image',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		required: true,
		placeholder: 'e.g. data:image/png;base64,iVBORw0KGgo...',
		displayOptions: { show: { imageSource: ['base64'] } },
		description: `The ${noun.toLowerCase()} as base64 text or a data URI`,
	},
	{
		displayName: `${noun} URL`,
		name: 'image',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/product.png',
		displayOptions: { show: { imageSource: ['url'] } },
		description:
			'A URL that opens without signing in. If the model accepts no URLs, the node loads the image.',
	},
	{
		displayName: 'Input Binary Field',
		name: 'imageBinaryProperty',
		type: 'string',
		default: 'data',
		required: true,
		hint: `The name of the input binary field containing the ${noun.toLowerCase()}, or an expression that returns the file`,
		displayOptions: { show: { imageSource: ['binary'] } },
		description: 'The name that the input panel shows for the file under Binary',
	},
];

/** Returns words such as "Kling, Veo and Wan models". */
const familiesWith = (has: (row: Family) => unknown) => {
	const labels = FAMILIES.filter((label) => has(familyNamed(label)!));
	return `${labels.join(', ').replace(/, (\w+)$/, ' and $1')} models`;
};

const modelsOf = (has: (row: Family) => unknown) =>
	`At New API, for ${familiesWith(has)}; elsewhere, if the model has it`;

/** Of a video or a sound. */
const BY_URL = 'By URL; at fal, kie.ai, Replicate, Runway and WaveSpeed also a file.';

/** The editor shows the loaded list; the written one has the values that a run takes. */
const LOADED_FAMILIES = { loadOptionsMethod: 'getFamilies' };

const [fileData, ...otherFileFields] = toFileFields('File');

const inputFilesField: INodeProperties = {
	displayName: 'Input Files',
	name: 'images',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add File',
	default: {},
	description:
		'A last frame, images of a person or product, or a video or sound. Not supported by every model.',
	options: [
		{
			displayName: 'File',
			name: 'image',
			// Sorted by name, which n8n wants.
			values: [
				fileData,
				{
					displayName: 'File Source',
					name: 'imageSource',
					type: 'options',
					options: imageSources,
					default: 'binary',
				},
				...otherFileFields,
				{
					displayName: 'Role',
					name: 'role',
					type: 'options',
					options: [
						{
							name: 'Last Frame',
							value: 'lastFrame',
							description: `The image that the video ends with. ${modelsOf(({ pictures }) => pictures.takes?.includes('last'))}.`,
						},
						{
							name: 'Reference',
							value: 'reference',
							description: `An image of a person or thing to show. ${modelsOf(({ pictures }) => pictures.takes?.includes('image'))}.`,
						},
						{
							name: 'Reference Sound',
							value: 'referenceSound',
							description: `A voice or sound to use. ${BY_URL} ${modelsOf(({ pictures }) => pictures.takes?.includes('sound'))}.`,
						},
						{
							name: 'Reference Video',
							value: 'referenceVideo',
							description: `A video to follow or to change. ${BY_URL} ${modelsOf(({ pictures }) => pictures.takes?.includes('video'))}.`,
						},
					],
					default: 'lastFrame',
				},
			],
		},
	],
};

/** Returns the models that have an option, in words. */
const hasOption = (option: SettingName) => modelsOf(({ fields }) => fields[option]);

const LOADED_NAMES = {
	loadOptionsMethod: 'getModelFields',
	loadOptionsDependsOn: ['model.value'],
};

const modelFieldsField: INodeProperties = {
	displayName: 'Model Fields',
	name: 'modelFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Field',
	default: {},
	description:
		'What the chosen model takes beside this form, such as a voice. Not for New API, OpenAI Videos and Custom Paths.',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'options',
					typeOptions: LOADED_NAMES,
					default: '',
					required: true,
					description:
						"A field of the model's own. An expression may give any name that the model has.",
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description:
						'A text, number, true or false. A list takes commas or JSON, and an object JSON.',
				},
			],
		},
	],
};

const LAST_FRAMES = `Only at New API, for ${familiesWith(({ fields }) => fields.returnLastFrame)}`;

const modelOptions: INodeProperties[] = [
	{
		displayName: 'Chain Shots',
		name: 'chainShots',
		type: 'boolean',
		default: true,
		description: `Whether each video begins with the last frame of the previous one. First Frame and references are for the first video alone. ${LAST_FRAMES}.`,
	},
	{
		displayName: 'Generate Audio',
		name: 'generateAudio',
		type: 'boolean',
		default: true,
		description: `Whether the video has sound. ${hasOption('generateAudio')}.`,
	},
	inputFilesField,
	{
		displayName: 'Group Shots By',
		name: 'groupBy',
		type: 'string',
		requiresDataPath: 'single',
		default: '',
		placeholder: 'e.g. film',
		description:
			'The name of an input field. Items with the same value are the shots of one film, which Chain Shots makes.',
	},
	{
		displayName: 'Return Last Frame',
		name: 'returnLastFrame',
		type: 'boolean',
		default: true,
		description: `Whether to return last_frame_url, a link to an image of the last frame, which works for 24 hours. ${LAST_FRAMES}.`,
	},
	{
		displayName: 'Model Family',
		name: 'modelFamily',
		type: 'options',
		typeOptions: LOADED_FAMILIES,
		options: [
			{ name: 'Auto-Detect', value: 'auto' },
			...FAMILIES.map((label) => ({ name: label, value: label })),
		],
		default: 'auto',
		description:
			'The kind of model, for New API. Set it if your service uses its own names for models.',
	},
	modelFieldsField,
	{
		displayName: 'Negative Prompt',
		name: 'negativePrompt',
		type: 'string',
		default: '',
		placeholder: 'e.g. text, watermark',
		description: `What the video should not show. ${hasOption('negativePrompt')}.`,
	},
	{
		displayName: 'Seed',
		name: 'seed',
		type: 'number',
		default: 1,
		description: `The same seed and prompt give similar videos. ${hasOption('seed')}.`,
	},
];

const downloading = { show: { '/downloadVideo': [true] }, hide: { '/wait': ['none'] } };
const waiting = { hide: { '/wait': ['none'] } };

const pollingField: INodeProperties = {
	displayName: 'Polling',
	name: 'polling',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How often to check, and what to do when Max Wait is over',
	options: [
		{
			displayName: 'Batch Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 10,
			description: 'How many requests run at the same time. All videos still render in parallel.',
		},
		{
			displayName: 'On Timeout',
			name: 'onTimeout',
			type: 'options',
			options: [
				{
					name: 'Fail',
					value: 'fail',
					description: 'The item fails with its task ID. The render continues.',
				},
				{
					name: 'Return Task',
					value: 'returnTask',
					description: 'Return the unfinished task. Follow it with Video Status.',
				},
			],
			default: 'fail',
			displayOptions: waiting,
			description: 'What to do if a video is not ready after Max Wait',
		},
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 5,
			displayOptions: waiting,
			description:
				'The shortest pause between two checks of a video. Without it, the node checks a new video every 2 seconds, and an older one less often.',
		},
	],
};

const costField: INodeProperties = {
	displayName: 'Cost',
	name: 'cost',
	type: 'collection',
	placeholder: 'Add Dry Run or Limit',
	default: {},
	description: 'A dry run that submits nothing, and limits on the number of videos',
	options: [
		{
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			default: true,
			description:
				'Whether to check everything and return the request without submitting it. Nothing is billed.',
		},
		{
			displayName: 'Max Videos per Day',
			name: 'maxVideosPerDay',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000 },
			default: 5,
			description:
				'The most videos that this node submits per day. Runs in the editor do not count.',
		},
		{
			displayName: 'Max Videos per Execution',
			name: 'maxVideos',
			type: 'number',
			typeOptions: { minValue: 1 },
			// A loop by mistake would pay until the account is empty.
			default: 100,
			description:
				'The most videos that this node submits per execution, which is 100 without this option. If the items exceed it, none is submitted.',
		},
	],
};

const runOptions: INodeProperties[] = [
	{
		displayName: 'Additional Fields (JSON)',
		name: 'additionalFields',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "metadata": { "watermark": false } }',
		description:
			"Fields to add to the request, in the vendor's spelling. The service silently drops fields that it does not know.",
	},
	costField,
	{ ...fileNameField, displayOptions: downloading },
	leaveOutInputFieldsField,
	{ ...linkField, displayOptions: downloading },
	{
		displayName: 'Max Wait (Minutes)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 30,
		displayOptions: waiting,
		description: 'How long to wait for a video before Polling > On Timeout applies',
	},
	{ ...outputBinaryField, displayOptions: downloading },
	pollingField,
	rawResponseField,
];

export const videoOptionsField = optionsField(...modelOptions, ...runOptions);
