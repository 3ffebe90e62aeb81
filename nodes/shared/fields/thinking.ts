import type { INodeProperties } from 'n8n-workflow';

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
