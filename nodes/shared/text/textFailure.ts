import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../item/failure';
import type { NoText } from '../service/textApi';
import { adviceFor, lowerFirst, sentences, toFailure } from '../item/serviceFailure';
import { describeRatings, describeUsage, quoteStart } from './describe';
import { explain, isWhole } from './reasons';
import { readAnswer, type Candidate, type TextAnswer } from './response';

const MAYBE_CHARGED =
	'It may have been charged, so it was not sent again. Run it again if that is acceptable.';

/** No answer came: the service said no, or what it said was lost. */
export function toRequestFailure({ kind, error, partial }: NoText, itemIndex: number): Failure {
	const reason = `${lowerFirst(error.message)} [item ${itemIndex}]`;
	if (kind === 'unclear') {
		const what = partial ? 'The answer broke off:' : 'The answer to the prompt is lost:';
		return {
			...toFailure(error),
			message: `${what} ${reason}`,
			description: sentences(error.description, MAYBE_CHARGED, describePartial(partial)),
			retryable: false,
		};
	}
	return {
		...toFailure(error),
		message: `No text was generated: ${reason}`,
		description: sentences(error.description, adviceFor(error)),
	};
}

/** What came before an answer broke off: it is paid for, so all of it is kept. */
function describePartial(partial: IDataObject | undefined): string | undefined {
	if (!partial) return undefined;
	const { candidates, usageMetadata } = readAnswer(partial);
	const text = candidates[0]?.text ?? '';
	const written = text.trim() === '' ? 'Nothing of its text had come' : `What came: "${text}"`;
	return sentences(describeUsage(usageMetadata), written);
}

/** An answer came in which nothing may pass as one: blocked, stopped or empty. */
export function toNoAnswerFailure(answer: TextAnswer, itemIndex: number): Failure {
	const { candidates, blockReason, blockMessage, ratings, usageMetadata } = answer;
	const [candidate] = candidates;
	if (candidate) return toStoppedFailure(candidate, usageMetadata, itemIndex);
	if (blockReason === undefined) {
		const advice = 'Run it again, or change the prompt.';
		return fail('The service sent an answer without any candidate', itemIndex, {
			description: sentences(describeUsage(usageMetadata), advice),
		});
	}
	const { because, advice } = explain(blockReason);
	return fail(`The prompt was blocked${clause(because)} (blockReason ${blockReason})`, itemIndex, {
		fail_reason: blockReason,
		description: sentences(
			blockMessage,
			describeRatings(ratings),
			describeUsage(usageMetadata),
			advice,
		),
	});
}

function toStoppedFailure(
	{ text, finishReason, finishMessage, ratings }: Candidate,
	usage: IDataObject,
	itemIndex: number,
): Failure {
	const { because, advice = 'Run it again, or change the prompt.' } = explain(finishReason);
	const started = text.trim() !== '';
	const stopped = isWhole(finishReason)
		? 'The model ended its answer without any text'
		: `The model stopped ${started ? 'within its answer' : 'without any text'}${clause(because)}`;
	return fail(`${stopped} (finishReason ${finishReason})`, itemIndex, {
		fail_reason: finishReason,
		description: sentences(
			finishMessage,
			describeRatings(ratings),
			describeUsage(usage),
			advice,
			started ? `What it wrote: ${quoteStart(text)}` : undefined,
		),
	});
}

/** JSON was asked for and what came is not whole JSON. */
export function toNoJsonFailure(
	{ text, finishReason }: Candidate,
	{ usageMetadata }: TextAnswer,
	itemIndex: number,
): Failure {
	const { because, advice } = explain(finishReason);
	const message = isWhole(finishReason)
		? 'The answer is not valid JSON'
		: `The JSON of the answer is cut off${clause(because)}`;
	return fail(`${message} (finishReason ${finishReason})`, itemIndex, {
		fail_reason: finishReason,
		description: sentences(
			describeUsage(usageMetadata),
			advice ?? 'Say in the prompt which JSON is wanted, or set JSON Schema.',
			`What it wrote: ${quoteStart(text)}`,
		),
	});
}

/** The same request may end otherwise, but it is charged again. */
const fail = (
	message: string,
	itemIndex: number,
	fields: Pick<Failure, 'description' | 'fail_reason'>,
): Failure => ({
	...fields,
	message: `${message} [item ${itemIndex}]`,
	retryable: false,
	source: 'service',
});

const clause = (because: string | undefined) =>
	because === undefined ? '' : ` because ${because}`;
