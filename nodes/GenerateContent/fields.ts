import type { INodeProperties } from 'n8n-workflow';

import { modelField } from '../shared/fields/model';
import { simplifyField } from '../shared/fields/simplify';
import { optionsField } from './optionFields';

export const generateContentFields: INodeProperties[] = [
	modelField(
		'searchTextModels',
		'gemini-2.5-flash',
		'The model that answers. Prices differ per model.',
	),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Summarize this text in three sentences: ...',
		description:
			'What is asked of the model. May stay empty if files are sent along or the conversation ends with a turn of the user.',
	},
	{
		displayName: 'System Instruction',
		name: 'systemInstruction',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. You are a friendly travel agent. Answer in French.',
		description: 'How the model behaves, whatever is asked of it',
	},
	{
		displayName: 'Conversation',
		name: 'conversation',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Turn',
		default: {},
		description:
			'Earlier turns, in order; the prompt follows them. For a number of turns that differs from item to item, see Conversation (JSON) in the options.',
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
							{ name: 'User', value: 'user', description: 'What was asked' },
							{ name: 'Model', value: 'model', description: 'What the model answered' },
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
		hint: 'The names of the input binary fields to send along, separated by commas',
		description:
			'Images, audio, video, PDF or text files for the model to look at, up to 15 MB in all',
	},
	{
		displayName: 'Output Content as JSON',
		name: 'jsonOutput',
		type: 'boolean',
		default: false,
		description: 'Whether to ask for JSON and put it, parsed, into the item',
	},
	{
		displayName: 'JSON Schema',
		name: 'jsonSchema',
		type: 'json',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. { "type": "object", "properties": { "city": { "type": "string" } } }',
		displayOptions: { show: { jsonOutput: [true] } },
		description: 'What the JSON looks like. When empty, the model decides by the prompt.',
	},
	{
		displayName: 'Stream Response',
		name: 'streamResponse',
		type: 'boolean',
		default: true,
		description:
			'Whether the words go out as they come, behind a Chat Trigger or Webhook whose Response Mode is Streaming. The item is the same either way.',
	},
	simplifyField,
	optionsField,
];
