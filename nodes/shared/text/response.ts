import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects, toText } from '../lib/json';
import { readFiles, type InlineFile } from './files';
import { isBlock, isUsable, readReason } from './reasons';
import { readSources, type Sources } from './sources';

export interface Candidate extends Sources {
	/** All text parts except thoughts, in order. */
	text: string;
	/** Empty if the model was not asked to show its thoughts. */
	thoughts: string;
	/** As the service spells it. */
	finishReason: string;
	/** The service's own words about the reason, if any. */
	finishMessage?: string;
	files: InlineFile[];
	/** Files that the service keeps; the answer holds only their addresses. */
	addresses: Array<{ mimeType?: string; uri: string }>;
	/** Calls of declared functions, each with the signature of its part. */
	functionCalls: IDataObject[];
	/** The turn that the next request must repeat word for word, with the bytes of its files. */
	turn?: IDataObject;
	/** Runs of the tool `codeExecution`. */
	codeRuns: CodeRun[];
	/** The findings of a safety filter, such as `HARASSMENT HIGH`. */
	ratings: string[];
}

export interface TextAnswer {
	candidates: Candidate[];
	/** Why the prompt, or the rest of the answer, was blocked. Candidates may have come before. */
	blockReason?: string;
	blockMessage?: string;
	/** The filter's findings about the prompt. */
	ratings: string[];
	/** The service's name for the model that answered; `responseId` is its name for the answer. */
	modelVersion?: string;
	responseId?: string;
	/** As it came: it may have undocumented fields, zeros and nulls. */
	usageMetadata: IDataObject;
}

/** Reads any answer of the native protocol; leaves out anything that does not fit. Never throws. */
export function readAnswer(answer: IDataObject): TextAnswer {
	const feedback = isObject(answer.promptFeedback) ? answer.promptFeedback : {};
	return {
		candidates: toObjects(answer.candidates).map(readCandidate),
		blockReason: toText(feedback.blockReason),
		blockMessage: toText(feedback.blockReasonMessage),
		ratings: readRatings(feedback.safetyRatings),
		modelVersion: toText(answer.modelVersion),
		responseId: toText(answer.responseId),
		usageMetadata: isObject(answer.usageMetadata) ? answer.usageMetadata : {},
	};
}

function readCandidate(candidate: IDataObject): Candidate {
	const content = isObject(candidate.content) ? candidate.content : {};
	// The model only considered a call that stands inside a thought.
	const all = toObjects(content.parts).filter(
		(part) => !isThought(part) || part.functionCall === undefined,
	);
	const parts = all.filter((part) => !isThought(part));
	const text = joinTexts(parts);
	const functionCalls = parts.flatMap(({ functionCall, thoughtSignature }) => {
		if (!isObject(functionCall)) return [];
		return [{ ...functionCall, ...(typeof thoughtSignature === 'string' && { thoughtSignature }) }];
	});
	// A call without a name cannot be made.
	const isMalformed = functionCalls.some(({ name }: IDataObject) => toText(name) === undefined);
	return {
		text,
		thoughts: joinTexts(all.filter(isThought)),
		finishReason: isMalformed ? 'MALFORMED_FUNCTION_CALL' : readReason(candidate.finishReason),
		finishMessage: toText(candidate.finishMessage),
		files: readFiles(parts),
		addresses: readAddresses(parts),
		functionCalls,
		turn: toTurn(all),
		codeRuns: readCodeRuns(parts),
		ratings: readRatings(candidate.safetyRatings),
		...readSources(candidate, text),
	};
}

const isThought = ({ thought }: IDataObject) => thought === true;
const joinTexts = (parts: IDataObject[]) =>
	parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');

function readAddresses(parts: IDataObject[]): Candidate['addresses'] {
	return parts.flatMap(({ fileData }) => {
		if (!isObject(fileData)) return [];
		const uri = toText(fileData.fileUri);
		const mimeType = toText(fileData.mimeType);
		return uri ? [{ ...(mimeType && { mimeType }), uri }] : [];
	});
}

