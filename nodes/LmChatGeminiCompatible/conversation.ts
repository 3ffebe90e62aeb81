import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toObject } from '../shared/lib/json';
import type { Part } from '../shared/service/textApi';
import type { Turn } from '../shared/text/request';
import { mapParts, toSchemaField, whyNotSchema } from '../shared/text/schema';
import { answerOf, type Signatures } from './reply';
import type { FunctionTool, Message, MessageContent, Sdk, Tool } from './sdk';

/** A turn with the IDs of the calls that it makes or answers. */
type TurnOfTalk = Turn & { ids: string[] };

const isResults = (turn: TurnOfTalk | undefined) => turn?.role === 'user' && turn.ids.length > 0;

/**
 * Returns a conversation in the protocol's form.
 *
 * @throws a sentence for a person
 */
export function toConversation(messages: Message[], signatures: Pick<Signatures, 'of'>) {
	const turns: TurnOfTalk[] = [];
	const system: Part[] = [];
	/** The names of tools by the ID of the call. */
	const names = new Map<string, string>();
	for (const { role, content } of messages) {
		const parts = content
			.map((piece) => toPart(piece, signatures, names))
			.filter((part) => part !== undefined);
		const ids = content.flatMap((piece) => ('toolCallId' in piece ? [piece.toolCallId ?? ''] : []));
		if (role === 'system') system.push(...parts);
		// The service refuses a turn without parts.
		else if (parts.length > 0) {
			addTurn(turns, { role: role === 'assistant' ? 'model' : 'user', parts, ids });
		}
	}
	if (turns.length === 0)
		throw new Error('The conversation is empty: no message has text or a file');
	const contents = turns.map((turn, i): Turn => {
		const { role, parts, ids } = turn;
		if (!isResults(turn)) return { role, parts };
		// The request has no call IDs, so only the order tells two results of one tool apart.
		const calls = turns[i - 1]?.ids ?? [];
		const places = parts.map((part, at) => ({ part, place: calls.indexOf(ids[at]) }));
		places.sort((one, other) => one.place - other.place);
		return { role, parts: places.map(({ part }) => part) };
	});
	return { ...(system.length > 0 && { systemInstruction: { parts: system } }), contents };
}

/**
 * Adds a turn, but joins calls to earlier ones of the same answer, and results to results before
 * them: n8n's agent makes a turn for each call, but only the first call of an answer is signed.
 */
function addTurn(turns: TurnOfTalk[], turn: TurnOfTalk): void {
	const [earlier, last] = [turns.at(-2), turns.at(-1)];
	const answer = turn.role === 'model' ? answerOf(turn.ids[0]) : undefined;
	const isSameAnswer = answer !== undefined && answerOf(earlier?.ids[0]) === answer;
	const joined = isSameAnswer ? earlier : last;
	if (joined && isResults(last) && (isSameAnswer || isResults(turn))) {
		joined.parts.push(...turn.parts);
		joined.ids.push(...turn.ids);
	} else turns.push(turn);
}

/** Returns a piece of a message as a part; `undefined` for an empty text or an unsent kind. */
function toPart(
	piece: MessageContent,
	signatures: Pick<Signatures, 'of'>,
	names: Map<string, string>,
): Part | undefined {
	switch (piece.type) {
		case 'text':
			// The service turns an empty text into a part that holds nothing.
			return piece.text === '' ? undefined : { text: piece.text };
		case 'file': {
			const data = toBase64Data(piece.data);
			// n8n's SDK loses the type of a PDF file; the agent passes on no other file without a type.
			const guessed = data.startsWith('JVBERi') ? 'application/pdf' : 'application/octet-stream';
			return { inlineData: { mimeType: piece.mediaType ?? guessed, data } };
		}
		case 'tool-call': {
			const { toolCallId = '', toolName: name, input } = piece;
			names.set(toolCallId, name);
			const parsed = parseJson(input);
			const { id, ...own } = toObject(parsed);
			// n8n's agent adds the call's ID to the arguments as `id` if the model gave none.
			const args = id === undefined || id === toolCallId ? own : { id, ...own };
			const thoughtSignature = signatures.of(toolCallId);
			return { functionCall: { name, args }, ...(thoughtSignature && { thoughtSignature }) };
		}
		case 'tool-result': {
			const { toolCallId, result, isError } = piece;
			const said = typeof result === 'string' ? result : JSON.stringify(result ?? '');
			const response = isError ? { error: said } : { result: said };
			return { functionResponse: { name: names.get(toolCallId) ?? 'tool', response } };
		}
	}
	return undefined;
}

function toBase64Data(data: unknown): string {
	if (typeof data === 'string') return data;
	if (data instanceof Uint8Array) return Buffer.from(data).toString('base64');
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
	const functions = tools.filter((tool) => tool.type === 'function');
	if (functions.length === 0) return {};
	const functionDeclarations = functions.map((tool) => ({
		name: tool.name,
		...(tool.description && { description: tool.description }),
		...toParameters(tool, getParametersJsonSchema(tool)),
	}));
	return { tools: [{ functionDeclarations }] };
}

/** Words that give a tool no parameters, as long as `properties` is empty. */
const EMPTY_WORDS = new Set(['description', 'properties', 'required', 'title', 'type']);

/**
 * Returns a tool's parameters in the field that takes them. `parameters` takes the protocol's own
 * kind of schema, which every deployment knows; `parametersJsonSchema` takes any. A tool without
 * parameters gets neither field: the service refuses an empty object.
 */
function toParameters({ name }: FunctionTool, given: unknown): IDataObject {
	if (!isObject(given)) return {};
	const why = whyNotSchema(given);
	if (why)
		throw new Error(`The parameters of the tool "${name}" are not a valid JSON Schema: ${why}`);
	// The root of the parameters must say that it is an object.
	const schema: IDataObject = { type: 'object', ...toTaken(given) };
	const isEmpty =
		schema.type === 'object' &&
		Object.keys(schema).every((word) => EMPTY_WORDS.has(word)) &&
		Object.keys(schema.properties ?? {}).length === 0;
	if (isEmpty) return {};
	const { responseSchema, responseJsonSchema } = toSchemaField(schema);
	return responseSchema
		? { parameters: responseSchema }
		: { parametersJsonSchema: responseJsonSchema };
}

/**
 * Returns a copy of a schema without what n8n writes into each tool's schema and `parameters` does
 * not take: `$schema`, `additionalProperties`. Leaves out '' in an `enum`, too: Gemini refuses it.
 */
function toTaken<Schema>(schema: Schema): Schema {
	if (!isObject(schema)) return schema;
	const taken: IDataObject = { ...schema };
	const { additionalProperties: more, enum: values } = schema;
	delete taken.$schema;
	// `additionalProperties` stays if it says what a map holds, or is all that allows properties.
	const isMap = isObject(more) && Object.keys(more).length > 0;
	if (!isMap && (more === false || Object.hasOwn(schema, 'properties'))) {
		delete taken.additionalProperties;
	}
	if (Array.isArray(values)) {
		const said = (values as unknown[]).filter((value) => value !== '');
		if (said.length > 0) taken.enum = said as string[];
		else delete taken.enum;
	}
	return mapParts(taken, toTaken) as Schema;
}
