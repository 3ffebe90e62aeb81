import type { IDataObject } from 'n8n-workflow';

import {
	CHECK_EXPRESSION,
	checkWords,
	isSet,
	readCarried,
	type Reader,
	toPlainText,
} from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { isObject, parseJson, toObject } from '../shared/lib/json';
import type { Part } from '../shared/service/textApi';
import { onlyFilled, toProtocolNames } from '../shared/text/names';
import { buildRequest, toContents, type Turn } from '../shared/text/request';
import { findBreak, schemaOf, toSchemaField, whyNotSchema } from '../shared/text/schema';
import { NUMBERS, readModel, readNumbers, readThinking } from '../shared/text/settings';
import { checkFiles, readFileUrls, readInputFiles, UNSENT } from './files';

/** The question of one item, read and checked. */
export type TextJob = Awaited<ReturnType<typeof readJob>>;

/** Reads and checks one item; everything that can go wrong without the service is refused here. */
export async function readJob(read: Reader, { context, parameters }: Run) {
	const { itemIndex, options } = read;
	checkWords(read, 'prompt', parameters);
	const files = readInputFiles(read);
	const { contents, ...additionalFields } = readAdditionalFields(read);
	const fileUrls = readFileUrls(read);
	const instruction = read.optionalText('systemInstruction');
	const format = read.choice('outputFormat');
	const wantsJson = format === 'json';
	const own = {
		...(instruction !== '' && { systemInstruction: { parts: [{ text: instruction }] } }),
		generationConfig: { ...readGenerationConfig(options), ...readFormat(read) },
		safetySettings: readSafetySettings(read),
		// Each of Gemini's own tools goes in once: `[{googleSearch: {}}]`.
		tools: [...new Set(options.texts('builtInTools'))].map((name) => ({ [name]: {} })),
		toolConfig: readToolConfig(options),
	};
	const body = buildRequest(
		readQuestion(read, contents, [...files, ...fileUrls]),
		own,
		additionalFields,
	);
	const { responseSchema, responseJsonSchema } = toObject(body.generationConfig);
	return {
		itemIndex,
		model: readModel(read),
		/** Refers to files, which are loaded for each request. */
		body,
		mimeTypes: await checkFiles(read, context, body, files),
		wantsJson,
		/** Whether the answer must bring a file. */
		wantsFile: format === 'image' || format === 'audio',
		/** What the JSON is checked against; `undefined` if no JSON or no schema was asked for. */
		schema: wantsJson ? (responseSchema ?? responseJsonSchema) : undefined,
		rawResponse: options.boolean('rawResponse'),
		carried: readCarried(read),
		binaryProperty: options.optionalText('binaryProperty').trim() || 'data',
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
	};
}

/** Returns what Output Format and the fields below it set in `generationConfig`. */
function readFormat(read: Reader): IDataObject {
	const chosen = (name: string) => (read.isSet(name) ? { [name]: read.choice(name) } : {});
	switch (read.choice('outputFormat')) {
		case 'json': {
			const schema = readSchema(read);
			return { responseMimeType: 'application/json', ...(schema && toSchemaField(schema)) };
		}
		case 'image': {
			const imageConfig = { ...chosen('aspectRatio'), ...chosen('imageSize') };
			// Some models that generate images refuse to do so without text.
			return { responseModalities: ['TEXT', 'IMAGE'], ...onlyFilled({ imageConfig }) };
		}
		case 'audio': {
			const { voice: voiceName } = chosen('voice');
			const voiceConfig = voiceName && { prebuiltVoiceConfig: { voiceName } };
			return {
				responseModalities: ['AUDIO'],
				...(voiceConfig && { speechConfig: { voiceConfig } }),
			};
		}
	}
	return {};
}

const NO_SCHEMA = `To give an example of the JSON instead, set Schema Type to Generate From JSON Example. ${UNSENT}`;
const NO_NULL = `Write a value of the type you want. ${UNSENT}`;
const IS_SCHEMA = `Set Schema Type to Define Using JSON Schema. ${UNSENT}`;
const NOT_ALIKE = `Every element must be like the first one. For several types, set Schema Type to Define Using JSON Schema. ${UNSENT}`;

