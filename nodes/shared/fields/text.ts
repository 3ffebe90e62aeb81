import type { INodeProperties } from 'n8n-workflow';

export const maxOutputTokensField: INodeProperties = {
	displayName: 'Max Output Tokens',
	name: 'maxOutputTokens',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 8192,
	description:
		'The maximum number of tokens to generate, after which the answer is cut off. Thinking tokens count as well.',
};

export const temperatureField: INodeProperties = {
	displayName: 'Temperature',
	name: 'temperature',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
	default: 1,
	description: 'The randomness of the answer: 0 is the least random',
};

export const textTimeoutField: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 300,
	description:
		'How long to wait for the answer or, while streaming, for its next part. The service may bill the answer even if it comes too late.',
};

export const topPField: INodeProperties = {
	displayName: 'Top P',
	name: 'topP',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
	default: 0.95,
	description: 'The share of the most likely words to choose the next one from',
};

export const includeThoughtsField: INodeProperties = {
	displayName: 'Include Thoughts',
	name: 'includeThoughts',
	type: 'boolean',
	default: true,
	description:
		'Whether to ask for a summary of what the model thought before it answered. Not every model supports it.',
};

export const thinkingBudgetField: INodeProperties = {
	displayName: 'Thinking Budget',
	name: 'thinkingBudget',
	type: 'number',
	typeOptions: { minValue: -1 },
	default: -1,
	description:
		'How many tokens the model may spend on thinking: -1 lets the model decide, 0 turns thinking off. For Gemini 2.5 models. Not every model supports it.',
};

export const thinkingLevelField: INodeProperties = {
	displayName: 'Thinking Level',
	name: 'thinkingLevel',
	type: 'options',
	options: [
		{ name: 'High', value: 'high' },
		{ name: 'Low', value: 'low' },
		{ name: 'Medium', value: 'medium' },
		{ name: 'Minimal', value: 'minimal' },
	],
	default: 'low',
	description:
		'How much the model thinks before it answers. For Gemini 3 models. Not every model supports it.',
};
