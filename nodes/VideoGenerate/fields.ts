import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { modelField } from '../shared/fields/common';
import { imageSources, toFileFields, videoOptionsField } from './optionFields';

/** Returns a field whose list has what the chosen model takes; an expression may give any value. */
const choiceField = (
	displayName: string,
	name: string,
	loadOptionsMethod: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	typeOptions: {
		loadOptionsMethod,
		// n8n looks up a path, so the ID inside the resource locator must be named.
		loadOptionsDependsOn: ['model.value', 'options.modelFamily'],
	},
	default: '',
	description,
});

export const videoGenerateFields: INodeProperties[] = [
	modelField(
		'searchVideoModels',
		'veo-3.1-fast-generate-001',
		'The model to render the video with. Prices differ between models.',
	),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. A paper boat on a rainy street, camera close to the water',
		description:
			'What the video should show. After a Chat Trigger, drag chatInput into this field. Leave it empty if the model needs none.',
	},
	{
		displayName: 'First Frame',
		name: 'imageSource',
		type: 'options',
		options: [{ name: 'None', value: 'none' }, ...imageSources],
		default: 'none',
		description: 'The image that the video starts with',
	},
	...toFileFields('Image'),
	choiceField(
		'Duration',
		'duration',
		'getDurations',
		'How long the video is. Most models bill by the second.',
	),
	choiceField('Aspect Ratio', 'aspectRatio', 'getAspectRatios', 'The ratio of width to height'),
	choiceField(
		'Resolution',
		'resolution',
		'getResolutions',
		'The resolution of the video. A higher resolution may cost more.',
	),
	{
		displayName: 'Wait',
		name: 'wait',
		type: 'options',
		options: [
			{
				name: 'In Process',
				value: 'inProcess',
				description:
					'Check every few seconds while the workflow runs. If n8n restarts, the wait ends.',
			},
			{
				name: 'Durable',
				value: 'durable',
				description:
					"Sleep in n8n's database and check every few minutes. The wait survives a restart of n8n.",
			},
			{
				name: 'Do Not Wait',
				value: 'none',
				description: 'Return the submitted tasks immediately. Follow them with Video Status.',
			},
		],
		default: 'inProcess',
		description: 'Whether and how to wait for the videos',
	},
	{
		displayName: 'Download File',
		name: 'downloadVideo',
		type: 'boolean',
		default: true,
		displayOptions: { hide: { wait: ['none'] } },
		description: 'Whether to add the file to the item. Turn this off if Video Download follows.',
	},
	videoOptionsField,
];

const IS_DRY_RUN = '$parameter.options?.cost?.dryRun';

const toHint = (message: string, condition: string): NodeHint => ({
	message,
	displayCondition: `={{ ${condition} }}`,
	whenToDisplay: 'beforeExecution',
	location: 'outputPane',
});

const BILLED = {
	inProcess:
		'Each task takes minutes and is billed. Stopping does not cancel or refund it, and running again bills again.',
	durable: 'Each task is billed. The execution sleeps and resumes by itself when all are ready.',
	none: 'Each task is billed as soon as it is submitted. Follow it with Video Status.',
};

/** The editor shows only these hints while a node runs. */
export const videoGenerateHints: NodeHint[] = [
	...Object.entries(BILLED).map(([wait, message]) =>
		toHint(message, `$parameter.wait === "${wait}" && !${IS_DRY_RUN}`),
	),
	toHint(
		'Dry Run: the requests are checked and returned. Nothing is submitted or billed.',
		`Boolean(${IS_DRY_RUN})`,
	),
];
