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
