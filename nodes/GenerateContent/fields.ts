import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { modelField, simplifyField } from '../shared/fields/common';
import { contentOptionsField } from './optionFields';

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
		description:
			'What to ask the model. Behind a Chat Trigger, drag chatInput from the input into this field. Can be empty if there are input files or if the conversation ends with a user turn.',
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
		displayName: 'Conversation',
		name: 'conversation',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Turn',
		default: {},
		description:
			'Earlier turns, oldest first; the prompt comes after them. If the number of turns varies from item to item, use the Conversation (JSON) option.',
		options: [
			{
				displayName: 'Turn',
				name: 'turns',
				values: [
					{
						displayName: 'Role',
						name: 'role',
						type: 'options',
						options: [
							{ name: 'User', value: 'user', description: 'A message from the user' },
							{ name: 'Model', value: 'model', description: 'A reply from the model' },
						],
						default: 'user',
					},
					{
						displayName: 'Text',
						name: 'text',
						type: 'string',
						typeOptions: { rows: 2 },
						default: '',
						placeholder: 'e.g. Where is the Eiffel Tower?',
					},
				],
			},
		],
	},
	{
		displayName: 'Input Binary Fields',
		name: 'images',
		type: 'string',
		default: '',
		placeholder: 'e.g. data, data_1',
		hint: 'The names of the input binary fields containing the files, separated by commas',
		description:
			'Images, audio, video, PDF or text files to send to the model, up to 15 MB in total',
	},
	{
		displayName: 'Output Content as JSON',
		name: 'jsonOutput',
		type: 'boolean',
		default: false,
		description: 'Whether to ask the model for JSON and return it, parsed, in the item',
	},
	{
		displayName: 'JSON Schema',
		name: 'jsonSchema',
		type: 'json',
		typeOptions: { rows: 4 },
		default: '{}',
		placeholder: 'e.g. { "type": "object", "properties": { "city": { "type": "string" } } }',
		displayOptions: { show: { jsonOutput: [true] } },
		hint: 'Any JSON Schema, such as { "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }',
		description:
			'The structure of the JSON, not an example of it. The answer is checked against its types, enum, required, properties and items. With {} the model follows the prompt.',
	},
	{
		displayName: 'Stream Response',
		name: 'streamResponse',
		type: 'boolean',
		default: true,
		description:
			'Whether to stream the answer as it is generated, if the Response Mode of the Chat Trigger or Webhook is Streaming. With several items, each says one line at the end. The output item is the same either way.',
	},
	simplifyField,
	contentOptionsField,
];

const warning = (message: string, condition: string): NodeHint => ({
	message,
	displayCondition: `={{ ${condition} }}`,
	type: 'warning',
	whenToDisplay: 'always',
	location: 'outputPane',
});

/** Warns of settings that most models ignore, or that older models refuse. */
export const generateContentHints: NodeHint[] = [
	warning(
		'Voice needs Audio in Response Modalities as well; without it most models answer in text.',
		'![undefined, null, ""].includes($parameter.options?.voice) && Array.isArray($parameter.options?.responseModalities ?? []) && !($parameter.options?.responseModalities ?? []).includes("AUDIO")',
	),
	warning(
		'Models before Gemini 3 refuse Output Content as JSON together with Built-in Tools.',
		'$parameter.jsonOutput === true && Array.isArray($parameter.options?.tools) && $parameter.options.tools.length > 0',
	),
];
