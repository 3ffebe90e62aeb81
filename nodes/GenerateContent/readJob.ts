import type { IDataObject } from 'n8n-workflow';

import { checkWords, isSet, type Reader, toPlainText } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { isObject, parseJson, toText } from '../shared/lib/json';
import type { Part } from '../shared/service/textApi';
import { saysSomething, toProtocolNames } from '../shared/text/names';
import { buildRequest, toContents, type Turn } from '../shared/text/request';
import { toSchemaField, whyNotSchema } from '../shared/text/schema';
import {
	ALL_NUMBERS,
	readModel,
	readNumbers,
	readThinking,
	refuseTwoWaysToThink,
} from '../shared/text/settings';
import { checkFiles, readFileUrls, readInputFiles, readTexts } from './files';

/** The question of one item, read and checked. */
export type TextJob = Awaited<ReturnType<typeof readJob>>;

/** Reads and checks one item; everything that can go wrong without the service is refused here. */
export async function readJob(read: Reader, { context, parameters }: Run) {
	const { itemIndex, options } = read;
	checkWords(read, parameters);
	const files = readInputFiles(read);
	const jsonOutput = read.boolean('jsonOutput');
	const given = jsonOutput ? readSchema(read) : undefined;
	const { contents, ...extraFields } = readExtraFields(read);
	const fileUrls = readFileUrls(read);
	const instruction = read.optionalText('systemInstruction');
	const own = {
		...(instruction !== '' && { systemInstruction: { parts: [{ text: instruction }] } }),
		generationConfig: {
			...readGenerationConfig(options),
			...(jsonOutput && { responseMimeType: 'application/json' }),
			...(given && toSchemaField(given)),
		},
		safetySettings: readSafetySettings(read),
		// Each of Gemini's own tools goes in once: `[{googleSearch: {}}]`.
		tools: [...new Set(readTexts(options, 'tools'))].map((name) => ({ [name]: {} })),
		toolConfig: readToolConfig(options),
	};
	const body = buildRequest(
		readQuestion(read, contents, [...files, ...fileUrls]),
		own,
		extraFields,
	);
	const config = (body.generationConfig ?? {}) as IDataObject;
	// Extra Fields may set Thinking Budget, and the options Thinking Level, or the other way round.
	refuseTwoWaysToThink(read, config.thinkingConfig);
	const schema = given ?? config.responseSchema ?? config.responseJsonSchema;
	return {
		itemIndex,
		model: readModel(read),
		/** Refers to files, which are loaded for each request. */
		body,
		mimeTypes: await checkFiles(read, context, body, files),
		jsonOutput,
		/** What the JSON is checked against; `undefined` if no JSON or no schema was asked for. */
		schema: jsonOutput ? schema : undefined,
		reuseAnswers: options.boolean('reuseAnswers'),
		simplify: read.boolean('simplify'),
		binaryProperty: options.optionalText('binaryProperty').trim() || 'data',
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
		/** How many requests run at once; the first item's number counts. */
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

/** Fields of the body that must be lists: any other value would be dropped without a word. */
const LISTS = ['contents', 'safetySettings', 'tools'];

/** Matches the protocol's body fields in snake_case; other names with `_` are a gateway's own. */
const SNAKE_FIELDS =
	/^(cached_content|generation_config|model_armor_config|safety_settings|service_tier|system_instruction|tool_config)$/;

/** Reads Extra Fields, the protocol's own in camelCase; checks the lists and `generationConfig`. */
function readExtraFields({ options }: Reader): IDataObject {
	const label = options.label('extraFields');
	const given = Object.entries(options.object('extraFields'));
	const isForeign = ([name]: [string, unknown]) => name.includes('_') && !SNAKE_FIELDS.test(name);
	const known = Object.fromEntries(given.filter((field) => !isForeign(field)));
	const foreign = Object.fromEntries(given.filter(isForeign));
	const extra: IDataObject = { ...toProtocolNames(known), ...foreign };
	const wrong = LISTS.find((name) => !Array.isArray(extra[name] ?? []));
	if (wrong !== undefined) {
		options.refuse(
			`${wrong} in ${label} must be a list`,
			`Write it as { "${wrong}": [...] }. Nothing was sent for this item.`,
		);
	}
	if (extra.generationConfig === undefined) return extra;
	const config = options.toObject(extra.generationConfig, `generationConfig in ${label}`);
	return { ...extra, generationConfig: toProtocolNames(config) };
}

/** Returns `generationConfig` with only what the person set. */
function readGenerationConfig(options: Reader['options']): IDataObject {
	const chosen = (name: string): IDataObject =>
		options.isSet(name) ? { [name]: options.choice(name) } : {};
	const thinks = options.isSet('includeThoughts');
	const { voice: voiceName } = chosen('voice');
	const config = {
		...readNumbers(options, ALL_NUMBERS),
		stopSequences: readTexts(options, 'stopSequences'),
		responseModalities: readTexts(options, 'responseModalities'),
		thinkingConfig: {
			...(thinks && { includeThoughts: options.boolean('includeThoughts') }),
			...readThinking(options),
		},
		imageConfig: { ...chosen('aspectRatio'), ...chosen('imageSize') },
		speechConfig: voiceName ? { voiceConfig: { prebuiltVoiceConfig: { voiceName } } } : {},
	};
	return Object.fromEntries(Object.entries(config).filter(([, value]) => saysSomething(value)));
}

/** Reads `[{category, threshold}]`; the protocol takes one setting per category. */
function readSafetySettings({ options, refuse }: Reader): IDataObject[] {
	const categories = new Set<string>();
	return options.rows('safetySettings').map((row, i) => {
		const [category, threshold] = ['category', 'threshold'].map((name) =>
			row.isSet(name) ? toText(row.value(name)) : undefined,
		);
		if (category === undefined || threshold === undefined) {
			return refuse(
				`Safety Settings, setting ${i + 1} must have a category and a threshold`,
				'Write both as text, such as HARM_CATEGORY_HARASSMENT and BLOCK_NONE.',
			);
		}
		if (categories.has(category)) {
			refuse(`Safety Settings contains more than one setting for ${category}`);
		}
		categories.add(category);
		return { category, threshold };
	});
}

/** Reads the place that Google Maps searches around. */
function readToolConfig(options: Reader['options']): IDataObject {
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
 * Reads the turns, with the prompt and files in the last one. A question must come from the prompt,
 * from files, or from a conversation that ends with the user.
 *
 * @param contents the first turns, from Extra Fields
 */
function readQuestion(read: Reader, contents: unknown, files: Part[]): Turn[] {
	const prompt = read.optionalText('prompt');
	// The protocol takes a turn without a role as the user's.
	const first = (Array.isArray(contents) ? (contents as unknown[]) : []).map((turn) =>
		isObject(turn) && !isSet(turn.role) ? { ...turn, role: 'user' } : turn,
	);
	const last = read.rows('conversation').map(({ value }) => {
		return { role: value('role'), text: value('text') };
	});
	const turns = [
		...readTurns(read, 'contents in Extra Fields (JSON)', first),
		...readTurns(read, 'Conversation (JSON)', readTurnList(read)),
		...readTurns(read, 'Conversation', last),
	];
	if (prompt !== '' || files.length > 0 || turns.at(-1)?.role === 'user') {
		return toContents(turns, prompt, files);
	}
	return read.refuse(
		turns.length > 0
			? 'Prompt is empty and the conversation ends with a model turn'
			: 'Prompt is empty',
		'Fill in Prompt. If it is an expression, check that the incoming item has the field it refers to. Nothing was sent for this item.',
	);
}

function readTurnList({ options, refuse }: Reader): unknown[] {
	if (!options.isSet('conversationJson')) return [];
	const value = options.value('conversationJson');
	const list = typeof value === 'string' ? parseJson(value) : value;
	if (Array.isArray(list)) return list;
	// A single turn may be the field `content` of an earlier item.
	if (isObject(list) && isSet(list.role)) return [list];
	return refuse(
		'Conversation (JSON) must be a JSON array of turns',
		'Write it as [{ "role": "user", "text": "..." }, { "role": "model", "text": "..." }].',
	);
}

const TEXT_OR_PARTS =
	'A turn has either text or parts, such as { "role": "user", "parts": [{ "text": "..." }] }. Nothing was sent for this item.';

/** Reads turns, each of which has either a text or parts in the protocol's form. */
function readTurns({ refuse }: Reader, label: string, given: unknown[]): Turn[] {
	return given.map((turn, i) => {
		const place = `${label}, turn ${i + 1}`;
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
			return { role, parts: toProtocolNames(parts) as IDataObject[] };
		}
		const words = toPlainText(text) ?? '';
		if (words.trim() !== '') return { role, parts: [{ text: words }] };
		return refuse(`${place} has no text`, 'Fill in its text, or remove the turn.');
	});
}
