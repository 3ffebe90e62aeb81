import type { INodeProperties } from 'n8n-workflow';

export const maxOutputTokensField: INodeProperties = {
	displayName: 'Max Output Tokens',
	name: 'maxOutputTokens',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 65536,
	description:
		'The maximum number of tokens to generate, thinking included. Longer answers are cut off.',
};

export const temperatureField: INodeProperties = {
	displayName: 'Temperature',
	name: 'temperature',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
	default: 1,
	description: 'The randomness of the answer. Lower values make it more predictable.',
};

export const textTimeoutField: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 300,
	description:
		'How long to wait for the answer or, while streaming, for its next part. A late answer may still be billed.',
};

export const topPField: INodeProperties = {
	displayName: 'Top P',
	name: 'topP',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
	default: 0.95,
	description:
		'Nucleus sampling: with 0.5, unlikely words that make up half of the probability are left out',
};

/** Each generation of models has its own; for names that do not tell theirs, both are shown. */
const hiddenFor = (models: RegExp): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { hide: { '/model': [{ _cnd: { regex: models.source } }] } },
});

const thinkingFields: INodeProperties[] = [
	{
		displayName: 'Thinking Budget',
		name: 'budget',
		type: 'number',
		typeOptions: { minValue: -1 },
		default: -1,
		...hiddenFor(/gemini-[3-9]/),
		description:
			'The maximum number of tokens to think with. -1 lets the model decide, and 0 turns thinking off.',
	},
	{
		displayName: 'Thinking Level',
		name: 'level',
		type: 'options',
		options: ['Minimal', 'Low', 'Medium', 'High'].map((name) => ({
			name,
			value: name.toLowerCase(),
		})),
		default: 'high',
		...hiddenFor(/gemini-[12]/),
		description: 'How much the model thinks. Not every model has every level.',
	},
];

const includeThoughtsField: INodeProperties = {
	displayName: 'Include Thoughts',
	name: 'includeThoughts',
	type: 'boolean',
	default: true,
	description: 'Whether to return a summary of the thoughts in the field thoughts',
};

const toThinkingField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Thinking',
	name: 'thinking',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How much the model thinks before it answers. Not supported by every model.',
	options,
});

export const thinkingField = toThinkingField([includeThoughtsField, ...thinkingFields]);

/** For the model of an agent, which takes no thoughts. */
export const modelThinkingField = toThinkingField(thinkingFields);
