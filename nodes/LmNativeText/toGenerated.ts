import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../shared/item/failure';
import { isObject, parseJson, toObjects, toText } from '../shared/lib/json';
import { isWhole } from '../shared/text/reasons';
import {
	type Candidate,
	chooseCandidate,
	countUsage,
	lastOutput,
	readAnswer,
} from '../shared/text/response';
import { toNoAnswerFailure } from '../shared/text/textFailure';
import { createCallIds, keepSignature } from './callIds';
import type { Generated, Reply, Usage } from './protocol';

/** An answer as n8n's SDK takes it, with the calls of tools in it; or why it is no answer. */
export function toGenerated(raw: IDataObject): Generated | { failure: Failure } {
	const answer = readAnswer(raw);
	const chosen = chooseCandidate(answer);
	if (!chosen) return { failure: toNoAnswerFailure(answer, 'model') };
	const calls = readCalls(raw, answer.candidates.indexOf(chosen));
	if ('failure' in calls) return calls;
	const text = textOf(chosen);
	if (text === '' && calls.length === 0) return { failure: ONLY_FILES };
	const reason = isWhole(chosen.finishReason) ? 'stop' : 'other';
	return {
		finishReason: calls.length > 0 ? 'tool-calls' : reason,
		usage: toUsage(answer.usageMetadata),
		message: {
			role: 'assistant',
			content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
		},
	};
}

const ONLY_FILES: Failure = {
	message: 'The answer is a file, which an agent or a chain cannot take',
	description: 'Use Generate Content for images and other files.',
	retryable: false,
	next: 'changeRequest',
	source: 'service',
};

const textOf = ({ text, codeRuns }: Candidate) =>
	text.trim() === '' ? (lastOutput(codeRuns) ?? '') : text;

type ToolCall = Extract<Reply, { type: 'tool-call' }>;

/** Calls as they came, each under an id by which its signature is found again. */
function readCalls(raw: IDataObject, index: number): ToolCall[] | { failure: Failure } {
	const candidate = toObjects(raw.candidates)[index];
	const content = isObject(candidate?.content) ? candidate.content : {};
	const callId = createCallIds();
	const calls: ToolCall[] = [];
	for (const { functionCall, thoughtSignature } of toObjects(content.parts)) {
		if (!isObject(functionCall)) continue;
		const toolName = toText(functionCall.name) ?? '';
		const args = readArguments(functionCall.args);
		if (!args) return { failure: toArgumentsFailure(toolName) };
		const toolCallId = callId(calls.length);
		const signature = toText(thoughtSignature);
		if (signature) keepSignature(toolCallId, signature);
		calls.push({ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(args) });
	}
	return calls;
}

/** Gateways that translate from other protocols leave them as JSON text; nothing at all is none. */
function readArguments(args: unknown): IDataObject | undefined {
	if (args === undefined || args === null || args === '') return {};
	const given = typeof args === 'string' ? parseJson(args) : args;
	return isObject(given) ? given : undefined;
}

/** A tool that runs with nothing in their place may do what nobody asked for. */
const toArgumentsFailure = (toolName: string): Failure => ({
	message: `The arguments of the tool "${toolName}" in the answer cannot be read`,
	description: 'The tool was not run. Run it again, or use another Model.',
	retryable: false,
	next: 'changeRequest',
	source: 'service',
});

function toUsage(usage: IDataObject): Usage {
	const { input, output, total } = countUsage(usage);
	return { promptTokens: input, completionTokens: output, totalTokens: total };
}