/** Returns the JSON Schema of the answer; `undefined` if it says nothing: unset, `{}` or `true`. */
function readSchema(read: Reader): IDataObject | undefined {
	const isExample = read.choice('schemaType') === 'fromJson';
	const name = isExample ? 'jsonSchemaExample' : 'jsonSchema';
	const label = read.label(name);
	const given = read.json(name);
	if (isObject(given) && Object.keys(given).length === 0) return undefined;
	if (isExample) return readExample(read, label, given);
	if (given === true) return undefined;
	const why = given === false ? 'false allows no answer at all' : whyNotSchema(given);
	if (why === undefined) return given as IDataObject;
	return read.refuse(`${label} is not a valid schema: ${why}`, NO_SCHEMA);
}

/** Returns the schema of an example, if the example itself fits it. */
function readExample({ refuse }: Reader, label: string, example: unknown): IDataObject {
	const { type, properties } = toObject(example);
	if (isObject(properties) && type !== undefined && whyNotSchema(example) === undefined) {
		return refuse(`${label} is a JSON Schema`, IS_SCHEMA);
	}
	let schema: IDataObject;
	try {
		schema = schemaOf(example);
	} catch (error) {
		return refuse(`${label} does not tell all types: ${(error as Error).message}`, NO_NULL);
	}
	const broken = findBreak(schema, example);
	if (!broken) return schema;
	return refuse(`${label} has an array of several types: ${broken.path} ${broken.why}`, NOT_ALIKE);
}

/** Fields of the body that must be lists: any other value would be dropped without a word. */
const LISTS = ['contents', 'safetySettings', 'tools'];

/** Matches the protocol's body fields in snake_case; other names with `_` are a gateway's own. */
const SNAKE_FIELDS =
	/^(cached_content|generation_config|model_armor_config|safety_settings|service_tier|system_instruction|tool_config)$/;

/** Reads the further fields, the protocol's own in camelCase; checks lists and `generationConfig`. */
function readAdditionalFields({ options }: Reader): IDataObject {
	const label = options.label('additionalFields');
	const given = Object.entries(options.object('additionalFields'));
	const isForeign = ([name]: [string, unknown]) => name.includes('_') && !SNAKE_FIELDS.test(name);
	const known = Object.fromEntries(given.filter((field) => !isForeign(field)));
	const foreign = Object.fromEntries(given.filter(isForeign));
	const fields: IDataObject = { ...toProtocolNames(known), ...foreign };
	const wrong = LISTS.find((name) => !Array.isArray(fields[name] ?? []));
	if (wrong !== undefined) {
		options.refuse(
			`${wrong} in ${label} must be a list`,
			`Write it as { "${wrong}": [...] }. ${UNSENT}`,
		);
	}
	if (fields.generationConfig === undefined) return fields;
	const config = options.toObject(fields.generationConfig, `generationConfig in ${label}`);
	const generationConfig = toProtocolNames(config);
	if ((generationConfig.candidateCount ?? 1) !== 1) {
		options.refuse(
			`candidateCount in ${label} must be 1, because an item has one answer`,
			`For several answers, send several items. ${UNSENT}`,
		);
	}
	return { ...fields, generationConfig };
}

function readGenerationConfig(options: Reader['options']): IDataObject {
	const includesThoughts = options.group('thinking').boolean('includeThoughts');
	return onlyFilled({
		...readNumbers(options, NUMBERS),
		stopSequences: options.texts('stopSequences'),
		thinkingConfig: {
			...(includesThoughts && { includeThoughts: true }),
			...readThinking(options),
		},
	});
}

/** Reads `[{category, threshold}]`; the protocol takes one setting per category. */
function readSafetySettings({ options, refuse }: Reader): IDataObject[] {
	const categories = new Set<string>();
	return options.rows('safetySettings').map((row) => {
		const [category, threshold] = [row.text('category'), row.text('threshold')];
		if (categories.has(category)) {
			refuse(`Safety Settings contains more than one setting for ${category}`);
		}
		categories.add(category);
		return { category, threshold };
	});
}

