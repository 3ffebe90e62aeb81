import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects, toText } from '../lib/json';
import { readFiles, type InlineFile } from './files';
import { isBlock, isUsable, readReason } from './reasons';
import { readSources, type Sources } from './sources';

export interface Candidate extends Sources {
	/** All text parts but thoughts, in order. */
	text: string;
	/** Empty where the model was not asked to show its thoughts. */
	thoughts: string;
	/** As the service spells it. */
	finishReason: string;
	/** The service's own words about the reason, where it has some. */
	finishMessage?: string;
	files: InlineFile[];
	/** Files that the service keeps, as it spells them. */
	addresses: Array<{ mimeType?: string; uri: string }>;
	/** Calls of functions that were declared, with the signatures of their parts. */
	functionCalls: IDataObject[];
	/** The turn that the next request has to repeat word for word, with the bytes of its files. */
	turn?: IDataObject;
	/** Runs of the tool `codeExecution`. */
	codeRuns: CodeRun[];
	/** The findings of a safety filter, such as `HARASSMENT HIGH`. */
	ratings: string[];
}

export interface TextAnswer {
	candidates: Candidate[];
	/** Why the prompt was refused; there are no candidates then. */
	blockReason?: string;
	blockMessage?: string;
	/** The findings of the filter in the prompt. */
	ratings: string[];
	/** The model that answered, as the service calls it, and the service's name for the answer. */
	modelVersion?: string;
	responseId?: string;
	/** As it came: it may have more fields than documented, zeros and nulls. */
	usageMetadata: IDataObject;
}

/** Reads any answer of the native protocol; what is not of its form is left out. Never throws. */
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
	// The model has only thought of a call inside a thought.
	const all = toObjects(content.parts).filter(
		(part) => !isThought(part) || part.functionCall === undefined,
	);
	const parts = all.filter((part) => !isThought(part));
	const text = joinTexts(parts);
	const functionCalls = parts.flatMap(({ functionCall, thoughtSignature }) => {
		if (!isObject(functionCall)) return [];
		return [{ ...functionCall, ...(typeof thoughtSignature === 'string' && { thoughtSignature }) }];
	});
	// Nobody can make a call without a name.
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
 * Returns the turn of the model as the next request has to repeat it: models refuse a call of a
 * function, and the editing of an image, whose signature is lost on the way. Returns `undefined`
 * where a text says it as well. Vertex refuses a turn with an empty text, unless it is signed.
 */
function toTurn(parts: IDataObject[]): IDataObject | undefined {
	const isNeeded = parts.some(
		({ functionCall, thoughtSignature }) => isObject(functionCall) || Boolean(thoughtSignature),
	);
	const isEmpty = ({ text, ...more }: IDataObject) =>
		(text === '' || text === undefined) && Object.keys(more).every((name) => name === 'thought');
	return isNeeded ? { role: 'model', parts: parts.filter((part) => !isEmpty(part)) } : undefined;
}

/** Code that the model ran at the service, and its result, as the service spells them. */
export interface CodeRun extends IDataObject {
	language?: string;
	code?: string;
	/** Such as `OUTCOME_OK`; missing where the answer ended before the run did. */
	outcome?: string;
	output?: string;
}

/** The protocol puts the result of a run into the part behind its code. */
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

/** Returns what the last run printed; a failed one prints what went wrong. */
export const lastOutput = (runs: CodeRun[]) =>
	runs.filter(({ output }) => typeof output === 'string').at(-1)?.output;

/** Returns only what weighed: a list of NEGLIGIBLE for every category says nothing. */
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
 * Returns the first answer that may pass as one; `undefined` where all are empty, blocked or cut out,
 * also where the block came in the midst of them.
 */
export const chooseCandidate = ({ candidates, blockReason }: TextAnswer): Candidate | undefined =>
	isBlock(blockReason)
		? undefined
		: candidates.find((candidate) => hasContent(candidate) && isUsable(candidate.finishReason));

/** Whether there is something that a person can use; thoughts and empty parts are not. */
const hasContent = ({ text, files, addresses, functionCalls, codeRuns }: Candidate) =>
	text.trim() !== '' ||
	files.length > 0 ||
	addresses.length > 0 ||
	functionCalls.length > 0 ||
	lastOutput(codeRuns) !== undefined;

/** Tokens as they are billed: thoughts as output, what tools bring into the prompt as input. */
export interface TokenCount {
	input: number;
	output: number;
	/** As the service sums them up, else both together. */
	total: number;
}

/** Reads `usageMetadata`; what is no count is none. */
export function countUsage(usage: IDataObject): TokenCount {
	const [prompt, tools, answer, thoughts, sum] = [
		...[usage.promptTokenCount, usage.toolUsePromptTokenCount],
		...[usage.candidatesTokenCount, usage.thoughtsTokenCount, usage.totalTokenCount],
	].map((value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0));
	const [input, output] = [prompt + tools, answer + thoughts];
	return { input, output, total: sum || input + output };
}
