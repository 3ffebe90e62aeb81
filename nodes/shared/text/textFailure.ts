import type { IDataObject } from 'n8n-workflow';

import { toJson } from '../lib/json';
import { cutText, lowerFirst, sentences, startOf } from '../lib/text';
import type { Failure } from '../service/failure';
import { explainReason, isBlock, isWhole, TRY_AGAIN } from './reasons';
import { readAnswer, type TextAnswer } from './response';

const TEXT_MAYBE_BILLED =
	'The answer may have been billed, so the prompt was not sent again. Run it again if paying twice is acceptable.';
const MAX_START_CHARS = 300;
const MAX_CALLS_CHARS = 10_000;
/** The limit of the field `text`: an answer may be huge, and n8n stores each failing item. */
const MAX_KEPT_CHARS = 1024 * 1024;

/** @param partial what arrived of the answer, in the form of a whole one */
export const toUnclearFailure = (because: Failure, partial?: IDataObject): Failure =>
	toPaidFailure(
		`${partial ? 'Only a part of the answer' : 'No complete answer'} arrived: ${lowerFirst(because.message)}`,
		...([partial, because] as const),
	);

/** @param answer the part of it that arrived, which may be paid for, so its words are kept */
export function toPaidFailure(message: string, answer?: IDataObject, because?: Failure): Failure {
	const { candidate, usageMetadata } = readAnswer(answer ?? {});
	const calls = candidate?.functionCalls ?? [];
	const made = calls.length > 0 && `Function calls so far: ${toJson(calls)}`;
	const facts = [
		...[because?.description, TEXT_MAYBE_BILLED, describeUsage(usageMetadata)],
		made && cutText(made, MAX_CALLS_CHARS),
	];
	return {
		...{ during: 'text', certainty: 'unclear', message, because, passes: false },
		...keepWords(facts, candidate?.text),
	};
}

/** @param text the model's words, which are paid for and therefore kept */
function keepWords(description: Array<string | false | undefined>, text = '') {
	if (text.trim() === '') return { description: sentences(...description) };
	const start = `The model wrote: "${startOf(text, MAX_START_CHARS)}"`;
	return { description: sentences(...description, start), text: text.slice(0, MAX_KEPT_CHARS) };
}

/** Returns the failure for an answer with no usable candidate: blocked, stopped or empty. */
export function toEmptyFailure(answer: TextAnswer): Failure {
	const { candidate, blockReason, blockMessage, ratings } = answer;
	const isWordless = (candidate?.text ?? '').trim() === '';
	if (candidate && !isBlock(blockReason)) {
		const { finishReason, finishMessage, ratings } = candidate;
		const { because, advice = TRY_AGAIN } = explainReason(finishReason);
		const when = isWordless ? 'before writing any text' : 'in the middle of its answer';
		const stopped = isWhole(finishReason)
			? 'The model ended its answer without any text'
			: `The model stopped ${when}${because}`;
		const message = `${stopped} (finishReason ${finishReason})`;
		return fail(answer, message, finishReason, advice, finishMessage, describeRatings(ratings));
	}
	if (blockReason === undefined) {
		return fail(answer, 'The service sent an answer without any content', undefined, TRY_AGAIN);
	}
	const { because, advice } = explainReason(blockReason);
	const what = isWordless ? 'The prompt was blocked' : 'The answer was blocked half-way';
	const message = `${what}${because} (blockReason ${blockReason})`;
	return fail(answer, message, blockReason, advice, blockMessage, describeRatings(ratings));
}

/** Returns the failure for a whole answer that is not what was asked for. */
export function toUnfitFailure(
	answer: TextAnswer,
	finishReason: string,
	what: string,
	otherwise: string,
): Failure {
	const { because, advice = otherwise } = explainReason(finishReason);
	return fail(answer, `${what}${because} (finishReason ${finishReason})`, finishReason, advice);
}

const fail = (
	{ candidate, usageMetadata }: TextAnswer,
	message: string,
	finishReason: string | undefined,
	advice: string | undefined,
	...facts: Array<string | undefined>
): Failure => ({
	during: 'text',
	message,
	finishReason,
	...keepWords([...facts, describeUsage(usageMetadata), advice], candidate?.text),
	// The same request may succeed, but it is charged again.
	passes: false,
});

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
