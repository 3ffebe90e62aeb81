import type { IDataObject } from 'n8n-workflow';

import type { NumberRange, Reader } from '../item/reader';

/** Returns the model's name without the `models/` of model lists, because the path has its own. */
export function readModel(read: Reader): string {
	const model = read.text('model').replace(/^models\/+/, '');
	return model === '' ? read.refuse('Model is empty') : model;
}

/** The options that are numbers of `generationConfig`, each with its range in the protocol. */
const RANGES = {
	maxOutputTokens: { min: 1, whole: true },
	seed: { min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
	temperature: { min: 0, max: 2 },
	topP: { min: 0, max: 1 },
} satisfies Record<string, NumberRange>;

type Name = keyof typeof RANGES;

export const NUMBERS = Object.keys(RANGES) as Name[];

export const readNumbers = (options: Reader['options'], names: readonly Name[]): IDataObject =>
	Object.fromEntries(
		names
			.filter((name) => options.isSet(name))
			.map((name) => [name, options.number(name, RANGES[name])]),
	);

export function readThinking(options: Reader['options']): IDataObject {
	const thinking = options.group('thinking');
	const thinkingBudget = thinking.number('budget', { min: -1, whole: true });
	return {
		...(thinkingBudget !== undefined && { thinkingBudget }),
		...(thinking.isSet('level') && { thinkingLevel: thinking.choice('level') }),
	};
}
