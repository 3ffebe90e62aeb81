import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import type { Failure } from '../shared/item/failure';
import { isObject, mapTexts, parseJson, toText } from '../shared/lib/json';
import { isWhole } from '../shared/text/reasons';
import { chooseCandidate, countUsage, readAnswer, wordsOf } from '../shared/text/response';
import { toNoAnswerFailure } from '../shared/text/textFailure';
import type { Generated, MessageContent } from './sdk';

/**
 * Turns an answer into what n8n's SDK expects, or returns why the answer is not usable. Keeps the
 * signatures of its calls. Redacts texts and calls, because agents pass them on to people, tools
 * and memories.
 */
export function toGenerated(
	raw: IDataObject,
	{ keep, redact }: Signatures,
): Generated | { failure: Failure } {
	const answer = readAnswer(raw);
	const chosen = chooseCandidate(answer);
	if (!chosen) return { failure: toNoAnswerFailure(answer, 'model') };
	const idOf = createCallIds();
	const calls: MessageContent[] = [];
	for (const { name, args, thoughtSignature } of chosen.functionCalls) {
		const toolName = redact(toText(name) ?? '');
		const given = readArguments(args);
		// A tool that runs with empty arguments could do something that nobody asked for.
		if (!given)
			return fail(
				`The model called the tool "${toolName}" with arguments that are not a JSON object`,
			);
		const toolCallId = idOf(calls.length);
		const signature = toText(thoughtSignature);
		if (signature) keep(toolCallId, signature);
		// Each text by itself: in JSON, all up to the next space would be blanked out with a key.
		const input = JSON.stringify(mapTexts(given, redact, redact));
		calls.push({ type: 'tool-call', toolCallId, toolName, input });
	}
	const text = wordsOf(chosen);
	if (text === '' && calls.length === 0) {
		const advice = 'Choose another Model, or use Generate Content for images and other files.';
		return fail(
			'The model answered with a file and no text, which an agent or a chain cannot use',
			advice,
		);
	}
	const texts = text === '' ? [] : [{ type: 'text' as const, text: redact(text) }];
	const reason = isWhole(chosen.finishReason) ? 'stop' : 'other';
	const { input, output, total } = countUsage(answer.usageMetadata);
	return {
		finishReason: calls.length > 0 ? 'tool-calls' : reason,
		usage: { promptTokens: input, completionTokens: output, totalTokens: total },
		message: { role: 'assistant', content: [...texts, ...calls] },
	};
}

const fail = (
	message: string,
	description = 'The tool was not run. Run the agent again, or choose another Model.',
): { failure: Failure } => ({
	failure: { message, description, retryable: false, next: 'changeRequest' },
});

/** Reads the arguments of a call; gateways that translate other protocols send them as JSON text. */
function readArguments(args: unknown): IDataObject | undefined {
	const given = typeof args === 'string' ? parseJson(args || '{}') : (args ?? {});
	return isObject(given) ? given : undefined;
}

/**
 * Returns a function that makes IDs for the calls of one answer, all with the same prefix; gateways
 * drop the protocol's. Other vendors' models may go on with the talk, and take only 40 characters.
 */
export function createCallIds(): (index: number) => string {
	const answer = randomUUID().replace(/-/g, '').slice(0, 24);
	return (index) => `call_${answer}_${index}`;
}

/** Returns the ID of the answer that a call belongs to; `undefined` if the call ID is not ours. */
export const answerOf = (callId = '') => /^call_([0-9a-f]{24})_\d+$/.exec(callId)?.[1];

export type Signatures = ReturnType<typeof openSignatures>;

/**
 * Opens the store of signatures by call ID, which n8n saves with the execution: a Gemini 3 model
 * refuses its own call without the signature, n8n's SDK drops it, and n8n calls this node anew for
 * each turn of an agent, after a person's approval even in another process.
 */
export function openSignatures(context: ISupplyDataFunctions, redact: (text: string) => string) {
	// n8n's types leave `getContext` out here, but every context has it.
	const { getContext } = context as unknown as Pick<IExecuteFunctions, 'getContext'>;
	const node = getContext.call(context, 'node') as { signatures?: Record<string, string> };
	return {
		redact,
		of: (callId: string) => new Map(Object.entries(node.signatures ?? {})).get(callId),
		keep(callId: string, signature: string) {
			(node.signatures ??= {})[callId] = redact(signature);
		},
	};
}
