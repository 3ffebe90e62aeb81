import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import type { Failure } from '../shared/item/failure';
import { isObject, parseJson, toText } from '../shared/lib/json';
import { isWhole } from '../shared/text/reasons';
import { chooseCandidate, countUsage, lastOutput, readAnswer } from '../shared/text/response';
import { toNoAnswerFailure } from '../shared/text/textFailure';
import type { Generated, ToolCall } from './sdk';

/**
 * Turns an answer into what n8n's SDK expects, tool calls included; or returns why it is not
 * usable.
 *
 * @param signatures stores the signature of each call
 * @param redact is applied to all output, because agents pass it on to people, tools and memories
 */
export function toGenerated(
	raw: IDataObject,
	signatures: Signatures,
	redact: (text: string) => string,
): Generated | { failure: Failure } {
	const answer = readAnswer(raw);
	const chosen = chooseCandidate(answer);
	if (!chosen) return { failure: toNoAnswerFailure(answer, 'model') };
	const callId = createCallIds();
	const calls: ToolCall[] = [];
	for (const { name, args, thoughtSignature } of chosen.functionCalls) {
		const toolName = toText(name) ?? '';
		const given = readArguments(args);
		if (!given) {
			const what = `The arguments of the tool "${toolName}" in the answer cannot be read`;
			return { failure: toReplyFailure(what) };
		}
		const toolCallId = callId(calls.length);
		const signature = toText(thoughtSignature);
		if (signature) signatures.keep(toolCallId, signature);
		const input = redact(JSON.stringify(given));
		calls.push({ type: 'tool-call', toolCallId, toolName: redact(toolName), input });
	}
	const text = chosen.text.trim() === '' ? (lastOutput(chosen.codeRuns) ?? '') : chosen.text;
	if (text === '' && calls.length === 0) return { failure: ONLY_FILES };
	const reason = isWhole(chosen.finishReason) ? 'stop' : 'other';
	const { input, output, total } = countUsage(answer.usageMetadata);
	return {
		finishReason: calls.length > 0 ? 'tool-calls' : reason,
		usage: { promptTokens: input, completionTokens: output, totalTokens: total },
		message: {
			role: 'assistant',
			content: [...(text === '' ? [] : [{ type: 'text' as const, text: redact(text) }]), ...calls],
		},
	};
}

/**
 * Returns a failure for an answer whose tools are not run: running one with empty arguments could
 * do something nobody asked for.
 */
const toReplyFailure = (message: string): Failure => ({
	message,
	description: 'The tool was not run. Run it again, or use another Model.',
	retryable: false,
	next: 'changeRequest',
	source: 'service',
});

const ONLY_FILES: Failure = {
	...toReplyFailure('The answer is a file, which an agent or a chain cannot take'),
	description: 'Use Generate Content for images and other files.',
};

/**
 * Reads the arguments of a call; `undefined` if they cannot be read. Gateways that translate from
 * other protocols send arguments as JSON text; missing arguments become `{}`.
 */
function readArguments(args: unknown): IDataObject | undefined {
	if (args === undefined || args === null || args === '') return {};
	const given = typeof args === 'string' ? parseJson(args) : args;
	return isObject(given) ? given : undefined;
}

/**
 * Returns a function that makes the IDs for the calls of one answer, because gateways drop the
 * protocol's own. Calls of one answer share a prefix. An ID has at most 40 characters: other
 * vendors that may continue the conversation accept no more.
 */
export function createCallIds(): (index: number) => string {
	const answer = randomUUID().replace(/-/g, '').slice(0, 24);
	return (index) => `call_${answer}_${index}`;
}

/** Returns the ID of the answer that a call belongs to; `undefined` if the call ID is not ours. */
export const answerOf = (callId = '') => /^call_([0-9a-f]{24})_\d+$/.exec(callId)?.[1];

/** The signatures that a model wants back with its calls, by call ID. */
export interface Signatures {
	of: (callId: string) => string | undefined;
	keep: (callId: string, signature: string) => void;
}

/**
 * Characters of signatures stored per execution; the oldest are dropped first. A conversation that
 * is still going on has fewer.
 */
const MAX_STORED_CHARS = 4 * 1024 * 1024;

/**
 * Opens the signatures that n8n stores for the node with the execution. A Gemini 3 model refuses
 * its own call without its signature. n8n's SDK passes on only the ID, name and arguments of a
 * call. The model is supplied anew for each turn of an agent, and after a wait for a person's
 * approval even by another process.
 */
export function openSignatures(
	context: ISupplyDataFunctions,
	redact: (text: string) => string,
): Signatures {
	// n8n's types leave `getContext` out here, but every context has it.
	const { getContext } = context as unknown as Pick<IExecuteFunctions, 'getContext'>;
	const node = getContext.call(context, 'node') as { signatures?: Record<string, string> };
	return {
		of: (callId) =>
			Object.hasOwn(node.signatures ?? {}, callId) ? node.signatures?.[callId] : undefined,
		keep(callId, signature) {
			const stored = (node.signatures ??= {});
			stored[callId] = redact(signature);
			let chars = Object.values(stored).reduce((sum, { length }) => sum + length, 0);
			for (const [oldest, { length }] of Object.entries(stored)) {
				if (chars <= MAX_STORED_CHARS) return;
				delete stored[oldest];
				chars -= length;
			}
		},
	};
}
