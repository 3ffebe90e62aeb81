import type { IDataObject } from 'n8n-workflow';

import type { NumberRange, Reader } from '../shared/item/reader';
import { isObject, toText } from '../shared/lib/json';
import { readRows, readTexts } from './readLists';

/** Options that are fields of `generationConfig`, and what the protocol takes in them. */
const NUMBER_FIELDS: Record<string, NumberRange> = {
	candidateCount: { min: 1, whole: true },
	frequencyPenalty: { min: -2, max: 2 },
	maxOutputTokens: { min: 1, whole: true },
	presencePenalty: { min: -2, max: 2 },
	seed: { min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
	temperature: { min: 0, max: 2 },
	topK: { min: 1, whole: true },
	topP: { min: 0, max: 1 },
};

/** `generationConfig` with what the person set and nothing else. */
export function readGenerationConfig({ options }: Reader): IDataObject {
	const numbers = Object.entries(NUMBER_FIELDS)
		.filter(([name]) => options.isSet(name))
		.map(([name, range]) => [name, options.number(name, range)]);
	const stopSequences = readTexts(options, 'stopSequences');
	const responseModalities = readTexts(options, 'responseModalities');
	const thinkingConfig = readThinking(options);
	return {
		...(Object.fromEntries(numbers) as IDataObject),
		...(stopSequences.length > 0 && { stopSequences }),
		...(responseModalities.length > 0 && { responseModalities }),
		...(Object.keys(thinkingConfig).length > 0 && { thinkingConfig }),
	};
}

function readThinking(options: Reader): IDataObject {
	const withBudget = options.isSet('thinkingBudget');
	const withLevel = options.isSet('thinkingLevel');
	if (withBudget && withLevel) {
		options.refuse(
			'Thinking Budget and Thinking Level cannot be used together',
			'Use Thinking Level for Gemini 3 models, and Thinking Budget for older ones.',
		);
	}
	if (withLevel) return { thinkingLevel: options.choice('thinkingLevel') };
	if (!withBudget) return {};
	return { thinkingBudget: options.number('thinkingBudget', { min: -1, whole: true }) };
}

/** `[{category, threshold}]`; the protocol takes one setting for a category. */
export function readSafetySettings({ options, refuse }: Reader): IDataObject[] {
	const settings = readRows(options, 'safetySettings', 'settings').map((row, i) => {
		const { category, threshold } = isObject(row) ? row : ({} as IDataObject);
		if (toText(category) && toText(threshold)) return { category, threshold };
		return refuse(
			`Safety Settings, setting ${i + 1} must have a category and a threshold`,
			'Write both as text, such as HARM_CATEGORY_HARASSMENT and BLOCK_NONE.',
		);
	});
	const categories = settings.map(({ category }) => category);
	const twice = categories.find((category, i) => categories.indexOf(category) !== i);
	if (twice !== undefined)
		refuse(`Safety Settings contains more than one setting for ${String(twice)}`);
	return settings;
}

/** Gemini's own tools: `[{googleSearch: {}}]` and the like. */
export const readBuiltInTools = ({ options }: Reader): IDataObject[] =>
	readTexts(options, 'tools').map((name) => ({ [name]: {} }));

/** Gateways drop these in silence, though the vendor itself reads both spellings. */
const SNAKE_CASE: Record<string, string> = {
	cached_content: 'cachedContent',
	file_data: 'fileData',
	function_call: 'functionCall',
	function_response: 'functionResponse',
	generation_config: 'generationConfig',
	safety_settings: 'safetySettings',
	thought_signature: 'thoughtSignature',
	tool_config: 'toolConfig',
};

export function refuseSnakeCase(
	fields: IDataObject,
	place: string,
	refuse: Reader['refuse'],
): void {
	const dropped = Object.keys(fields).find((name) => Object.hasOwn(SNAKE_CASE, name));
	if (dropped === undefined) return;
	refuse(
		`"${dropped}" in ${place} would be dropped on the way to the model`,
		`Write it as "${SNAKE_CASE[dropped]}". Nothing was sent for this item.`,
	);
}

/** Further fields of the body; `generationConfig` in it is merged, so it must be an object. */
export function readExtraFields({ options }: Reader): IDataObject {
	const extra = options.object('extraFields');
	refuseSnakeCase(extra, options.label('extraFields'), options.refuse);
	if (extra.generationConfig === undefined) return extra;
	const label = `generationConfig in ${options.label('extraFields')}`;
	return { ...extra, generationConfig: options.toObject(extra.generationConfig, label) };
}
