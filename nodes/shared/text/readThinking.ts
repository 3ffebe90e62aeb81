import type { IDataObject } from 'n8n-workflow';

import type { Reader } from '../item/reader';
import { isObject } from '../lib/json';

/** How much the model thinks, as fields of `thinkingConfig`; empty where nobody has set it. */
export function readThinking(options: Reader['options']): IDataObject {
	const thinkingBudget = options.number('thinkingBudget', { min: -1, whole: true });
	return {
		...(thinkingBudget !== undefined && { thinkingBudget }),
		...(options.isSet('thinkingLevel') && { thinkingLevel: options.choice('thinkingLevel') }),
	};
}

/** The protocol takes one of the two. */
export function refuseTwoWaysToThink({ refuse }: Reader, thinkingConfig: unknown): void {
	const isSet = (name: string) => isObject(thinkingConfig) && Object.hasOwn(thinkingConfig, name);
	if (!isSet('thinkingBudget') || !isSet('thinkingLevel')) return;
	refuse(
		'Thinking Budget and Thinking Level cannot be used together',
		'Use Thinking Level for Gemini 3 models, and Thinking Budget for older ones.',
	);
}
