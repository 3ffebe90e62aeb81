import type { IDataObject } from 'n8n-workflow';

import type { NumberRange, Reader } from '../item/reader';

/** Options that are fields of `generationConfig`, and what the protocol takes in them. */
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

/** Those of `names` that the person set. */
export const readNumbers = (options: Reader['options'], names: readonly Name[]): IDataObject =>
	Object.fromEntries(
		names
			.filter((name) => options.isSet(name))
			.map((name) => [name, options.number(name, RANGES[name])]),
	);
