import type { IDataObject } from 'n8n-workflow';

import { adviceFor, type Failure, toFailure, toInputFailure } from '../item/failure';
import { toJson } from '../lib/json';
import { lowerFirst, sentences } from '../lib/text';
import type { NoText } from '../service/textApi';
import { type Asker, explain, isBlock, isWhole, TRY_AGAIN } from './reasons';
import { type Candidate, readAnswer, type TextAnswer } from './response';
import type { Break } from './schema';

const MAYBE_BILLED =
	'It may have been billed, so it was not sent again. Run it again if paying twice is acceptable.';
const MAX_START_CHARS = 300;
/** Caps what the description quotes of an interrupted answer. */
const MAX_TOLD_CHARS = 10_000;
/** Caps the field `text`: a stream may never end, and n8n stores each failing item. */
const MAX_KEPT_CHARS = 1024 * 1024;

/** Returns the failure for a refused request, or for one whose answer did not come whole. */
export function toRequestFailure({ kind, trouble, partial }: NoText): Failure {
	const reason = lowerFirst(trouble.message);
	if (kind === 'unclear') {
		const what = partial ? 'The answer was interrupted:' : 'The prompt got no complete answer:';
		return {
			...toFailure(trouble),
			message: `${what} ${reason}`,
			description: sentences(
				trouble.description,
				MAYBE_BILLED,
				partial && describePartial(partial),
			),
			...(partial && keepPaid(partial)),
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

/** Returns the usage of a paid answer, and its text where the description does not quote all of it. */
function keepPaid(answer: IDataObject): Pick<Failure, 'text' | 'usage'> {
	const { candidates, usageMetadata } = readAnswer(answer);
	const text = findText(candidates);
	const isTold = text === undefined || text.length <= MAX_TOLD_CHARS;
	return { usage: usageMetadata, ...(!isTold && { text: text.slice(0, MAX_KEPT_CHARS) }) };
}

/** Describes the part of an answer that arrived: it is paid for, so it is kept. */
function describePartial(partial: IDataObject): string | undefined {
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

/**
 * Returns the failure for a whole answer that could not be made into an item. The answer is paid
 * for, so its text is kept.
 */
export function toUnusedFailure(thrown: unknown, answer: IDataObject): Failure {
	const { message } = toInputFailure(thrown);
	return {
		message: `The answer came, but could not be made into an item: ${lowerFirst(message)}`,
		description: sentences(MAYBE_BILLED, describePartial(answer)),
		...keepPaid(answer),
		retryable: false,
		next: 'checkUsage',
		source: 'service',
	};
}

/** Returns the failure for an answer with no usable candidate: blocked, stopped or empty. */
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
	const text = findText(candidates);
	const what = text === undefined ? 'The prompt was blocked' : 'The answer was blocked half-way';
	return fail(
		`${what}${because} (blockReason ${blockReason})`,
		blockReason,
		[blockMessage, describeRatings(ratings), usage, advice],
		text,
	);
}

function toStoppedFailure(
	{ text, finishReason, finishMessage, ratings }: Candidate,
	usage: string | undefined,
	asker: Asker,
): Failure {
	const { because, advice = TRY_AGAIN } = explain(finishReason, asker);
	const when = text.trim() === '' ? 'before writing any text' : 'in the middle of its answer';
	const stopped = isWhole(finishReason)
		? 'The model ended its answer without any text'
		: `The model stopped ${when}${because}`;
	return fail(
		`${stopped} (finishReason ${finishReason})`,
		finishReason,
		[finishMessage, describeRatings(ratings), usage, advice],
		text,
	);
}

/** Returns the failure for an answer that should be JSON, but holds none or only a part of it. */
export function toNoJsonFailure(
	{ text, finishReason }: Candidate,
	{ usageMetadata }: TextAnswer,
): Failure {
	const { because, advice } = explain(finishReason);
	const message = isWhole(finishReason)
		? 'The answer is not valid JSON'
		: `The JSON in the answer is cut off${because}`;
	const description = [
		describeUsage(usageMetadata),
		advice ?? 'Describe the JSON you want in the prompt, or set JSON Schema.',
	];
	return fail(`${message} (finishReason ${finishReason})`, finishReason, description, text);
}

/** Returns the failure for JSON that breaks the schema that was asked for. */
export const toBrokenJsonFailure = (
	{ text, finishReason }: Candidate,
	{ usageMetadata }: TextAnswer,
	{ path, why }: Break,
): Failure => ({
	...fail(`The JSON in the answer breaks JSON Schema: ${path} ${why}`, finishReason, [
		describeUsage(usageMetadata),
		'The whole answer is in the field text',
		'Run it again, or describe in the prompt or in JSON Schema what the model should do instead',
	]),
	text,
});

/**
 * Returns a failure that is not retryable: the same request may succeed, but it is charged again.
 *
 * @param text the model's words, which are paid for and therefore kept
 */
function fail(
	message: string,
	fail_reason: string | undefined,
	description: Array<string | undefined>,
	text = '',
): Failure {
	const isSaid = text.trim() !== '';
	return {
		message,
		fail_reason,
		description: sentences(
			...description,
			isSaid ? `The model wrote: ${quoteStart(text)}` : undefined,
		),
		...(isSaid && { text: text.slice(0, MAX_KEPT_CHARS) }),
		retryable: false,
		next: 'changeRequest',
		source: 'service',
	};
}

/** Returns the start of a text as a quotation on one line. */
function quoteStart(text: string): string {
	// Looks only at twice the shown length, to leave room for white space that collapses.
	const line = text
		.trim()
		.slice(0, 2 * MAX_START_CHARS)
		.replace(/\s+/g, ' ');
	return `"${line.length > MAX_START_CHARS ? `${line.slice(0, MAX_START_CHARS)}...` : line}"`;
}

/** Lists the safety ratings, if any. */
const describeRatings = (ratings: string[]) =>
	ratings.length > 0 ? `Safety ratings: ${ratings.join(', ')}` : undefined;

/** Returns `Usage: 12 prompt, 0 answer, 30 thinking tokens`, without counts that are not given. */
function describeUsage(usage: IDataObject): string | undefined {
	const counts = [
		[usage.promptTokenCount, 'prompt'],
		[usage.candidatesTokenCount, 'answer'],
		[usage.thoughtsTokenCount, 'thinking'],
	].filter(([count]) => typeof count === 'number');
	if (counts.length === 0) return undefined;
	return `Usage: ${counts.map(([count, what]) => `${count} ${what}`).join(', ')} tokens`;
}
