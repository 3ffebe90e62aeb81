import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../shared/lib/json';
import type { GenerateRequest, Part } from '../shared/service/textApi';
import { answerOf, signatureOf } from './callIds';
import type { Content, Message } from './protocol';

type Call = Extract<Content, { type: 'tool-call' }>;
type Result = Extract<Content, { type: 'tool-result' }>;

interface Turn {
	role: 'user' | 'model';
	parts: Part[];
	/** The answer that its calls came with. */
	answer?: string;
	/** It holds nothing but results of calls. */
	isResults?: true;
}

/** A conversation as the protocol writes it. */
export function toContents(
	messages: Message[],
): Pick<GenerateRequest, 'contents'> & { systemInstruction?: { parts: Part[] } } {
	const turns: Turn[] = [];
	const names = new Map<string, string>();
	const system: Part[] = [];
	for (const { role, content } of messages) {
		if (role === 'system') system.push(...content.flatMap(toParts));
		else if (role === 'assistant') addModelTurn(turns, content, names);
		else {
			const results = content.filter(isResult);
			if (results.length > 0) addResults(turns, results, names);
			else addTurn(turns, { role: 'user', parts: content.flatMap(toParts) });
		}
	}
	const contents = turns.map(({ role, parts }) => ({ role, parts }));
	return { ...(system.length > 0 && { systemInstruction: { parts: system } }), contents };
}

const isResult = (content: Content): content is Result => content.type === 'tool-result';
const isCall = (content: Content): content is Call => content.type === 'tool-call';

/** A turn without parts is refused. */
function addTurn(turns: Turn[], turn: Turn): void {
	if (turn.parts.length > 0) turns.push(turn);
}

function addModelTurn(turns: Turn[], content: Content[], names: Map<string, string>): void {
	const calls = content.filter(isCall);
	for (const { toolCallId = '', toolName } of calls) names.set(toolCallId, toolName);
	const parts = [...content.flatMap(toParts), ...calls.map(toCallPart)];
	const answer = answerOf(calls[0]?.toolCallId ?? '');
	// n8n's agent makes a turn of its own for each call, but only the first call of an answer is
	// signed: what came together goes back together.
	const earlier = turns.at(-1)?.isResults ? turns.at(-2) : undefined;
	if (answer !== undefined && earlier?.answer === answer) earlier.parts.push(...parts);
	else addTurn(turns, { role: 'model', parts, answer });
}

function addResults(turns: Turn[], results: Result[], names: Map<string, string>): void {
	const parts = results.map(({ toolCallId, result, isError }) => {
		const said = typeof result === 'string' ? result : JSON.stringify(result ?? '');
		const response = isError ? { error: said } : { result: said };
		return { functionResponse: { name: names.get(toolCallId) ?? 'tool', response } };
	});
	const last = turns.at(-1);
	if (last?.isResults) last.parts.push(...parts);
	else addTurn(turns, { role: 'user', parts, isResults: true });
}

function toCallPart({ toolCallId = '', toolName: name, input }: Call): Part {
	const parsed = parseJson(input);
	const { id, ...own } = (isObject(parsed) ? parsed : {}) as IDataObject;
	// n8n's agent adds the id of the call to the arguments, where the model has none.
	const args = id === undefined || id === toolCallId ? own : { id, ...own };
	const thoughtSignature = signatureOf(toolCallId);
	return { functionCall: { name, args }, ...(thoughtSignature && { thoughtSignature }) };
}

/** Texts and files; what else a message holds is not the protocol's. */
function toParts(content: Content): Part[] {
	// The service makes a part without anything of an empty text.
	if (content.type === 'text') return content.text === '' ? [] : [{ text: content.text }];
	if (content.type !== 'file') return [];
	const { data: given, mediaType } = content;
	const data = typeof given === 'string' ? given : Buffer.from(given).toString('base64');
	return [{ inlineData: { mimeType: mediaType ?? guessType(data), data } }];
}

/** n8n's SDK loses the type of a PDF file, the only kind that its agent passes on without one. */
const guessType = (base64: string) =>
	base64.startsWith('JVBERi') ? 'application/pdf' : 'application/octet-stream';
