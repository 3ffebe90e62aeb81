import type { IDataObject } from 'n8n-workflow';

import { checkPrompt } from '../shared/item/checkPrompt';
import { readCarried, readVideoError, without } from '../shared/item/carried';
import { CHECK_EXPRESSION } from '../shared/item/expression';
import { isSet, type Reader, toPlainText } from '../shared/item/reader';
import type { Run } from '../shared/item/run';
import { isObject, merge, parseJson, toObject, toObjects } from '../shared/lib/json';
import { readReference } from '../shared/text/answerFiles';
import type { GenerateRequest, Turn } from '../shared/text/askText';
import { onlyFilled, toProtocolNames } from '../shared/text/names';
import { schemaOf, toSchemaField, whyNotSchema } from '../shared/text/schema';
import { checkFiles, readFileUrls, readInputFiles, UNSENT } from './inputFiles';

/** The question of one item, read and checked. */
export type TextJob = Awaited<ReturnType<typeof readTextJob>>;

/** Reads and checks one item; everything that can go wrong without the service is refused here. */
export async function readTextJob(read: Reader, run: Run) {
	const { itemIndex, options } = read;
	const { prompt: written } = run.parameters;
	const prompt = { label: read.label('prompt'), written, sent: '' };
	checkPrompt(read, run, prompt, { ofVideo: false });
	const files = readInputFiles(read);
	const additional = readAdditionalFields(read);
	const question = readQuestion(read, additional.contents, [...files, ...readFileUrls(read)]);
	const instruction = read.optionalText('systemInstruction');
	const format = read.choice('outputFormat');
	const wantsJson = format === 'json';
	const settings = {
		systemInstruction: onlyFilled({ parts: instruction && [{ text: instruction }] }),
		generationConfig: { ...readGenerationConfig(options), ...readFormat(read) },
	};
	const body: GenerateRequest = {
		...merge(onlyFilled(settings), additional),
		...readLists(options, additional),
		contents: question,
	};
	const { responseSchema, responseJsonSchema } = toObject(body.generationConfig);
	const schema = responseSchema ?? responseJsonSchema;
	await checkFiles(read, run.context, body, files);
	const carried = readCarried(read);
	return {
		itemIndex,
		model: readModel(read),
		/** Refers to files, which are loaded for each request. */
		body,
		wantsJson,
		/** Whether the answer must bring a file. */
		wantsFile: format === 'image' || format === 'audio',
		/** What the JSON must match; `undefined` if no JSON was asked for, or no schema is known. */
		schema: wantsJson && isObject(schema) ? schema : undefined,
		rawResponse: options.boolean('rawResponse'),
		carried: carried && withoutEarlierAnswer(carried),
		/** The files of the incoming item, which go on beside its fields, as does the error of its video. */
		binary: carried && read.input.binary,
		error: carried && readVideoError(read),
		unsentFiles: findUnsent(read, question),
		binaryProperty: options.optionalText('binaryProperty').trim() || 'data',
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
	};
}

/** Facts about one answer, which would pass for those of the next one. */
const OF_ANSWER = [
	...['codeExecution', 'content', 'files', 'finishReason', 'functionCalls', 'model'],
	...['modelVersion', 'response', 'responseId', 'sources', 'thoughts', 'usageMetadata'],
	'webSearchQueries',
];

const withoutEarlierAnswer = (json: IDataObject) =>
	isSet(json.finishReason) ? without(json, OF_ANSWER) : json;

/** Returns the model's name without the `models/` of model lists, because the path has its own. */
function readModel(read: Reader): string {
	const model = read.text('model').replace(/^models\/+/, '');
	return model === '' ? read.refuse('Model is empty') : model;
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
			const voiceConfig = { prebuiltVoiceConfig: { voiceName } };
			return { responseModalities: ['AUDIO'], ...(voiceName && { speechConfig: { voiceConfig } }) };
		}
	}
	return {};
}

const NO_SCHEMA = `To give an example of the JSON instead, set Schema Type to Generate From JSON Example. ${UNSENT}`;
const IS_SCHEMA = `Set Schema Type to Define Using JSON Schema. ${UNSENT}`;

/** Returns the JSON Schema of the answer; `undefined` if it says nothing: unset or `{}`. */
function readSchema(read: Reader): IDataObject | undefined {
	const isExample = read.choice('schemaType') === 'fromJson';
	const name = isExample ? 'jsonSchemaExample' : 'jsonSchema';
	const label = read.label(name);
	const json = read.json(name);
	if (isObject(json) && Object.keys(json).length === 0) return undefined;
	const whyNot = whyNotSchema(json);
	if (isExample) {
		const { type, properties } = toObject(json);
		const isSchema = whyNot === undefined && type !== undefined && isObject(properties);
		return isSchema ? read.refuse(`${label} is a JSON Schema`, IS_SCHEMA) : schemaOf(json);
	}
	if (whyNot === undefined) return json as IDataObject;
	return read.refuse(`${label} is not a valid schema: ${whyNot}`, NO_SCHEMA);
}

/** Fields of the body that must be lists: any other value would be dropped without a word. */
const LISTS = ['contents', 'safetySettings', 'tools'];

/** Matches the protocol's body fields in snake_case; other names with `_` are a gateway's own. */
const SNAKE_FIELDS =
	/^(cached_content|generation_config|model_armor_config|safety_settings|service_tier|system_instruction|tool_config)$/;

