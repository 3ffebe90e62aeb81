import type { INodeProperties } from 'n8n-workflow';

import { FAMILIES } from '../shared/family/modelFamily';
import { toChoices } from './familyValues';

const NOT_EVERYWHERE = 'Not every model of them supports it';

/** The options that families of models spell in their own ways, or do not have. */
export const familyFields: INodeProperties[] = [
	{
		displayName: 'Aspect Ratio',
		name: 'aspectRatio',
		type: 'options',
		options: toChoices('aspectRatio'),
		default: '16:9',
		description: `The ratio of width to height. For Veo, Seedance, Kling and Jimeng models. ${NOT_EVERYWHERE}.`,
	},
	{
		displayName: 'Camera Fixed',
		name: 'cameraFixed',
		type: 'boolean',
		default: false,
		description: `Whether to keep the camera still. For Seedance models. ${NOT_EVERYWHERE}.`,
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
		description: `Whether to generate sound for the video. For Veo, Seedance and Wan models. ${NOT_EVERYWHERE}.`,
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
		displayName: 'Person Generation',
		name: 'personGeneration',
		type: 'options',
		options: [
			{ name: 'Allow Adults', value: 'allow_adult' },
			{ name: 'Allow All', value: 'allow_all' },
			{ name: 'Do Not Allow', value: 'dont_allow' },
		],
		default: 'allow_adult',
		description: `Whether people may be shown. For Veo models. ${NOT_EVERYWHERE}.`,
	},
	{
		displayName: 'Resolution',
		name: 'resolution',
		type: 'options',
		options: toChoices('resolution'),
		default: '720p',
		description: `The quality of the picture. For Veo, Seedance, Vidu, Hailuo and Wan models. ${NOT_EVERYWHERE}.`,
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
		type: 'options',
		options: toChoices('size'),
		default: '1280x720',
		description: `Width and height in pixels. For Veo, Sora, Kling and Wan models. ${NOT_EVERYWHERE}.`,
	},
	{
		displayName: 'Watermark',
		name: 'watermark',
		type: 'boolean',
		default: false,
		description: `Whether to show the vendor's watermark. For Seedance, Hailuo and Wan models. ${NOT_EVERYWHERE}.`,
	},
];
