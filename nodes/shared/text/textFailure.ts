import type { IDataObject } from 'n8n-workflow';

import { adviceFor, type Failure, toFailure, toInputFailure } from '../item/failure';
import { toJson } from '../lib/json';
import { cutText, lowerFirst, sentences, startOf } from '../lib/text';
import type { NoText } from '../service/textApi';
import { type Asker, explain, isBlock, isWhole, TRY_AGAIN } from './reasons';
import { type Candidate, readAnswer, type TextAnswer } from './response';
import type { Break } from './schema';

const MAYBE_BILLED =
	'The answer may have been billed, so the prompt was not sent again. Run it again if paying twice is acceptable.';
const MAX_START_CHARS = 300;
/** The limit for quotes of an interrupted or unused answer: for its text, and for its calls. */
const MAX_TOLD_CHARS = 10_000;
/** The limit of the field `text`: an answer may be huge, and n8n stores each failing item. */
const MAX_KEPT_CHARS = 1024 * 1024;

/** Returns the failure for a refused request, or for one whose answer did not come whole. */
export function toRequestFailure({ kind, trouble, partial }: NoText): Failure {
	const reason = lowerFirst(trouble.message);
	const failure = toFailure(trouble);
	if (kind === 'refused') {
		const description = sentences(trouble.description, adviceFor(trouble));
		return { ...failure, message: `Nothing was generated: ${reason}`, description };
	}
	const what = partial ? 'Only a part of the answer arrived:' : 'No complete answer arrived:';
	return { ...failure, ...toPaidFailure(`${what} ${reason}`, partial, trouble.description) };
}

/** Returns the failure for a whole answer that could not be turned into an item. */
export function toUnusedFailure(thrown: unknown, answer: IDataObject): Failure {
	const reason = lowerFirst(toInputFailure(thrown).message);
	const message = `The answer arrived, but could not be turned into an item: ${reason}`;
	return toPaidFailure(message, answer);
}

/** @param answer the part of it that arrived, which may be paid for, so its text is kept */
function toPaidFailure(message: string, answer?: IDataObject, description?: string): Failure {
	const { candidates, usageMetadata } = readAnswer(answer ?? {});
	const text = findText(candidates);
	const calls = candidates.flatMap(({ functionCalls }) => functionCalls);
	const came = [
		describeUsage(usageMetadata),
		text === undefined ? 'No text had arrived' : tellText(text),
		calls.length > 0 ? cut(`Function calls so far: ${toJson(calls)}`) : undefined,
	];
	return {
		message,
		description: sentences(description, MAYBE_BILLED, ...(answer ? came : [])),
		...(answer && { usage: usageMetadata }),
		...(text !== undefined && text.length > MAX_TOLD_CHARS && { text: keep(text) }),
		retryable: false,
		next: 'checkUsage',
	};
}

const findText = (candidates: Candidate[]) =>
	candidates.map(({ text }) => text).find((text) => text.trim() !== '');
const keep = (text: string) => text.slice(0, MAX_KEPT_CHARS);
const cut = (text: string) => cutText(text, MAX_TOLD_CHARS);

function tellText(text: string): string {
	if (text.length <= MAX_TOLD_CHARS) return `Text so far: "${text}"`;
	const all = text.length.toLocaleString('en-US');
	return `Start of the text so far (${all} characters, more in the field text): "${cut(text)}"`;
}

/** Returns the failure for an answer with no usable candidate: blocked, stopped or empty. */
export function toNoAnswerFailure(answer: TextAnswer, asker: Asker = 'item'): Failure {
	const { candidates, blockReason, blockMessage, ratings, usageMetadata } = answer;
	const usage = describeUsage(usageMetadata);
	if (candidates.length > 0 && !isBlock(blockReason)) {
		const [{ text, finishReason, finishMessage, ratings: own }] = candidates;
		const { because, advice = TRY_AGAIN } = explain(finishReason, asker);
		const when = text.trim() === '' ? 'before writing any text' : 'in the middle of its answer';
		const stopped = isWhole(finishReason)
			? 'The model ended its answer without any text'
			: `The model stopped ${when}${because}`;
		const description = [finishMessage, describeRatings(own), usage, advice];
		return fail(`${stopped} (finishReason ${finishReason})`, finishReason, description, text);
	}
	if (blockReason === undefined) {
		return fail('The service sent an answer without any content', undefined, [usage, TRY_AGAIN]);
	}
	const { because, advice } = explain(blockReason, asker);
	const text = findText(candidates);
	const what = text === undefined ? 'The prompt was blocked' : 'The answer was blocked half-way';
	const description = [blockMessage, describeRatings(ratings), usage, advice];
	return fail(`${what}${because} (blockReason ${blockReason})`, blockReason, description, text);
}

const OTHER_MODEL = 'Choose a model that generates what Output Format asks for';
const DESCRIBE_JSON =
	'Describe the JSON in the prompt, or give an example of it under Output Format.';

/** Returns the failure for an answer that holds no JSON, or only a part of it. */
export function toNoJsonFailure({ text, finishReason }: Candidate, answer: TextAnswer): Failure {
	const { because, advice = DESCRIBE_JSON } = explain(finishReason);
	const what = isWhole(finishReason)
		? 'The answer is not valid JSON'
		: `The JSON in the answer is cut off${because}`;
	const description = [describeUsage(answer.usageMetadata), advice];
	return fail(`${what} (finishReason ${finishReason})`, finishReason, description, text);
}

export function toNoFileFailure({ text, finishReason }: Candidate, answer: TextAnswer): Failure {
	const { because, advice = OTHER_MODEL } = explain(finishReason);
	const message = `The answer has no file${because} (finishReason ${finishReason})`;
	return fail(message, finishReason, [describeUsage(answer.usageMetadata), advice], text);
}

export function toBrokenJsonFailure(
	{ text, finishReason }: Candidate,
	{ usageMetadata }: TextAnswer,
	{ path, why }: Break,
): Failure {
	const isKept = text.length <= MAX_KEPT_CHARS;
	const description = [
		describeUsage(usageMetadata),
		`The ${isKept ? 'whole' : 'beginning of the'} answer is in the field text`,
		'Run it again, or describe the JSON more closely in the prompt',
	];
	const message = `The JSON in the answer does not match the schema: ${path} ${why}`;
	return { ...fail(message, finishReason, description), text: keep(text) };
}

/** @param text the model's words, which are paid for and therefore kept */
function fail(
	message: string,
	fail_reason: string | undefined,
	description: Array<string | undefined>,
	text = '',
): Failure {
	const isSaid = text.trim() !== '';
	const said = isSaid ? `The model wrote: "${startOf(text, MAX_START_CHARS)}"` : undefined;
	return {
		message,
		fail_reason,
		description: sentences(...description, said),
		...(isSaid && { text: keep(text) }),
		// The same request may succeed, but it is charged again.
		retryable: false,
		next: 'changeRequest',
	};
}

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
