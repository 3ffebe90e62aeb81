import type { IDataObject } from 'n8n-workflow';

import { checkWords, isSet, type Reader, toPlainText } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import type { Job } from '../shared/item/runItems';
import { isObject, parseJson, toText } from '../shared/lib/json';
import { spellFields } from '../shared/text/names';
import { mergeFields, type TextWish, type Turn } from '../shared/text/request';
import { whyNotSchema } from '../shared/text/schema';
import { toSchemaField } from '../shared/text/schemaField';
import {
	ALL_NUMBERS,
	readModel,
	readNumbers,
	readThinking,
	refuseTwoWaysToThink,
} from '../shared/text/settings';
import {
	type InputFile,
	readFileUrls,
	readInputFiles,
	readRows,
	readTexts,
	readTurnFiles,
} from './files';

/** The question of one item, read and checked. */
export interface TextJob extends Job {
	model: string;
	wish: TextWish;
	files: InputFile[];
	/** Files that earlier turns refer to. */
	turnFiles: InputFile[];
	jsonOutput: boolean;
	/** The JSON is checked against it; `undefined` if nothing says what the JSON must be. */
	schema: unknown;
	/** Whether words may go out before the answer is whole. */
	streamResponse: boolean;
	/** Whether the answer of an earlier try is used again. */
	reuseAnswers: boolean;
	simplify: boolean;
	binaryProperty: string;
	timeoutMs: number;
	/** How many requests run at once. The node has one number, so the first job's value counts. */
	concurrency: number;
}

/** Reads and checks one item; everything that can go wrong without the service is refused here. */
export async function readJob(read: Reader, { context, parameters }: Run): Promise<TextJob> {
	const { itemIndex, options } = read;
	checkWords(read, parameters);
	const files = await readInputFiles(read, context);
	const jsonOutput = read.boolean('jsonOutput');
	const given = jsonOutput ? readSchema(read) : undefined;
	const { contents, ...extraFields } = readExtraFields(read);
	const fileUrls = readFileUrls(read);
	const generationConfig = {
		...readGenerationConfig(read),
		...(jsonOutput && { responseMimeType: 'application/json' }),
		...(given && toSchemaField(given)),
	};
	const config = mergeFields((extraFields.generationConfig ?? {}) as IDataObject, generationConfig);
	// Extra Fields may set one of them, and the options the other.
	refuseTwoWaysToThink(read, config.thinkingConfig);
	const wish: TextWish = {
		...readQuestion(read, contents, files.length + fileUrls.length > 0),
		systemInstruction: read.optionalText('systemInstruction'),
		fileUrls,
		generationConfig,
		safetySettings: readSafetySettings(read),
		// Each of Gemini's own tools goes in once: `[{googleSearch: {}}]`.
		tools: [...new Set(readTexts(options, 'tools'))].map((name) => ({ [name]: {} })),
		toolConfig: readToolConfig(read),
		extraFields,
	};
	const schema = given ?? config.responseSchema ?? config.responseJsonSchema;
	return {
		itemIndex,
		model: readModel(read),
		wish,
		schema: jsonOutput ? schema : undefined,
		files,
		turnFiles: await readTurnFiles(read, context, wish.turns, files),
		jsonOutput,
		streamResponse: read.boolean('streamResponse'),
		reuseAnswers: options.boolean('reuseAnswers'),
		simplify: read.boolean('simplify'),
		binaryProperty: options.optionalText('binaryProperty').trim() || 'data',
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
		concurrency: Math.max(1, Math.floor(options.numberOrDefault('concurrency', { above: 0 }))),
	};
}

const NOT_AN_EXAMPLE =
	'It must be a description of the JSON, such as { "type": "object", "properties": { "city": { "type": "string" } } }, not an example of it. Nothing was sent for this item.';

/** Returns the JSON Schema of the answer; `undefined` if it says nothing: unset, `{}` or `true`. */
function readSchema({ isSet: isGiven, value, refuse }: Reader): IDataObject | undefined {
	if (!isGiven('jsonSchema')) return undefined;
	let schema = value('jsonSchema');
	try {
		if (typeof schema === 'string') schema = schema.trim() === '' ? {} : JSON.parse(schema);
	} catch (error) {
		return refuse('JSON Schema is not valid JSON', (error as Error).message);
	}
	if (schema === true || (isObject(schema) && Object.keys(schema).length === 0)) return undefined;
	const why = schema === false ? 'false allows no answer at all' : whyNotSchema(schema);
	if (why === undefined) return schema as IDataObject;
	return refuse(`JSON Schema is not a valid schema: ${why}`, NOT_AN_EXAMPLE);
}

/** Fields of the body that are lists; any other value there would be ambiguous. */
const LISTS = ['contents', 'safetySettings', 'tools'];

