import type { IDataObject } from 'n8n-workflow';

import { adviceFor, type Failure, toFailure, toInputFailure } from '../item/failure';
import { toJson } from '../lib/json';
import { lowerFirst, sentences } from '../lib/text';
import type { NoText } from '../service/textApi';
import {
	type Asker,
	describeRatings,
	describeUsage,
	explain,
	isBlock,
	isWhole,
	TRY_AGAIN,
} from './reasons';
import { type Candidate, readAnswer, type TextAnswer } from './response';

const MAYBE_BILLED =
	'It may have been billed, so it was not sent again. Run it again if paying twice is acceptable.';
const MAX_START_CHARS = 300;
/** Of an interrupted answer, in the description; a stream may go on for ever. */
const MAX_TOLD_CHARS = 10_000;
/** And beside it: n8n stores each failing item with the execution. */
const MAX_KEPT_CHARS = 1024 * 1024;

/** No answer came: the service said no, or its answer did not come whole. */
export function toRequestFailure({ kind, trouble, partial }: NoText): Failure {
	const reason = lowerFirst(trouble.message);
	if (kind === 'unclear') {
		const what = partial ? 'The answer was interrupted:' : 'The prompt got no complete answer:';
		return {
			...toFailure(trouble),
			message: `${what} ${reason}`,
			description: sentences(trouble.description, MAYBE_BILLED, describePartial(partial)),
			...keepText(partial),
			...(partial && { usage: readAnswer(partial).usageMetadata }),
			retryable: false,
			next: 'checkUsage',
		};
	}
	return {
		...toFailure(trouble),
		message: `No text was generated: ${reason}`,
		description: sentences(trouble.description, adviceFor(trouble)),
	};
}

/** What came before an answer was interrupted: it is paid for, so it is kept. */
function describePartial(partial: IDataObject | undefined): string | undefined {
	if (!partial) return undefined;
	const { candidates, usageMetadata } = readAnswer(partial);
	const text = findText(candidates);
	const calls = candidates.flatMap(({ functionCalls }) => functionCalls);
	return sentences(
		describeUsage(usageMetadata),
		text === undefined ? 'None of its text had arrived' : tellText(text),
		calls.length > 0 ? cut(`Function calls so far: ${toJson(calls)}`) : undefined,
	);
}

const findText = (candidates: Candidate[]) =>
	candidates.map(({ text }) => text).find((text) => text.trim() !== '');

const cut = (text: string) =>
	text.length > MAX_TOLD_CHARS ? `${text.slice(0, MAX_TOLD_CHARS)}...` : text;

function tellText(text: string): string {
	if (text.length <= MAX_TOLD_CHARS) return `Text so far: "${text}"`;
	const [told, all] = [MAX_TOLD_CHARS, text.length].map((count) => count.toLocaleString('en-US'));
	return `Text so far (${told} of ${all} characters, more in the field text): "${cut(text)}"`;
}

/** What is too long for the description. */
function keepText(partial: IDataObject | undefined): { text?: string } {
	const text = partial && findText(readAnswer(partial).candidates);
	if (text === undefined || text.length <= MAX_TOLD_CHARS) return {};
	return { text: text.slice(0, MAX_KEPT_CHARS) };
}

/** An answer came whole, and something went wrong here: it is paid for, so its text is kept. */
export function toUnusedFailure(thrown: unknown, answer: IDataObject): Failure {
	const { message } = toInputFailure(thrown);
	return {
		message: `The answer came, but could not be made into an item: ${lowerFirst(message)}`,
		description: sentences(MAYBE_BILLED, describeUnread(answer)),
		retryable: false,
		next: 'checkUsage',
		source: 'service',
	};
}

/** What went wrong may be in the reading of it. */
function describeUnread(answer: IDataObject): string | undefined {
	try {
		return describePartial(answer);
	} catch {
		return undefined;
	}
}

/** An answer came in which nothing may pass as one: blocked, stopped or empty. */
export function toNoAnswerFailure(answer: TextAnswer, asker: Asker = 'item'): Failure {
	const { candidates, blockReason, blockMessage, ratings, usageMetadata } = answer;
	const usage = describeUsage(usageMetadata);
	if (candidates.length > 0 && !isBlock(blockReason)) {
		return toStoppedFailure(candidates[0], usage, asker);
	}
	if (blockReason === undefined) {
		const message = 'The answer from the service contains no candidates';
		return fail(message, undefined, [usage, TRY_AGAIN]);
	}
	const { because, advice } = explain(blockReason, asker);
	const text = candidates.map((candidate) => candidate.text).find((one) => one.trim() !== '');
	const what = text === undefined ? 'The prompt was blocked' : 'The answer was blocked half-way';
	return fail(`${what}${because} (blockReason ${blockReason})`, blockReason, [
		blockMessage,
		describeRatings(ratings),
		usage,
		advice,
		describeStart(text),
	]);
}

function toStoppedFailure(
	{ text, finishReason, finishMessage, ratings }: Candidate,
	usage: string | undefined,
	asker: Asker,
): Failure {
	const { because, advice = TRY_AGAIN } = explain(finishReason, asker);
	const started = describeStart(text) !== undefined;
	const stopped = isWhole(finishReason)
		? 'The model ended its answer without any text'
		: `The model stopped ${started ? 'in the middle of its answer' : 'before writing any text'}${because}`;
	return fail(`${stopped} (finishReason ${finishReason})`, finishReason, [
		finishMessage,
		describeRatings(ratings),
		usage,
		advice,
		describeStart(text),
	]);
}

/** JSON was asked for and what came is incomplete JSON. */
export function toNoJsonFailure(
	{ text, finishReason }: Candidate,
	{ usageMetadata }: TextAnswer,
): Failure {
	const { because, advice } = explain(finishReason);
	const message = isWhole(finishReason)
		? 'The answer is not valid JSON'
		: `The JSON in the answer is cut off${because}`;
	return fail(`${message} (finishReason ${finishReason})`, finishReason, [
		describeUsage(usageMetadata),
		advice ?? 'Describe the JSON you want in the prompt, or set JSON Schema.',
		`The model wrote: ${quoteStart(text)}`,
	]);
}

/** The same request may end otherwise, but it is charged again. */
const fail = (
	message: string,
	fail_reason: string | undefined,
	description: Array<string | undefined>,
): Failure => ({
	message,
	fail_reason,
	description: sentences(...description),
	retryable: false,
	next: 'changeRequest',
	source: 'service',
});

const describeStart = (text = '') =>
	text.trim() === '' ? undefined : `The model wrote: ${quoteStart(text)}`;

/** The start of a text, as a quotation on one line. */
function quoteStart(text: string): string {
	// No more than may be shown is looked at, and what white space may stand before it.
	const line = text
		.trim()
		.slice(0, 2 * MAX_START_CHARS)
		.replace(/\s+/g, ' ');
	const isLong = text.trim().length > 2 * MAX_START_CHARS || line.length > MAX_START_CHARS;
	return `"${isLong ? `${line.slice(0, MAX_START_CHARS)}...` : line}"`;
}
