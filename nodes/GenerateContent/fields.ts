import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { modelField } from '../shared/fields/common';
import { contentOptionsField } from './optionFields';

const modelDefault: INodePropertyOptions = { name: 'Model Default', value: '' };

const RATIOS = [
	...['1:1 (Square)', '1:4', '1:8', '16:9 (Landscape)', '2:3', '21:9', '3:2', '3:4', '4:1', '4:3'],
	...['4:5', '5:4', '8:1', '9:16 (Portrait)'],
];

/** The prebuilt voices, each with the vendor's description. */
const VOICES = [
	...['Achernar: Soft', 'Achird: Friendly', 'Algenib: Gravelly', 'Algieba: Smooth'],
	...['Alnilam: Firm', 'Aoede: Breezy', 'Autonoe: Bright', 'Callirrhoe: Easy-going'],
	...['Charon: Informative', 'Despina: Smooth', 'Enceladus: Breathy'],
	...['Erinome: Clear', 'Fenrir: Excitable', 'Gacrux: Mature', 'Iapetus: Clear', 'Kore: Firm'],
	...['Laomedeia: Upbeat', 'Leda: Youthful', modelDefault.name, 'Orus: Firm', 'Puck: Upbeat'],
	...['Pulcherrima: Forward', 'Rasalgethi: Informative', 'Sadachbia: Lively'],
	...['Sadaltager: Knowledgeable', 'Schedar: Even', 'Sulafat: Warm', 'Umbriel: Easy-going'],
	...['Vindemiatrix: Gentle', 'Zephyr: Bright', 'Zubenelgenubi: Casual'],
];

/** The fields below Output Format, each shown for one format. */
const formatFields: INodeProperties[] = [
	{
		displayName: 'Schema Type',
		name: 'schemaType',
		type: 'options',
		noDataExpression: true,
		// The names and values of n8n's own Structured Output Parser.
		options: [
			{ name: 'Generate From JSON Example', value: 'fromJson' },
			{ name: 'Define Using JSON Schema', value: 'manual' },
		],
		default: 'fromJson',
		displayOptions: { show: { outputFormat: ['json'] } },
		description: 'How to specify the structure of the JSON',
	},
	{
		displayName: 'JSON Example',
		name: 'jsonSchemaExample',
		type: 'json',
		typeOptions: { rows: 4 },
		default: '{}',
		displayOptions: { show: { outputFormat: ['json'], schemaType: ['fromJson'] } },
		hint: 'For example: { "city": "Paris", "sights": ["Eiffel Tower"] }. All properties are required.',
		description: 'An example of the JSON to generate. With {}, only the prompt describes the JSON.',
	},
	{
		displayName: 'JSON Schema',
		name: 'jsonSchema',
		type: 'json',
		typeOptions: { rows: 4 },
		default: '{}',
		displayOptions: { show: { outputFormat: ['json'], schemaType: ['manual'] } },
		hint: 'For example: { "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }',
		description:
			'The structure of the JSON to generate. With {}, only the prompt describes the JSON.',
	},
	{
		displayName: 'Aspect Ratio',
		name: 'aspectRatio',
		type: 'options',
		options: [...RATIOS.map((name) => ({ name, value: name.split(' ')[0] })), modelDefault],
		default: '',
		displayOptions: { show: { outputFormat: ['image'] } },
		description: 'The ratio of width to height',
	},
	{
		displayName: 'Image Size',
		name: 'imageSize',
		type: 'options',
		options: [...['1K', '2K', '4K'].map((value) => ({ name: value, value })), modelDefault],
		default: '',
		displayOptions: { show: { outputFormat: ['image'] } },
		description:
			'The size of the image. Larger images cost more, and some models do not support them.',
	},
	{
		displayName: 'Voice',
		name: 'voice',
		type: 'options',
		options: VOICES.map((voice) => {
			const [name, description] = voice.split(': ');
			return description ? { name, value: name, description } : modelDefault;
		}),
		default: '',
		displayOptions: { show: { outputFormat: ['audio'] } },
		description: 'The voice that reads the answer aloud',
	},
];

export const generateContentFields: INodeProperties[] = [
	modelField(
		'searchTextModels',
		'gemini-2.5-flash',
		'The model to generate the answer with. Prices differ between models.',
	),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Summarize this text in three sentences: ...',
		description: 'What to ask the model. After a Chat Trigger, drag chatInput into this field.',
	},
	{
		displayName: 'System Instruction',
		name: 'systemInstruction',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. You are a friendly travel agent. Answer in French.',
		description: 'How the model should behave, regardless of the prompt',
	},
	{
		displayName: 'Input Binary Fields',
		name: 'inputBinaryFields',
		type: 'string',
		default: '',
		hint: 'The names of the input binary fields containing the files, such as data, separated by commas',
		description: 'Images, audio, video, PDF or text files to send, up to 15 MB in total',
	},
	{
		displayName: 'Output Format',
		name: 'outputFormat',
		type: 'options',
		options: [
			{ name: 'Text', value: 'text' },
			{
				name: 'JSON',
				value: 'json',
				description: 'Checked for the top-level type and required names of the schema',
			},
			{ name: 'Image', value: 'image', description: 'Only for models that generate images' },
			{ name: 'Audio', value: 'audio', description: 'Only for models that generate speech' },
		],
		default: 'text',
		description: 'What the model should generate. Images and audio are returned as binary data.',
	},
	...formatFields,
	contentOptionsField,
];
