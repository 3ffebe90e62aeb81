import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../shared/lib/json';
import type { GenerateRequest, Part } from '../shared/service/textApi';
import { mapParts, whyNotSchema } from '../shared/text/schema';
import { toSchemaField } from '../shared/text/schemaField';
import { answerOf, type Signatures } from './reply';
import type { Content, Message, Sdk, Tool } from './sdk';

type Call = Extract<Content, { type: 'tool-call' }>;
type Result = Extract<Content, { type: 'tool-result' }>;
type File = Extract<Content, { type: 'file' }>;

interface TurnOfTalk {
	role: 'user' | 'model';
	parts: Part[];
	/** The ID of each call, in the order of the parts, if the parts are results of calls. */
	results?: string[];
	/** The IDs of the calls in this turn, in order. */
	calls?: string[];
}

/**
 * Returns a conversation in the protocol's form.
 *
 * @throws a sentence for a person
 */
export function toConversation(
	messages: Message[],
	signatures: Signatures,
): Pick<GenerateRequest, 'contents'> & { systemInstruction?: { parts: Part[] } } {
	const turns: TurnOfTalk[] = [];
	const names = new Map<string, string>();
	const system: Part[] = [];
	for (const { role, content } of messages) {
		const texts = content.flatMap(toParts);
		const results = content.filter(({ type }) => type === 'tool-result') as Result[];
		if (role === 'system') system.push(...texts);
		else if (role === 'assistant') {
			const calls = content.filter(({ type }) => type === 'tool-call') as Call[];
			for (const { toolCallId = '', toolName } of calls) names.set(toolCallId, toolName);
			addModelTurn(turns, calls, [...texts, ...calls.map((call) => toCallPart(call, signatures))]);
		} else if (results.length > 0) addResults(turns, results, names);
		// The service refuses a turn without parts.
		else if (texts.length > 0) turns.push({ role: 'user', parts: texts });
	}
	if (turns.length === 0) throw new Error('Nothing was asked: no message has a text or a file');
	const contents = turns.map(({ role, parts, results }, i) => ({
		role,
		parts: results ? inOrder(parts, results, turns[i - 1]?.calls ?? []) : parts,
	}));
	return { ...(system.length > 0 && { systemInstruction: { parts: system } }), contents };
}

function addModelTurn(turns: TurnOfTalk[], calls: Call[], parts: Part[]): void {
	if (parts.length === 0) return;
	const ids = calls.map(({ toolCallId = '' }) => toolCallId);
	// n8n's agent makes a separate turn for each call, but only the first call of an answer is
	// signed. So calls that came together go back together.
	const earlier = turns.at(-1)?.results ? turns.at(-2) : undefined;
	const answer = answerOf(ids[0]);
	if (answer !== undefined && earlier?.calls && answerOf(earlier.calls[0]) === answer) {
		earlier.parts.push(...parts);
		earlier.calls.push(...ids);
	} else turns.push({ role: 'model', parts, calls: ids });
}

function addResults(turns: TurnOfTalk[], results: Result[], names: Map<string, string>): void {
	const last = turns.at(-1);
	const turn = last?.results ? last : { role: 'user' as const, parts: [], results: [] };
	if (turn !== last) turns.push(turn);
	for (const { toolCallId, result, isError } of results) {
		const said = typeof result === 'string' ? result : JSON.stringify(result ?? '');
		const response = isError ? { error: said } : { result: said };
		const name = names.get(toolCallId) ?? 'tool';
		turn.parts.push({ functionResponse: { name, response } });
		turn.results?.push(toolCallId);
	}
}

/** Sorts results by call: without IDs, only the order tells two results of one tool apart. */
function inOrder(parts: Part[], results: string[], calls: string[]): Part[] {
	const placeOf = (i: number) => {
		const place = calls.indexOf(results[i]);
		return place < 0 ? calls.length : place;
	};
	const places = parts.map((part, i) => ({ part, place: placeOf(i) }));
	return places.sort((one, other) => one.place - other.place).map(({ part }) => part);
}

