import type { IDataObject } from 'n8n-workflow';

import { MAX_DEPTH } from '../lib/bounded';
import { isObject, toText } from '../lib/json';
import { lastOutput, readCodeRuns, type CodeRun } from './codeRuns';
import { spoilsText, UNSPECIFIED } from './reasons';

/** Bytes that came inside an answer: an image, or what else a model makes. */
export interface InlineFile {
	mimeType: string;
	base64: string;
}

export interface Candidate {
	/** All text parts but thoughts, in order. */
	text: string;
	/** As the service spells it. */
	finishReason: string;
	/** The service's own words about the reason, where it has some. */
	finishMessage?: string;
	files: InlineFile[];
	/** Calls of functions that were declared through extra fields. */
	functionCalls: IDataObject[];
	/** Runs of the tool `codeExecution`. */
	codeRuns: CodeRun[];
	/** What a safety filter found, such as `HARASSMENT HIGH`. */
	ratings: string[];
}

export interface TextAnswer {
	candidates: Candidate[];
	/** Why the prompt was refused; there are no candidates then. */
	blockReason?: string;
	blockMessage?: string;
	/** What the filter found in the prompt. */
	ratings: string[];
	/** As it came: it may have more fields than documented, zeros and nulls. */
	usageMetadata: IDataObject;
}

const toObjects = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

/** Reads any answer of the native protocol; what is not of its form is left out. Never throws. */
export function readAnswer(answer: IDataObject): TextAnswer {
	const feedback = isObject(answer.promptFeedback) ? answer.promptFeedback : {};
	return {
		candidates: toObjects(answer.candidates).map(readCandidate),
		blockReason: toText(feedback.blockReason),
		blockMessage: toText(feedback.blockReasonMessage),
		ratings: readRatings(feedback.safetyRatings),
		usageMetadata: isObject(answer.usageMetadata) ? (answer.usageMetadata as IDataObject) : {},
	};
}

function readCandidate(candidate: IDataObject): Candidate {
	const content = isObject(candidate.content) ? candidate.content : {};
	const parts = toObjects(content.parts).filter(({ thought }) => thought !== true);
	return {
		text: parts.map(({ text }) => (typeof text === 'string' ? text : '')).join(''),
		finishReason: toText(candidate.finishReason) ?? UNSPECIFIED,
		finishMessage: toText(candidate.finishMessage),
		files: parts.flatMap(({ inlineData }) => toFiles(inlineData)),
		functionCalls: parts.map(({ functionCall }) => functionCall).filter(isObject) as IDataObject[],
		codeRuns: readCodeRuns(parts),
		ratings: readRatings(candidate.safetyRatings),
	};
}

function toFiles(inlineData: unknown): InlineFile[] {
	if (!isObject(inlineData)) return [];
	const base64 = toText(inlineData.data);
	return base64 ? [{ mimeType: toText(inlineData.mimeType) ?? '', base64 }] : [];
}

/** Only what weighed: a list of NEGLIGIBLE for every category says nothing. */
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

/** The first answer that may pass as one; `undefined` where all are empty, blocked or cut out. */
export const chooseCandidate = ({ candidates }: TextAnswer): Candidate | undefined =>
	candidates.find((candidate) => hasContent(candidate) && !spoilsText(candidate.finishReason));

/** Something a person can use; thoughts and empty parts are not. */
const hasContent = ({ text, files, functionCalls, codeRuns }: Candidate) =>
	text.trim() !== '' ||
	files.length > 0 ||
	functionCalls.length > 0 ||
	lastOutput(codeRuns) !== undefined;

/**
 * The answer as it came, without the base64 of files: those are the item's binaries. What is nested
 * too deeply for an item is nobody's file.
 */
export function withoutBytes(value: unknown, depth = 0): unknown {
	if (depth > MAX_DEPTH) return value;
	const inside = (entry: unknown) => withoutBytes(entry, depth + 1);
	if (Array.isArray(value)) return value.map(inside);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([name, entry]) => [name, inside(entry)]);
	const copy = Object.fromEntries(entries) as IDataObject;
	const { inlineData } = copy;
	if (!isObject(inlineData)) return copy;
	return { ...copy, inlineData: { ...inlineData, data: '[binary data of the item]' } };
}
