import type { INodeProperties } from 'n8n-workflow';

import { safetySettingsField } from './safetyFields';

const NOT_EVERYWHERE = 'Not every model honours it.';

/** In the order of their display names, as n8n sorts collections. */
export const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Batch Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: 5,
			description:
				'How many requests to the service may be under way at once. The value of the first item counts.',
		},
		{
			displayName: 'Built-in Tools',
			name: 'tools',
			type: 'multiOptions',
			options: [
				{
					name: 'Code Execution',
					value: 'codeExecution',
					description: 'The model may write and run code',
				},
				{
					name: 'Google Search',
					value: 'googleSearch',
					description: 'The model may search the web',
				},
				{
					name: 'URL Context',
					value: 'urlContext',
					description: 'The model may read the web pages that the prompt names',
				},
			],
			default: [],
			description: `Tools that run at the service. They may be billed extra. ${NOT_EVERYWHERE}`,
		},
		{
			displayName: 'Candidate Count',
			name: 'candidateCount',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 8 },
			default: 1,
			description: `How many answers to give. All are in the field candidates, and billed. ${NOT_EVERYWHERE}`,
		},
		{
			displayName: 'Conversation (JSON)',
			name: 'conversationJson',
			type: 'json',
			default: '[]',
			placeholder: 'e.g. [{ "role": "user", "text": "Hello" }, { "role": "model", "text": "Hi" }]',
			description:
				'Earlier turns as a list, for conversations that come from an expression. They stand before those of Conversation.',
		},
		{
			displayName: 'Extra Fields (JSON)',
			name: 'extraFields',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "generationConfig": { "mediaResolution": "MEDIA_RESOLUTION_LOW" } }',
			description:
				'Further fields of the request body, in the spelling of the protocol. They never replace what is set elsewhere. Fields that the service does not know are dropped in silence.',
		},
		{
			displayName: 'Frequency Penalty',
			name: 'frequencyPenalty',
			type: 'number',
			typeOptions: { minValue: -2, maxValue: 2, numberPrecision: 2 },
			default: 0,
			description:
				'Above 0, words become less likely the more often they were used. Not every model honours it.',
		},
		{
			displayName: 'Max Output Tokens',
			name: 'maxOutputTokens',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 8192,
			description: 'Where the answer is cut off. Thoughts of the model count, too.',
		},
		{
			displayName: 'Output Binary Field',
			name: 'binaryProperty',
			type: 'string',
			default: 'data',
			description:
				'The name of the output binary field for an image that the model makes. Further images get _1, _2 behind it.',
		},
		{
			displayName: 'Presence Penalty',
			name: 'presencePenalty',
			type: 'number',
			typeOptions: { minValue: -2, maxValue: 2, numberPrecision: 2 },
			default: 0,
			description: 'Above 0, words that were used become less likely. Not every model honours it.',
		},
		{
			displayName: 'Response Modalities',
			name: 'responseModalities',
			type: 'multiOptions',
			options: [
				{ name: 'Audio', value: 'AUDIO' },
				{ name: 'Image', value: 'IMAGE' },
				{ name: 'Text', value: 'TEXT' },
			],
			default: ['TEXT'],
			description: 'What the answer may hold, for models that make more than text',
		},
		safetySettingsField,
		{
			displayName: 'Seed',
			name: 'seed',
			type: 'number',
			default: 0,
			description: 'The same seed and prompt give a similar answer',
		},
		{
			displayName: 'Stop Sequences',
			name: 'stopSequences',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Stop Sequence' },
			default: [],
			placeholder: 'e.g. END',
			description: 'Texts at which the answer ends. They are not part of it.',
		},
		{
			displayName: 'Temperature',
			name: 'temperature',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
			default: 1,
			description: 'How much the answer is left to chance: 0 is the least',
		},
		{
			displayName: 'Thinking Budget',
			name: 'thinkingBudget',
			type: 'number',
			typeOptions: { minValue: -1 },
			default: -1,
			description: `How many tokens the model may think: -1 leaves it to the model, 0 is none. Gemini 2.5 models. ${NOT_EVERYWHERE}`,
		},
		{
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
			description: `How hard the model thinks. Gemini 3 models. ${NOT_EVERYWHERE}`,
		},
		{
			displayName: 'Timeout (Seconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 300,
			description:
				'How long to wait for an answer; while streaming, for its next piece. The service may bill an answer that nobody waits for.',
		},
		{
			displayName: 'Top K',
			name: 'topK',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 40,
			description:
				'From how many of the likeliest words the next one is taken. Not every model honours it.',
		},
		{
			displayName: 'Top P',
			name: 'topP',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
			default: 0.95,
			description: 'From which share of the likeliest words the next one is taken',
		},
	],
};
