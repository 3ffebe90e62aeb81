import type { INodeProperties } from 'n8n-workflow';

import { FAMILIES } from '../shared/family/modelFamily';

const NOT_EVERYWHERE = 'Not every model of them supports it';

/** The options that families of models spell in their own ways, or do not have. */
export const familyFields: INodeProperties[] = [
	{
		displayName: 'Aspect Ratio',
		name: 'aspectRatio',
		type: 'string',
		default: '16:9',
		placeholder: 'e.g. 9:16',
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
		default: 5,
		description:
			'The length of the video, by which most models bill. If not set, each model uses its own default.',
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
		type: 'string',
		default: 'allow_adult',
		placeholder: 'e.g. dont_allow',
		description: `Whether people may be shown, as one of the vendor's values. For Veo models. ${NOT_EVERYWHERE}.`,
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
];
