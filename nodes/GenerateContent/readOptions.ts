import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isSet, jsonObjectOption, throwInput } from '../shared/item/parameters';

interface NumberField {
	name: string;
	label: string;
	min: number;
	max?: number;
	whole?: boolean;
}

/** Options that are fields of `generationConfig`, and what the protocol takes in them. */
const NUMBER_FIELDS: NumberField[] = [
	{ name: 'candidateCount', label: 'Candidate Count', min: 1, whole: true },
	{ name: 'frequencyPenalty', label: 'Frequency Penalty', min: -2, max: 2 },
	{ name: 'maxOutputTokens', label: 'Max Output Tokens', min: 1, whole: true },
	{ name: 'presencePenalty', label: 'Presence Penalty', min: -2, max: 2 },
	{ name: 'seed', label: 'Seed', min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
	{ name: 'temperature', label: 'Temperature', min: 0, max: 2 },
	{ name: 'topK', label: 'Top K', min: 1, whole: true },
	{ name: 'topP', label: 'Top P', min: 0, max: 1 },
];

const THINKING_BUDGET: NumberField = {
	name: 'thinkingBudget',
	label: 'Thinking Budget',
	min: -1,
	whole: true,
};

/** `generationConfig` with what the person set and nothing else. */
export function readGenerationConfig(
	context: IExecuteFunctions,
	itemIndex: number,
	options: IDataObject,
): IDataObject {
	const number = (field: NumberField) => readNumber(context, itemIndex, options[field.name], field);
	const set = NUMBER_FIELDS.filter(({ name }) => isSet(options[name]));
	const stopSequences = toTexts(options.stopSequences);
	const responseModalities = toTexts(options.responseModalities);
	const thinkingConfig: IDataObject = {};
	if (isSet(options.thinkingBudget)) thinkingConfig.thinkingBudget = number(THINKING_BUDGET);
	if (isSet(options.thinkingLevel)) thinkingConfig.thinkingLevel = String(options.thinkingLevel);
	if (Object.keys(thinkingConfig).length > 1) {
		throwInput(
			context,
			itemIndex,
			'Thinking Budget and Thinking Level exclude each other',
			'Keep Thinking Level for Gemini 3 models and Thinking Budget for older ones.',
		);
	}
	return {
		...Object.fromEntries(set.map((field) => [field.name, number(field)])),
		...(stopSequences.length > 0 && { stopSequences }),
		...(responseModalities.length > 0 && { responseModalities }),
		...(Object.keys(thinkingConfig).length > 0 && { thinkingConfig }),
	};
}

function readNumber(
	context: IExecuteFunctions,
	itemIndex: number,
	value: unknown,
	{ label, min, max = Infinity, whole = false }: NumberField,
): number {
	const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
	const fits = number >= min && number <= max && (!whole || Number.isInteger(number));
	if (fits && Number.isFinite(number)) return number;
	const kind = whole ? 'a whole number' : 'a number';
	const range = max === Infinity ? `${min} or more` : `from ${min} to ${max}`;
	return throwInput(context, itemIndex, `${label} must be ${kind}, ${range}`);
}

/** A list of texts, or a single one; empty ones are left out. */
function toTexts(value: unknown): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	return entries.filter((entry) => isSet(entry)).map(String);
}

/** `[{category, threshold}]`; the protocol takes one setting for a category. */
export function readSafetySettings(
	context: IExecuteFunctions,
	itemIndex: number,
	{ safetySettings }: IDataObject,
): IDataObject[] {
	const { settings = [] } = (safetySettings ?? {}) as { settings?: IDataObject[] };
	const categories = settings.map(({ category }) => category);
	const twice = categories.find((category, i) => categories.indexOf(category) !== i);
	if (twice !== undefined) {
		throwInput(context, itemIndex, `Safety Settings have two settings for ${String(twice)}`);
	}
	return settings.map(({ category, threshold }) => ({ category, threshold }));
}

/** `[{googleSearch: {}}]` and the like. */
export const readTools = ({ tools }: IDataObject): IDataObject[] =>
	toTexts(tools).map((name) => ({ [name]: {} }));

/** Further fields of the body; `generationConfig` in it is merged, so it must be an object. */
export function readExtraFields(
	context: IExecuteFunctions,
	itemIndex: number,
	options: IDataObject,
): IDataObject {
	const extra = jsonObjectOption(context, itemIndex, options.extraFields, 'Extra Fields');
	if (extra.generationConfig === undefined) return extra;
	const label = 'generationConfig in Extra Fields';
	return {
		...extra,
		generationConfig: jsonObjectOption(context, itemIndex, extra.generationConfig, label),
	};
}
