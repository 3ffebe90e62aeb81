import type { IDataObject } from 'n8n-workflow';

import { isObject, toObjects, toText } from '../lib/json';
import { lastOutput, readCodeRuns, type CodeRun } from './codeRuns';
import { readFileAddresses, type FileAddress } from './fileAddresses';
import { readFunctionCalls, toTurn } from './functionCalls';
import { readFiles, type InlineFile } from './inlineFiles';
import { isBlock, spoilsText, UNSPECIFIED } from './reasons';
import { readSources, type Sources } from './sources';

export interface Candidate extends Sources {
	/** All text parts but thoughts, in order. */
	text: string;
	/** What the model said to itself; empty where it was not asked to show it. */
	thoughts: string;
	/** As the service spells it. */
	finishReason: string;
	/** The service's own words about the reason, where it has some. */
	finishMessage?: string;
	files: InlineFile[];
	/** Of files that did not come with the answer. */
	addresses: FileAddress[];
	/** Calls of functions that were declared through extra fields. */
	functionCalls: IDataObject[];
	/** What the next turn has to repeat word for word, where it has to; with the bytes of its files. */
	turn?: IDataObject;
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
		usageMetadata: isObject(answer.usageMetadata) ? (answer.usageMetadata as IDataObject) : {},
	};
}

function readCandidate(candidate: IDataObject): Candidate {
	const content = isObject(candidate.content) ? candidate.content : {};
	const all = toObjects(content.parts);
	const parts = all.filter((part) => !isThought(part));
	const text = joinTexts(parts);
	return {
		text,
		thoughts: joinTexts(all.filter(isThought)),
		finishReason: toText(candidate.finishReason) ?? UNSPECIFIED,
		finishMessage: toText(candidate.finishMessage),
		files: readFiles(parts),
		addresses: readFileAddresses(parts),
		functionCalls: readFunctionCalls(parts),
		turn: toTurn(all),
		codeRuns: readCodeRuns(parts),
		ratings: readRatings(candidate.safetyRatings),
		...readSources(candidate, text, startsOf(all)),
	};
}

const isThought = ({ thought }: IDataObject) => thought === true;
const textOf = ({ text }: IDataObject) => (typeof text === 'string' ? text : '');
const joinTexts = (parts: IDataObject[]) => parts.map(textOf).join('');

/** Where each part begins in the text, in bytes. */
function startsOf(parts: IDataObject[]): number[] {
	let bytes = 0;
	return parts.map((part) => {
		const start = bytes;
		if (!isThought(part)) bytes += Buffer.byteLength(textOf(part));
		return start;
	});
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

/**
 * The first answer that may pass as one; `undefined` where all are empty, blocked or cut out, also
 * where the block came in the midst of them.
 */
export const chooseCandidate = ({ candidates, blockReason }: TextAnswer): Candidate | undefined =>
	isBlock(blockReason)
		? undefined
		: candidates.find((candidate) => hasContent(candidate) && !spoilsText(candidate.finishReason));

/** Something a person can use; thoughts and empty parts are not. */
const hasContent = ({ text, files, addresses, functionCalls, codeRuns }: Candidate) =>
	text.trim() !== '' ||
	files.length > 0 ||
	addresses.length > 0 ||
	functionCalls.length > 0 ||
	lastOutput(codeRuns) !== undefined;
