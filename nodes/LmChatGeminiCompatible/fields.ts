import type { INodeProperties } from 'n8n-workflow';

import { modelField, optionsField } from '../shared/fields/common';
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
	optionsField(
		maxOutputTokensField,
		temperatureField,
		modelThinkingField,
		textTimeoutField,
		topPField,
	),
];