/** Reads the place that Google Maps searches around. */
function readToolConfig(options: Reader['options']): IDataObject {
	const location = options.group('location');
	const latitude = location.number('latitude', { min: -90, max: 90 });
	const longitude = location.number('longitude', { min: -180, max: 180 });
	if (latitude === undefined && longitude === undefined) return {};
	if (latitude !== undefined && longitude !== undefined) {
		return { retrievalConfig: { latLng: { latitude, longitude } } };
	}
	return options.refuse(
		`${options.label('location')} needs both a latitude and a longitude`,
		`Add the other one, or remove both. ${UNSENT}`,
	);
}

/**
 * Reads the turns, with the prompt and files in the last one. A question must come from the prompt,
 * from files, or from a conversation that ends with the user.
 *
 * @param contents the first turns, from Additional Fields
 */
function readQuestion(read: Reader, contents: unknown, files: Part[]): Turn[] {
	const { options } = read;
	const prompt = read.optionalText('prompt');
	// The protocol takes a turn without a role as the user's.
	const first = (Array.isArray(contents) ? (contents as unknown[]) : []).map((turn) =>
		isObject(turn) && !isSet(turn.role) ? { ...turn, role: 'user' } : turn,
	);
	const turns = [
		...readTurns(options, `contents in ${options.label('additionalFields')}, turn`, first),
		...options.rows('conversation').flatMap(readConversation),
	];
	if (prompt !== '' || files.length > 0 || turns.at(-1)?.role === 'user') {
		return toContents(turns, prompt, files);
	}
	return read.refuse(
		turns.length > 0
			? 'Prompt is empty and the conversation ends with a model turn'
			: 'Prompt is empty',
		`Fill in Prompt. ${CHECK_EXPRESSION} ${UNSENT}`,
	);
}

/** Reads a row of Conversation: one turn, or several as JSON. */
function readConversation(row: Reader): Turn[] {
	const role = row.choice('role');
	if (role !== 'json') {
		const text = row.optionalText('text');
		if (text === '') row.refuse('Text is empty', 'Fill it in, or remove the row.');
		return [{ role: role === 'model' ? role : 'user', parts: [{ text }] }];
	}
	const given = row.value('json');
	const list = typeof given === 'string' ? parseJson(given) : given;
	if (Array.isArray(list)) return readTurns(row, 'turn', list);
	// A single turn may be the field `content` of an earlier item.
	if (isObject(list) && isSet(list.role)) return readTurns(row, 'turn', [list]);
	return row.refuse(
		`${row.label('json')} must be a JSON array of turns`,
		'Write it as [{ "role": "user", "text": "..." }, { "role": "model", "text": "..." }].',
	);
}

const TEXT_OR_PARTS = `A turn has either text or parts, such as { "role": "user", "parts": [{ "text": "..." }] }. ${UNSENT}`;

/** Reads turns, each of which has either a text or parts in the protocol's form. */
function readTurns({ refuse }: Reader, label: string, given: unknown[]): Turn[] {
	return given.map((turn, i) => {
		const place = `${label} ${i + 1}`;
		const { role, text, parts } = toObject(turn);
		if (role !== 'user' && role !== 'model') {
			return refuse(
				`${place} has the unknown role "${toPlainText(role) ?? ''}"`,
				'The role must be user or model. Put instructions for the model into System Instruction.',
			);
		}
		if (Array.isArray(parts) && parts.length > 0) {
			if (isSet(text)) refuse(`${place} has text beside its parts`, TEXT_OR_PARTS);
			if (!parts.every(isObject))
				refuse(`${place} has a part that is not an object`, TEXT_OR_PARTS);
			return { role, parts: toProtocolNames(parts) as IDataObject[] };
		}
		const words = toPlainText(text) ?? '';
		if (words.trim() !== '') return { role, parts: [{ text: words }] };
		return refuse(`${place} has no text`, 'Fill in its text, or remove the turn.');
	});
}