function toCallPart(
	{ toolCallId = '', toolName: name, input }: Call,
	signatures: Signatures,
): Part {
	const parsed = parseJson(input);
	const { id, ...own } = (isObject(parsed) ? parsed : {}) as IDataObject;
	// n8n's agent adds the call's ID to the arguments if the model gave no `id`.
	const args = id === undefined || id === toolCallId ? own : { id, ...own };
	const thoughtSignature = signatures.of(toolCallId);
	return { functionCall: { name, args }, ...(thoughtSignature && { thoughtSignature }) };
}

/** Returns the parts for a text or a file; other content is not written here. */
function toParts(content: Content): Part[] {
	// The service turns an empty text into a part that holds nothing.
	if (content.type === 'text') return content.text === '' ? [] : [{ text: content.text }];
	if (content.type !== 'file') return [];
	const data = toBase64Data(content);
	// n8n's SDK loses the type of a PDF file; the agent passes on no other file without a type.
	const guessed = data.startsWith('JVBERi') ? 'application/pdf' : 'application/octet-stream';
	return [{ inlineData: { mimeType: content.mediaType ?? guessed, data } }];
}

function toBase64Data({ data }: File): string {
	const given: unknown = data;
	if (typeof given === 'string') return given;
	if (given instanceof Uint8Array) return Buffer.from(given).toString('base64');
	throw new Error(
		'A file in the conversation has no bytes, perhaps only an address. Pass the file itself on, or its text',
	);
}

/**
 * Returns tools in the protocol's form; an empty object if there are none.
 *
 * @throws a sentence for a person
 */
export function toTools(tools: Tool[], { getParametersJsonSchema }: Sdk): IDataObject {
	const functions = tools.filter(({ type }) => type === 'function');
	if (functions.length === 0) return {};
	const functionDeclarations = functions.map((tool) => ({
		name: tool.name,
		...(tool.description && { description: tool.description }),
		...toParameters(tool, getParametersJsonSchema(tool)),
	}));
	return { tools: [{ functionDeclarations }] };
}

/**
 * Returns a tool's parameters in the field that takes them. `parameters` takes the protocol's own
 * kind of schema, which every deployment knows; `parametersJsonSchema` takes any. A tool without
 * parameters gets neither field: the service refuses an empty object.
 */
function toParameters({ name }: Tool, given: unknown): IDataObject {
	if (!isObject(given)) return {};
	const why = whyNotSchema(given);
	if (why) throw new Error(`The parameters of the tool "${name}" are no JSON Schema: ${why}`);
	// The root of the parameters must say that it is an object.
	const schema = { ...(given.type === undefined && { type: 'object' }), ...toTaken(given) };
	if (isEmptyObject(schema)) return {};
	const { responseSchema, responseJsonSchema } = toSchemaField(schema);
	return responseSchema
		? { parameters: responseSchema }
		: { parametersJsonSchema: responseJsonSchema };
}

/** Words that an object schema may have without naming or allowing a single property. */
const EMPTY_WORDS = new Set(['description', 'properties', 'required', 'title', 'type']);

const isEmptyObject = (schema: IDataObject) =>
	schema.type === 'object' &&
	Object.keys(schema).every((word) => EMPTY_WORDS.has(word)) &&
	Object.keys(schema.properties ?? {}).length === 0;

/**
 * Returns a copy of a schema without the words that n8n writes into each tool's schema and that ask
 * for nothing. It also leaves out the empty text in an `enum`, which Gemini refuses.
 */
function toTaken<Schema>(schema: Schema): Schema {
	if (!isObject(schema)) return schema;
	const hasProperties = Object.hasOwn(schema, 'properties');
	const entries = Object.entries(schema).flatMap(([word, value]): Array<[string, unknown]> => {
		if (word === '$schema') return [];
		if (word === 'additionalProperties' && !isMap(value, hasProperties)) return [];
		if (word !== 'enum' || !Array.isArray(value)) return [[word, value]];
		const values = (value as unknown[]).filter((one) => one !== '');
		return values.length > 0 ? [[word, values]] : [];
	});
	return mapParts(Object.fromEntries(entries), toTaken) as Schema;
}

/** Returns whether the value says what a map holds, not just whether more properties may come. */
function isMap(additional: unknown, hasProperties: boolean): boolean {
	if (isObject(additional) && Object.keys(additional).length > 0) return true;
	return additional !== false && !hasProperties;
}
