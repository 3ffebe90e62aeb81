import type { IDataObject } from 'n8n-workflow';

import { isObject, toObject, toObjects, toText } from '../lib/json';
import type { Failure, TextEnd } from '../service/failure';
import { isBlock, isUsable, readReason } from '../service/finishReason';
import { readFiles } from './answerFiles';
import { isFilled } from './names';
import { readSources } from './sources';

export type Candidate = ReturnType<typeof readCandidate>;
export type TextAnswer = ReturnType<typeof readAnswer>;

/** Reads any answer; leaves out what does not fit. Never throws. The first candidate counts. */
export function readAnswer(answer: IDataObject) {
	const feedback = toObject(answer.promptFeedback);
	const [candidate] = toObjects(answer.candidates);
	return {
		candidate: candidate && readCandidate(candidate),
		blockReason: toText(feedback.blockReason),
		blockMessage: toText(feedback.blockReasonMessage),
		ratings: readRatings(feedback.safetyRatings),
		modelVersion: toText(answer.modelVersion),
		responseId: toText(answer.responseId),
		/** As it came: it may have undocumented fields, zeros and nulls. */
		usageMetadata: isObject(answer.usageMetadata) ? answer.usageMetadata : ({} as IDataObject),
	};
}

function readCandidate(candidate: IDataObject) {
	const content = toObject(candidate.content);
	// A call inside a thought was only considered, so it must not be made.
	const all = toObjects(content.parts).filter(
		(part) => !isThought(part) || part.functionCall === undefined,
	);
	const parts = all.filter((part) => !isThought(part));
	const text = joinTexts(parts);
	const functionCalls = parts.flatMap(({ functionCall, thoughtSignature }) => {
		if (!isObject(functionCall)) return [];
		return [{ ...functionCall, ...(typeof thoughtSignature === 'string' && { thoughtSignature }) }];
	}) as IDataObject[];
	// A call without a name cannot be made.
	const isMalformed = functionCalls.some(({ name }) => toText(name) === undefined);
	return {
		text,
		/** Empty unless the model was asked to show its thoughts, and does. */
		thoughts: joinTexts(all.filter(isThought)),
		finishReason: isMalformed ? 'MALFORMED_FUNCTION_CALL' : readReason(candidate.finishReason),
		finishMessage: toText(candidate.finishMessage),
		files: readFiles(parts),
		/** Files that the service keeps; the answer holds only their addresses. */
		addresses: parts.flatMap(({ fileData }) => {
			const { fileUri, mimeType } = isObject(fileData) ? fileData : ({} as IDataObject);
			const [uri, type] = [toText(fileUri), toText(mimeType)];
			return uri ? [{ ...(type && { mimeType: type }), uri }] : [];
		}),
		functionCalls,
		turn: toTurn(all),
		codeRuns: readCodeRuns(parts),
		ratings: readRatings(candidate.safetyRatings),
		...readSources(candidate, text),
	};
}

export const isThought = ({ thought }: IDataObject) => thought === true;

export const isFilledPart = (part: IDataObject) =>
	Object.values({ ...part, thought: null }).some(isFilled);

export const joinTexts = (parts: IDataObject[]) =>
	parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');

/**
 * Returns the model's turn as the next request must repeat it; `undefined` if its text is enough. Models
 * refuse a function call or an image without its signature, and Vertex an unsigned empty text.
 */
function toTurn(parts: IDataObject[]): IDataObject | undefined {
	const isNeeded = parts.some(
		({ functionCall, thoughtSignature }) => isObject(functionCall) || Boolean(thoughtSignature),
	);
	return isNeeded ? { role: 'model', parts: parts.filter(isFilledPart) } : undefined;
}

/** Returns the runs of code. The protocol puts the result of a run into the part after its code. */
function readCodeRuns(parts: IDataObject[]): IDataObject[] {
	const runs: IDataObject[] = [];
	for (const { executableCode, codeExecutionResult } of parts) {
		if (isObject(executableCode)) runs.push({ ...executableCode });
		if (!isObject(codeExecutionResult)) continue;
		const last = runs.at(-1);
		if (last && last.outcome === undefined) runs.push({ ...runs.pop(), ...codeExecutionResult });
		else runs.push({ ...codeExecutionResult });
	}
	return runs;
}

/** Returns the output of the last run that has any; a failed run prints what went wrong. */
const lastOutput = (runs: IDataObject[]) =>
	runs.flatMap(({ output }) => (typeof output === 'string' ? [output] : [])).at(-1);

/** Returns the text of an answer; without one, the output of its code; without either, `''`. */
export const textOrOutput = ({ text, codeRuns }: Pick<Candidate, 'text' | 'codeRuns'>): string =>
	text.trim() === '' ? (lastOutput(codeRuns) ?? '') : text;

/** Returns ratings that block or are MEDIUM or HIGH; NEGLIGIBLE for each category says nothing. */
function readRatings(ratings: unknown): string[] {
	const weighed = toObjects(ratings).filter(
		({ blocked, probability }) =>
			blocked === true || probability === 'HIGH' || probability === 'MEDIUM',
	);
	return weighed.map(({ category, probability }) =>
		[toText(category)?.replace(/^HARM_CATEGORY_/, ''), toText(probability)]
			.filter(Boolean)
			.join(' '),
	);
}

/** Returns the candidate if it holds something, and neither a block nor a failure ended it. */
export function chooseCandidate({ candidate, blockReason }: TextAnswer) {
	if (!candidate || isBlock(blockReason)) return undefined;
	return hasContent(candidate) && isUsable(candidate.finishReason) ? candidate : undefined;
}

/** Returns whether a candidate holds anything usable; thoughts and empty parts do not count. */
const hasContent = ({ text, files, addresses, functionCalls, codeRuns }: Candidate) =>
	text.trim() !== '' ||
	lastOutput(codeRuns) !== undefined ||
	[files, addresses, functionCalls].some(({ length }) => length > 0);

/** The limit of the field `text`: an answer may be huge, and n8n stores each failing item. */
const MAX_KEPT_CHARS = 1024 * 1024;

/**
 * Returns the failure for an answer that cannot be used. The same request may succeed, but it is charged
 * again, and so is what arrived: its words are kept.
 */
export function toTextFailure(
	{ candidate, usageMetadata: usage }: TextAnswer,
	end: Pick<TextEnd, 'how' | 'reason' | 'ratings'>,
	facts: Pick<Failure, 'message'> & Partial<Failure>,
): Failure {
	const { text = '' } = candidate ?? {};
	return {
		...facts,
		...{ during: 'text', passes: false, textEnd: { ...end, usage } },
		...(text.trim() !== '' && { text: text.slice(0, MAX_KEPT_CHARS) }),
	};
}

/** Returns the failure for an answer with no usable candidate: blocked, stopped or empty. */
export function toEmptyFailure(answer: TextAnswer): Failure {
	const { candidate, blockReason: reason, blockMessage, ratings } = answer;
	const message = 'The answer has nothing that can be used';
	if (candidate && !isBlock(reason)) {
		const { finishReason, finishMessage: description, ratings } = candidate;
		const end = { how: 'stopped', reason: finishReason, ratings } as const;
		return toTextFailure(answer, end, { message, description });
	}
	if (reason === undefined) return toTextFailure(answer, { how: 'empty' }, { message });
	const end = { how: 'blocked', reason, ratings } as const;
	return toTextFailure(answer, end, { message, description: blockMessage });
}
