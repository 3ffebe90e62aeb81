import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isOwnError } from '../shared/failure/failure';
import { type Body, type FileInJson, toJsonBody } from '../shared/http/body';
import { isObject, isSet, merge, parseJson, toObject, toObjects } from '../shared/lib/json';
import { readCarried, without } from '../shared/n8n/carried';
import { checkModel } from '../shared/n8n/checkModel';
import { checkPrompt, NOTHING_SENT } from '../shared/n8n/checkPrompt';
import { type Reader, readOutputField } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import { CHECK_EXPRESSION, toPlainText } from '../shared/n8n/values';
import { type GenerateRequest, onlyFilled, type Turn } from './gemini/protocol';
import { schemaOf, toSchemaField } from './gemini/schema';
import { loadFile, readFileUrls, readInputFiles } from './inputFiles';

/** The question of one item, read and checked. */
export type TextJob = Awaited<ReturnType<typeof readTextJob>>;

export async function readTextJob(read: Reader, run: Run) {
	const { itemIndex, options } = read;
	checkPrompt(read, 'prompt', { ofVideo: false });
	const files = await readInputFiles(read, run.context.helpers);
	const body = readBody(read, files);
	const { responseSchema, responseJsonSchema } = toObject(body.generationConfig);
	const schema = responseSchema ?? responseJsonSchema;
	const format = read.choice('outputFormat');
	const wantsJson = format === 'json';
	const carried = readCarried(read);
	return {
		itemIndex,
		model: readTextModel(read),
		/** Without the files, which are loaded for each request. */
		body,
		/** As n8n has stored them. */
		files,
		wantsJson,
		/** Whether the answer must bring a file. */
		wantsFile: format === 'image' || format === 'audio',
		/** What the JSON must match; `undefined` if no JSON was asked for, or no schema is known. */
		schema: wantsJson && isObject(schema) ? schema : undefined,
		rawResponse: options.boolean('rawResponse'),
		carried: carried && withoutEarlierAnswer(carried),
		/** The files of the incoming item, which go on beside its fields, as does the error of its video. */
		binary: carried && read.inputFiles,
		error: carried && readVideoError(read.input.json),
		binaryProperty: readOutputField(options),
		timeoutMs: options.numberOrDefault('timeout', { above: 0 }) * 1000,
	};
}

/** Returns the body of the request with its files, which go before the other parts of the last turn. */
export async function loadBody(
	helpers: IExecuteFunctions['helpers'],
	{ itemIndex, body, files }: TextJob,
): Promise<Body> {
	const loaded = await Promise.all(files.map((file) => loadFile(helpers, itemIndex, file)));
	const inJson = new Map<string, FileInJson>();
	const fileParts = loaded.map(({ bytes, mimeType }) => {
		const data = crypto.randomUUID();
		inJson.set(data, { bytes, before: '' });
		return { inlineData: { mimeType, data } };
	});
	const { contents } = body;
	const { parts, ...last } = contents.at(-1)!;
	const turn = { ...last, parts: [...fileParts, ...parts] } as Turn;
	return toJsonBody({ ...body, contents: [...contents.slice(0, -1), turn] }, inJson);
}

/** Facts about one answer, which would pass for those of the next one. */
const OF_ANSWER = [
	...['codeExecution', 'content', 'files', 'finishReason', 'functionCalls', 'model'],
	...['modelVersion', 'response', 'responseId', 'sources', 'thoughts', 'usageMetadata'],
];

const withoutEarlierAnswer = (json: IDataObject) =>
	isSet(json.finishReason) ? without(json, OF_ANSWER) : json;

/** Returns the error of the video that an item is about; not one of an earlier text. */
const readVideoError = ({ error }: IDataObject) =>
	isOwnError(error) && (error.billed ?? error.task_id) !== undefined ? error : undefined;

/** Returns the model's name without the `models/` of model lists, because the path has its own. */
function readTextModel(read: Reader): string {
	const model = read.text('model').replace(/^models\/+/, '');
	return model === ''
		? read.refuse('Model is empty')
		: checkModel(read, read.label('model'), model);
}

/** Additional Fields win; their `contents` and `tools` are added to those that are set elsewhere. */
function readBody(read: Reader, files: IBinaryData[]): GenerateRequest {
	const { options } = read;
	const additional = options.object('additionalFields');
	const instruction = read.optionalText('systemInstruction');
	const settings = onlyFilled({
		systemInstruction: onlyFilled({ parts: instruction && [{ text: instruction }] }),
		generationConfig: { ...readGenerationConfig(options), ...readAnswerFormat(read) },
		safetySettings: options
			.rows('safetySettings')
			.map((row) => ({ category: row.text('category'), threshold: row.text('threshold') })),
	});
	// Each of Gemini's own tools looks like `{googleSearch: {}}`.
	const builtIn = options.texts('builtInTools').map((name) => ({ [name]: {} }));
	return {
		...merge(settings, additional),
		...onlyFilled({ tools: [...builtIn, ...toObjects(additional.tools)] }),
		contents: readContents(read, toObjects(additional.contents), files),
	};
}

/** Returns what Output Format and the fields below it set in `generationConfig`. */
function readAnswerFormat(read: Reader): IDataObject {
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

/** Returns the JSON Schema of the answer; `undefined` if it says nothing: unset or `{}`. */
function readSchema(read: Reader): IDataObject | undefined {
	const isExample = read.choice('schemaType') === 'fromJson';
	const json = isExample ? read.json('jsonSchemaExample') : read.object('jsonSchema');
	if (isObject(json) && Object.keys(json).length === 0) return undefined;
	return isExample ? schemaOf(json) : (json as IDataObject);
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
 * Reads the turns, with the prompt and linked files in the last one. A question must come from the
 * prompt, from files, or from a conversation that ends with the user.
 */
function readContents(read: Reader, first: IDataObject[], files: IBinaryData[]): Turn[] {
	const prompt = read.optionalText('prompt');
	const linked = readFileUrls(read);
	const turns = [
		...first.map(readTurn),
		...read.options.rows('conversation').flatMap(readConversation),
	];
	const last = turns.at(-1);
	if (prompt === '' && last?.role === 'user') {
		return [...turns.slice(0, -1), { ...last, parts: [...linked, ...last.parts] }];
	}
	if (prompt === '' && linked.length + files.length === 0) {
		return read.refuse('Prompt is empty', `Fill in Prompt. ${CHECK_EXPRESSION} ${NOTHING_SENT}`);
	}
	const asked = prompt === '' ? [] : [{ text: prompt }];
	return [...turns, { role: 'user', parts: [...linked, ...asked] }];
}

/** Reads a row of Conversation: one turn, or several as JSON. */
function readConversation(row: Reader): Turn[] {
	const role = row.choice('role');
	if (role !== 'json') return [{ role, parts: [{ text: row.text('text') }] }];
	const json = row.value('json');
	const turns = [typeof json === 'string' ? parseJson(json) : json].flat();
	if (turns.every(isObject)) return turns.map(readTurn);
	return row.refuse(
		`${row.label('json')} must be a JSON array of turns`,
		'Write it as [{ "role": "user", "text": "..." }, { "role": "model", "text": "..." }].',
	);
}

/** Returns a turn as it is written, with a `text` as its first part. */
function readTurn({ text, parts, ...turn }: IDataObject): Turn {
	const written = toPlainText(text) ?? '';
	const all = [...(written === '' ? [] : [{ text: written }]), ...[parts ?? []].flat()];
	return { ...turn, parts: all } as Turn;
}
