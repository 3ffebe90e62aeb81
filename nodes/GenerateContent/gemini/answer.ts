import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../../shared/failure/failure';
import { isFilled, isObject, toObject, toObjects, toText } from '../../shared/lib/json';
import { readInlineFiles, takeOutPictures } from './files';
import { lastFilled } from './protocol';
import { readSources } from './sources';
import { type TextEnd, textFailed } from './textFailed';

export type TextAnswer = ReturnType<typeof readAnswer>;

/**
 * Reads an answer, whole or streamed: one chunk, or several in the same form. Texts are joined, parts
 * and sources add up; of all else, the last that says something counts. Leaves out what does not fit.
 */
export function readAnswer(chunks: IDataObject[]) {
	const { modelVersion, promptFeedback, responseId, usageMetadata } = lastFilled(chunks);
	const { blockReason, blockReasonMessage } = toObject(promptFeedback);
	const candidates = chunks.flatMap(candidateOf);
	const { finishReason, finishMessage } = lastFilled(candidates);
	const all = joinTexts(candidates.flatMap(partsOf));
	const parts = all.filter((part) => !isThought(part));
	const { text, pictures } = takeOutPictures(textOf(parts));
	return {
		text,
		/** Empty unless the model was asked to show its thoughts, and does. */
		thoughts: textOf(all.filter(isThought)),
		finishReason: toText(finishReason),
		finishMessage: toText(finishMessage),
		blockReason: toText(blockReason),
		blockMessage: toText(blockReasonMessage),
		/** Files whose bytes came in the answer. */
		files: [...readInlineFiles(parts), ...pictures],
		/** Files that the service keeps; the answer holds only their addresses. */
		addresses: parts.flatMap(({ fileData }) => {
			const { fileUri, mimeType } = toObject(fileData);
			const uri = toText(fileUri);
			return uri ? [lastFilled([{ mimeType: toText(mimeType), uri }])] : [];
		}),
		functionCalls: parts.flatMap(({ functionCall, thoughtSignature }) =>
			isObject(functionCall)
				? [{ ...functionCall, ...(isFilled(thoughtSignature) && { thoughtSignature }) }]
				: [],
		),
		content: toTurn(all),
		codeExecution: readCodeRuns(parts),
		sources: readSources(candidates),
		modelVersion: toText(modelVersion),
		responseId: toText(responseId),
		usageMetadata: toObject(usageMetadata),
	};
}

/** Returns the words that a chunk adds, without thoughts. */
export const wordsIn = (chunk: IDataObject): string =>
	textOf(
		candidateOf(chunk)
			.flatMap(partsOf)
			.filter((part) => !isThought(part)),
	);

/** Returns the candidate of a chunk in a list; the first one counts if there are several. */
export const candidateOf = ({ candidates }: IDataObject): IDataObject[] =>
	toObjects(candidates)
		.filter(({ index = 0 }) => index === 0)
		.slice(0, 1);

const partsOf = ({ content }: IDataObject) => toObjects(toObject(content).parts);
const isThought = ({ thought }: IDataObject) => thought === true;
const textOf = (parts: IDataObject[]) =>
	parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');

/** Joins texts that follow each other, as the pieces of a stream do. */
function joinTexts(parts: IDataObject[]): IDataObject[] {
	const joined: Array<IDataObject & { pieces?: string[] }> = [];
	for (const part of parts) {
		const { text, thought } = part;
		const isPlain =
			typeof text === 'string' &&
			Object.keys(part).every((name) => name === 'text' || name === 'thought');
		const last = joined.at(-1);
		if (isPlain && last?.pieces && last.thought === thought) last.pieces.push(text);
		else joined.push(isPlain ? { ...part, pieces: [text] } : part);
	}
	return joined.map(({ pieces, ...part }) => (pieces ? { ...part, text: pieces.join('') } : part));
}

/**
 * Returns the model's turn as the next request must repeat it; `undefined` if its text is enough. Models
 * refuse a function call without its signature, and Vertex an empty text without one. Files are in the
 * binary data of the item.
 */
function toTurn(parts: IDataObject[]): IDataObject | undefined {
	const repeated = parts.filter(
		(part) =>
			part.inlineData === undefined &&
			Object.entries(part).some(([name, value]) => name !== 'thought' && isFilled(value)),
	);
	const isNeeded = repeated.some(
		({ functionCall, thoughtSignature }) => isObject(functionCall) || isFilled(thoughtSignature),
	);
	return isNeeded ? { role: 'model', parts: repeated } : undefined;
}

/** Returns the runs of code. The protocol puts the result of a run into the part after its code. */
function readCodeRuns(parts: IDataObject[]): IDataObject[] {
	const runs: IDataObject[] = [];
	for (const { executableCode, codeExecutionResult } of parts) {
		if (isObject(executableCode)) runs.push(executableCode);
		if (isObject(codeExecutionResult))
			runs.push(lastFilled([runs.pop() ?? {}, codeExecutionResult]));
	}
	return runs;
}

/** Returns the chunks of a stream as one, in the form of an answer that was not streamed. */
export function toResponse(chunks: IDataObject[]): IDataObject {
	if (chunks.length === 1) return chunks[0];
	const candidates = chunks.flatMap(candidateOf);
	const content = lastFilled(candidates.map((candidate) => toObject(candidate.content)));
	const parts = joinTexts(candidates.flatMap(partsOf));
	return {
		...lastFilled(chunks),
		candidates: [{ ...lastFilled(candidates), content: { ...content, parts } }],
	};
}

/** Returns the text of an answer; without one, what its code has printed. */
export const textOrOutput = ({ text, codeExecution }: TextAnswer): string =>
	text.trim() === '' ? String(codeExecution.at(-1)?.output ?? '') : text;

/** Reasons of answers that can be used; of any other, the vendor says that something is wrong. */
const USABLE = ['STOP', 'MAX_TOKENS'];

/** Returns the failure for an answer that was blocked, that something else stopped, or that is empty. */
export function findUnusable(answer: TextAnswer): Failure | undefined {
	const { finishReason = '', finishMessage, blockReason, blockMessage } = answer;
	const fail = (how: TextEnd, reason: string, description?: string) =>
		textFailed(answer, { how, reason }, { message: 'There is no answer', description });
	if (blockReason) return fail('blocked', blockReason, blockMessage);
	if (!USABLE.includes(finishReason)) return fail('stopped', finishReason, finishMessage);
	if (hasContent(answer)) return undefined;
	return fail(finishReason === 'STOP' ? 'empty' : 'stopped', finishReason, finishMessage);
}

/** Returns whether an answer holds anything to use; thoughts do not count. */
const hasContent = ({ text, ...answer }: TextAnswer) =>
	text.trim() !== '' ||
	[answer.files, answer.addresses, answer.functionCalls, answer.codeExecution].some(isFilled);
