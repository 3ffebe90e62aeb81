import type { IDataObject } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { isObject, toText } from '../shared/lib/json';
import { ALL_NUMBERS, readNumbers, readThinking } from '../shared/text/settings';
import { readRows, readTexts } from './readLists';

/** `generationConfig` with what the person set and nothing else. */
export function readGenerationConfig({ options }: Reader): IDataObject {
	const stopSequences = readTexts(options, 'stopSequences');
	const responseModalities = readTexts(options, 'responseModalities');
	const nested = {
		thinkingConfig: {
			...(options.isSet('includeThoughts') && {
				includeThoughts: options.boolean('includeThoughts'),
			}),
			...readThinking(options),
		},
		imageConfig: readChoices(options, ['aspectRatio', 'imageSize']),
		speechConfig: readSpeech(options),
	};
	return {
		...readNumbers(options, ALL_NUMBERS),
		...(stopSequences.length > 0 && { stopSequences }),
		...(responseModalities.length > 0 && { responseModalities }),
		...withoutEmpty(nested),
	};
}

const withoutEmpty = (fields: Record<string, IDataObject>): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, inner]) => Object.keys(inner).length > 0));

const readChoices = (options: Reader, names: string[]): IDataObject =>
	Object.fromEntries(
		names.filter((name) => options.isSet(name)).map((name) => [name, options.choice(name)]),
	);

function readSpeech(options: Reader): IDataObject {
	if (!options.isSet('voice')) return {};
	return { voiceConfig: { prebuiltVoiceConfig: { voiceName: options.choice('voice') } } };
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

/** Gemini's own tools: `[{googleSearch: {}}]` and the like, each once. */
export const readBuiltInTools = ({ options }: Reader): IDataObject[] =>
	[...new Set(readTexts(options, 'tools'))].map((name) => ({ [name]: {} }));

/** Where Google Maps searches. */
export function readToolConfig({ options }: Reader): IDataObject {
	const latitude = options.number('latitude', { min: -90, max: 90 });
	const longitude = options.number('longitude', { min: -180, max: 180 });
	if (latitude === undefined && longitude === undefined) return {};
	if (latitude !== undefined && longitude !== undefined) {
		return { retrievalConfig: { latLng: { latitude, longitude } } };
	}
	return options.refuse(
		'Location Latitude and Location Longitude must be set together',
		'Add the other one, or remove both. Nothing was sent for this item.',
	);
}