/** Reads further fields of the body, in the protocol's spelling; checks those that are merged. */
function readExtraFields({ options }: Reader): IDataObject {
	const label = options.label('extraFields');
	const extra = spellFields(options.object('extraFields')) as IDataObject;
	for (const name of LISTS) {
		const value = extra[name];
		if (value === undefined || value === null || Array.isArray(value)) continue;
		options.refuse(
			`${name} in ${label} must be a list`,
			`Write it as { "${name}": [...] }. Nothing was sent for this item.`,
		);
	}
	if (extra.generationConfig === undefined) return extra;
	const config = options.toObject(extra.generationConfig, `generationConfig in ${label}`);
	return { ...extra, generationConfig: spellFields(config) as IDataObject };
}

/** Returns `generationConfig` with only what the person set. */
function readGenerationConfig({ options }: Reader): IDataObject {
	const choices = (names: string[]): IDataObject =>
		Object.fromEntries(
			names.filter((name) => options.isSet(name)).map((name) => [name, options.choice(name)]),
		);
	const { voice } = choices(['voice']);
	const config: IDataObject = {
		...readNumbers(options, ALL_NUMBERS),
		stopSequences: readTexts(options, 'stopSequences'),
		responseModalities: readTexts(options, 'responseModalities'),
		thinkingConfig: {
			...(options.isSet('includeThoughts') && {
				includeThoughts: options.boolean('includeThoughts'),
			}),
			...readThinking(options),
		},
		imageConfig: choices(['aspectRatio', 'imageSize']),
		speechConfig: voice ? { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } } : {},
	};
	const isEmpty = (value: unknown) =>
		typeof value === 'object' && Object.keys(value ?? {}).length === 0;
	return Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)));
}

/** Reads `[{category, threshold}]`; the protocol takes one setting per category. */
function readSafetySettings({ options, refuse }: Reader): IDataObject[] {
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

/** Reads the place that Google Maps searches around. */
function readToolConfig({ options }: Reader): IDataObject {
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

/**
 * Reads the prompt and the turns before it. A question must come from the prompt, from files, or
 * from a conversation that ends with the user.
 *
 * @param contents the first turns, from Extra Fields
 */
function readQuestion(
	read: Reader,
	contents: unknown,
	hasFiles: boolean,
): Pick<TextWish, 'prompt' | 'turns'> {
	const prompt = read.optionalText('prompt');
	const all: Array<[place: string, turns: unknown[]]> = [
		['contents in Extra Fields (JSON)', toTurnsOfProtocol(contents)],
		['Conversation (JSON)', readTurnList(read)],
		['Conversation', readRows(read, 'conversation', 'turns')],
	];
	const turns = all.flatMap(([place, given]) =>
		given.map((turn, i) => readTurn(read, turn, `${place}, turn ${i + 1}`)),
	);
	if (prompt !== '' || hasFiles || turns.at(-1)?.role === 'user') return { prompt, turns };
	return read.refuse(
		turns.length > 0
			? 'Prompt is empty and the conversation ends with a model turn'
			: 'Prompt is empty',
		'Fill in Prompt. If it is an expression, check that the incoming item has the field it refers to. Nothing was sent for this item.',
	);
}

/** Returns the turns in `contents`. The protocol takes a turn without a role as the user's. */
const toTurnsOfProtocol = (contents: unknown) =>
	(Array.isArray(contents) ? (contents as unknown[]) : []).map((turn) =>
		isObject(turn) && !isSet(turn.role) ? { ...turn, role: 'user' } : turn,
	);

function readTurnList({ options, refuse }: Reader): unknown[] {
	if (!options.isSet('conversationJson')) return [];
	const value = options.value('conversationJson');
	const list = typeof value === 'string' ? parseJson(value) : value;
	if (Array.isArray(list)) return list;
	// This may be the field `content` of an earlier item.
	if (isObject(list) && isSet(list.role)) return [list];
	return refuse(
		'Conversation (JSON) must be a JSON array of turns',
		'Write it as [{ "role": "user", "text": "..." }, { "role": "model", "text": "..." }].',
	);
}

const TEXT_OR_PARTS =
	'A turn has either text or parts, such as { "role": "user", "parts": [{ "text": "..." }] }. Nothing was sent for this item.';

/** Reads a turn that has either a text or parts in the protocol's form. */
function readTurn({ refuse }: Reader, turn: unknown, place: string): Turn {
	const { role, text, parts } = isObject(turn) ? turn : ({} as IDataObject);
	if (role !== 'user' && role !== 'model') {
		return refuse(
			`${place} has the unknown role "${toPlainText(role) ?? ''}"`,
			'The role must be user or model. Put instructions for the model into System Instruction.',
		);
	}
	if (Array.isArray(parts) && parts.length > 0) {
		if (isSet(text)) refuse(`${place} has text beside its parts`, TEXT_OR_PARTS);
		if (!parts.every(isObject)) refuse(`${place} has a part that is no object`, TEXT_OR_PARTS);
		return { role, parts: spellFields(parts) as IDataObject[] };
	}
	const words = toPlainText(text) ?? '';
	if (words.trim() !== '') return { role, parts: [{ text: words }] };
	return refuse(`${place} has no text`, 'Fill in its text, or remove the turn.');
}