/**
 * Returns the model's turn as the next request must repeat it; `undefined` if repeating its text is
 * enough. Models refuse a function call, and the editing of an image, if the signature was lost.
 * Vertex refuses a turn with an empty text, unless the text is signed.
 */
function toTurn(parts: IDataObject[]): IDataObject | undefined {
	const isNeeded = parts.some(
		({ functionCall, thoughtSignature }) => isObject(functionCall) || Boolean(thoughtSignature),
	);
	const isEmpty = ({ text, ...more }: IDataObject) =>
		(text === '' || text === undefined) && Object.keys(more).every((name) => name === 'thought');
	return isNeeded ? { role: 'model', parts: parts.filter((part) => !isEmpty(part)) } : undefined;
}

/** Code that the model ran at the service, and its result, in the service's spelling. */
export interface CodeRun extends IDataObject {
	language?: string;
	code?: string;
	/** Such as `OUTCOME_OK`; missing if the answer ended before the run did. */
	outcome?: string;
	output?: string;
}

/** Returns the runs of code. The protocol puts the result of a run into the part after its code. */
function readCodeRuns(parts: IDataObject[]): CodeRun[] {
	const runs: CodeRun[] = [];
	for (const { executableCode, codeExecutionResult } of parts) {
		if (isObject(executableCode)) runs.push({ ...executableCode });
		if (!isObject(codeExecutionResult)) continue;
		const last = runs.at(-1);
		if (last && last.outcome === undefined) Object.assign(last, codeExecutionResult);
		else runs.push({ ...codeExecutionResult });
	}
	return runs;
}

/** Returns the output of the last run that has any; a failed run prints what went wrong. */
export const lastOutput = (runs: CodeRun[]) =>
	runs.filter(({ output }) => typeof output === 'string').at(-1)?.output;

/** Returns only ratings that matter: a list of NEGLIGIBLE for every category says nothing. */
function readRatings(ratings: unknown): string[] {
	return toObjects(ratings)
		.filter(
			({ blocked, probability }) =>
				blocked === true || /^(HIGH|MEDIUM)$/.test(toText(probability) ?? ''),
		)
		.map(({ category, probability }) =>
			[toText(category)?.replace(/^HARM_CATEGORY_/, ''), toText(probability)]
				.filter(Boolean)
				.join(' '),
		);
}

/**
 * Returns the first usable candidate; `undefined` if all are empty, blocked or cut, or if a block
 * came while they were being written.
 */
export const chooseCandidate = ({ candidates, blockReason }: TextAnswer): Candidate | undefined =>
	isBlock(blockReason)
		? undefined
		: candidates.find((candidate) => hasContent(candidate) && isUsable(candidate.finishReason));

/** Returns whether a candidate holds anything usable; thoughts and empty parts are not. */
const hasContent = ({ text, files, addresses, functionCalls, codeRuns }: Candidate) =>
	text.trim() !== '' ||
	files.length > 0 ||
	addresses.length > 0 ||
	functionCalls.length > 0 ||
	lastOutput(codeRuns) !== undefined;

/** Tokens as billed: thoughts count as output, what tools add to the prompt as input. */
export interface TokenCount {
	input: number;
	output: number;
	/** The service's own sum; without one, input plus output. */
	total: number;
}

/** Reads `usageMetadata`; a value that is not a positive number counts as 0. */
export function countUsage(usage: IDataObject): TokenCount {
	const [prompt, tools, answer, thoughts, sum] = [
		...[usage.promptTokenCount, usage.toolUsePromptTokenCount],
		...[usage.candidatesTokenCount, usage.thoughtsTokenCount, usage.totalTokenCount],
	].map((value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0));
	const [input, output] = [prompt + tools, answer + thoughts];
	return { input, output, total: sum || input + output };
}
