import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../shared/item/failure';
import { isObject, toText } from '../shared/lib/json';
import { lastOutput } from '../shared/text/codeRuns';
import { isWhole } from '../shared/text/reasons';
import { chooseCandidate, readAnswer, type Candidate } from '../shared/text/response';
import { toNoAnswerFailure } from '../shared/text/textFailure';
import { countUsage } from '../shared/text/usage';
import { createCallIds, keepSignature } from './callIds';
import type { Generated, Reply, Usage } from './protocol';

/** An answer as n8n's SDK takes it, with the calls of tools in it; or why it is no answer. */
export function toGenerated(raw: IDataObject): Generated | { failure: Failure } {
	const answer = readAnswer(raw);
	const chosen = chooseCandidate(answer);
	if (!chosen) return { failure: toNoAnswerFailure(answer) };
	const calls = readCalls(raw, answer.candidates.indexOf(chosen));
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
function readCalls(raw: IDataObject, index: number): ToolCall[] {
	const candidate = toObjects(raw.candidates)[index];
	const content = isObject(candidate?.content) ? candidate.content : {};
	const callId = createCallIds();
	return toObjects(content.parts)
		.filter(({ functionCall }) => isObject(functionCall))
		.map(({ functionCall, thoughtSignature }, i) => {
			const { name, args } = functionCall as IDataObject;
			const toolCallId = callId(i);
			const signature = toText(thoughtSignature);
			if (signature) keepSignature(toolCallId, signature);
			const input = JSON.stringify(isObject(args) ? args : {});
			return { type: 'tool-call', toolCallId, toolName: toText(name) ?? '', input };
		});
}

const toObjects = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

function toUsage(usage: IDataObject): Usage {
	const { input, output, total } = countUsage(usage);
	return { promptTokens: input, completionTokens: output, totalTokens: total };
}
