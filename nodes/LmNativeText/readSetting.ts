import type { IDataObject } from 'n8n-workflow';

import type { NumberRange } from '../shared/item/numberRange';
import type { Reader } from '../shared/item/reader';
import { readModel } from '../shared/text/readModel';
import type { ModelSetting } from './modelSetting';

const NUMBER_FIELDS: Record<string, NumberRange> = {
	maxOutputTokens: { min: 1, whole: true },
	temperature: { min: 0, max: 2 },
	topP: { min: 0, max: 1 },
};

/** What a person set; nothing that was not set is sent. */
export function readSetting(
	read: Reader,
): Pick<ModelSetting, 'model' | 'generationConfig' | 'timeoutMs'> {
	const { options } = read;
	const numbers = Object.entries(NUMBER_FIELDS)
		.filter(([name]) => options.isSet(name))
		.map(([name, range]) => [name, options.number(name, range)]);
	const thinkingConfig = readThinking(options);
	return {
		model: readModel(read),
		generationConfig: {
			...(Object.fromEntries(numbers) as IDataObject),
			...(thinkingConfig && { thinkingConfig }),
		},
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
	};
}

function readThinking(options: Reader): IDataObject | undefined {
	const withBudget = options.isSet('thinkingBudget');
	const withLevel = options.isSet('thinkingLevel');
	if (withBudget && withLevel) {
		options.refuse(
			'Thinking Budget and Thinking Level cannot be used together',
			'Use Thinking Level for Gemini 3 models, and Thinking Budget for older ones.',
		);
	}
	if (withLevel) return { thinkingLevel: options.choice('thinkingLevel') };
	if (!withBudget) return undefined;
	return { thinkingBudget: options.number('thinkingBudget', { min: -1, whole: true }) };
}
