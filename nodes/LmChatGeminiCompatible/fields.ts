import type { INodeProperties } from 'n8n-workflow';

import { modelField } from '../shared/fields/common';
import {
	maxOutputTokensField,
	modelThinkingField,
	temperatureField,
	textTimeoutField,
	topPField,
} from '../shared/fields/text';

export const chatModelFields: INodeProperties[] = [
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
			maxOutputTokensField,
			temperatureField,
			modelThinkingField,
			textTimeoutField,
			topPField,
		],
	},
];
