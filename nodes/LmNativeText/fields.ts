import type { INodeProperties } from 'n8n-workflow';

import { modelField } from '../shared/fields/model';
import { thinkingBudgetField, thinkingLevelField } from '../shared/fields/thinking';

export const lmNativeTextFields: INodeProperties[] = [
	modelField(
		'searchTextModels',
		'gemini-2.5-flash',
		'The model to generate the answers with. Prices differ between models.',
	),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Max Output Tokens',
				name: 'maxOutputTokens',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 8192,
				description:
					'The maximum number of tokens of one answer, after which it is cut off. Thinking tokens count as well.',
			},
			{
				displayName: 'Temperature',
				name: 'temperature',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
				default: 1,
				description: 'The randomness of the answers: 0 is the least random',
			},
			thinkingBudgetField,
			thinkingLevelField,
			{
				displayName: 'Timeout (Seconds)',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 300,
				description:
					'How long to wait for an answer or, while streaming, for its next part. The service may bill the answer even if it comes too late.',
			},
			{
				displayName: 'Top P',
				name: 'topP',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
				default: 0.95,
				description: 'The share of the most likely words to choose the next one from',
			},
		],
	},
];
