import type { IDataObject } from 'n8n-workflow';

import type { NumberRange, Reader } from '../item/reader';
import { isObject } from '../lib/json';

/** Returns the model's name without the `models/` of model lists, because the path has its own. */
export function readModel(read: Reader): string {
	const model = read.text('model').replace(/^models\/+/, '');
	return model === '' ? read.refuse('Model is empty') : model;
}

/** The options that are numbers of `generationConfig`, each with its range in the protocol. */
const RANGES = {
	candidateCount: { min: 1, whole: true },
	frequencyPenalty: { min: -2, max: 2 },
	maxOutputTokens: { min: 1, whole: true },
	presencePenalty: { min: -2, max: 2 },
	seed: { min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
	temperature: { min: 0, max: 2 },
	topK: { min: 1, whole: true },
	topP: { min: 0, max: 1 },
} satisfies Record<string, NumberRange>;

type Name = keyof typeof RANGES;

export const ALL_NUMBERS = Object.keys(RANGES) as Name[];

/** Returns the options in `names` as fields of `generationConfig`, without what nobody set. */
export const readNumbers = (options: Reader['options'], names: readonly Name[]): IDataObject =>
	Object.fromEntries(
		names
			.filter((name) => options.isSet(name))
			.map((name) => [name, options.number(name, RANGES[name])]),
	);

/** Returns Thinking Budget and Level as fields of `thinkingConfig`, without what nobody set. */
export function readThinking(options: Reader['options']): IDataObject {
	const thinkingBudget = options.number('thinkingBudget', { min: -1, whole: true });
	return {
		...(thinkingBudget !== undefined && { thinkingBudget }),
		...(options.isSet('thinkingLevel') && { thinkingLevel: options.choice('thinkingLevel') }),
	};
}

/** Refuses an item with both Thinking Budget and Thinking Level: the protocol takes only one. */
export function refuseTwoWaysToThink({ refuse }: Reader, thinkingConfig: unknown): void {
	const isSet = (name: string) => isObject(thinkingConfig) && Object.hasOwn(thinkingConfig, name);
	if (!isSet('thinkingBudget') || !isSet('thinkingLevel')) return;
	refuse(
		'Thinking Budget and Thinking Level cannot be used together',
		'Use Thinking Level for Gemini 3 models, and Thinking Budget for older ones.',
	);
}