/** Reads the further fields, the protocol's own in camelCase; checks lists and `generationConfig`. */
function readAdditionalFields({ options }: Reader): IDataObject {
	const label = options.label('additionalFields');
	const entries = Object.entries(options.object('additionalFields'));
	const isForeign = ([name]: [string, unknown]) => name.includes('_') && !SNAKE_FIELDS.test(name);
	const ofProtocol = Object.fromEntries(entries.filter((field) => !isForeign(field)));
	const foreign = Object.fromEntries(entries.filter(isForeign));
	const fields: IDataObject = { ...toProtocolNames(ofProtocol), ...foreign };
	const wrong = LISTS.find((name) => !Array.isArray(fields[name] ?? []));
	if (wrong !== undefined) {
		options.refuse(
			`${wrong} in ${label} must be a list`,
			`Write it as { "${wrong}": [...] }. ${UNSENT}`,
		);
	}
	if ((toObject(fields.generationConfig).candidateCount ?? 1) !== 1) {
		options.refuse(
			`candidateCount in ${label} must be 1, because an item has one answer`,
			`For several answers, send several items. ${UNSENT}`,
		);
	}
	return fields;
}

/** Reads the lists of Options and Additional Fields. Of the same entry, the latter's counts. */
function readLists(options: Reader['options'], additional: IDataObject): IDataObject {
	const tools = toObjects(additional.tools);
	const settings = toObjects(additional.safetySettings);
	// Each of Gemini's own tools goes in once: `[{googleSearch: {}}]`.
	const builtIn = [...new Set(options.texts('builtInTools'))]
		.filter((name) => tools.every((tool) => !isObject(tool[name])))
		.map((name) => ({ [name]: {} }));
	const rows = options
		.rows('safetySettings')
		.map((row) => ({ category: row.text('category'), threshold: row.text('threshold') }))
		.filter(({ category }) => settings.every((setting) => setting.category !== category));
	return onlyFilled({ safetySettings: [...rows, ...settings], tools: [...builtIn, ...tools] });
}

function readGenerationConfig(options: Reader['options']): IDataObject {
	const thinking = options.group('thinking');
	return onlyFilled({
		maxOutputTokens: options.number('maxOutputTokens', { min: 1, whole: true }),
		seed: options.number('seed', { min: -(2 ** 31), max: 2 ** 31 - 1, whole: true }),
		temperature: options.number('temperature', { min: 0, max: 2 }),
		topP: options.number('topP', { min: 0, max: 1 }),
		stopSequences: options.texts('stopSequences'),
		thinkingConfig: onlyFilled({
			includeThoughts: thinking.boolean('includeThoughts') || undefined,
			thinkingBudget: thinking.number('budget', { min: -1, whole: true }),
			thinkingLevel: thinking.isSet('level') ? thinking.choice('level') : undefined,
		}),
	});
}

/**
 * Reads the turns, with the prompt and files in the last one. A question must come from the prompt,
 * from files, or from a conversation that ends with the user.
 *
 * @param contents the first turns, from Additional Fields
 */
function readQuestion(read: Reader, contents: unknown, files: IDataObject[]): Turn[] {
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

/** Adds prompt and files as a turn. Without a prompt, the files go into a last turn of the user. */
function toContents(turns: Turn[], prompt: string, files: IDataObject[]): Turn[] {
	const last = turns.at(-1);
	if (prompt !== '') return [...turns, { role: 'user', parts: [...files, { text: prompt }] }];
	if (last?.role !== 'user') return [...turns, { role: 'user', parts: files }];
	return [...turns.slice(0, -1), { role: 'user', parts: [...files, ...last.parts] }];
}

/** Reads a row of Conversation: one turn, or several as JSON. */
function readConversation(row: Reader): Turn[] {
	const role = row.choice('role');
	if (role !== 'json') {
		const text = row.optionalText('text');
		if (text === '') row.refuse('Text is empty', 'Fill it in, or remove the row.');
		return [{ role: role === 'model' ? role : 'user', parts: [{ text }] }];
	}
	const json = row.value('json');
	const list = typeof json === 'string' ? parseJson(json) : json;
	if (Array.isArray(list)) return readTurns(row, 'turn', list);
	// A single turn may be the field `content` of an earlier item.
	if (isObject(list) && isSet(list.role)) return readTurns(row, 'turn', [list]);
	return row.refuse(
		`${row.label('json')} must be a JSON array of turns`,
		'Write it as [{ "role": "user", "text": "..." }, { "role": "model", "text": "..." }].',
	);
}

/** Reads turns, each of which has a text, or parts in the protocol's form; or both, the text first. */
function readTurns({ refuse }: Reader, label: string, turns: unknown[]): Turn[] {
	return turns.map((turn, i) => {
		const place = `${label} ${i + 1}`;
		const { role, text, parts } = toObject(turn);
		if (role !== 'user' && role !== 'model') {
			return refuse(
				`${place} has the unknown role "${toPlainText(role) ?? ''}"`,
				'The role must be user or model. Put instructions for the model into System Instruction.',
			);
		}
		const words = toPlainText(text) ?? '';
		const written = words.trim() === '' ? [] : [{ text: words }];
		const all = [...written, ...toProtocolNames([parts ?? []].flat() as IDataObject[])];
		if (all.length > 0) return { role, parts: all };
		return refuse(`${place} has no text`, 'Fill in its text, or remove the turn.');
	});
}

/** Returns the binary fields of the item that are not sent; none if files come from elsewhere. */
function findUnsent({ input: { binary = {} } }: Reader, question: Turn[]): string[] {
	const parts = question.flatMap((turn) => turn.parts);
	const sent = parts.filter(({ inlineData, fileData }) => inlineData || fileData);
	const fields = sent.map(readReference);
	if (fields.includes(undefined)) return [];
	return Object.keys(binary).filter((name) => !fields.includes(name));
}
