import type { IDataObject } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { readModel } from '../shared/text/readModel';
import { readNumbers } from '../shared/text/readNumbers';
import type { ModelSetting } from './modelSetting';

/** What a person set; nothing that was not set is sent. */
export function readSetting(
	read: Reader,
): Pick<ModelSetting, 'model' | 'generationConfig' | 'timeoutMs'> {
	const { options } = read;
	const thinkingConfig = readThinking(options);
	return {
		model: readModel(read),
		generationConfig: {
			...readNumbers(options, ['maxOutputTokens', 'temperature', 'topP']),
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
