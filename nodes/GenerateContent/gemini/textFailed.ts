import type { IDataObject } from 'n8n-workflow';

import { type Failure, NOT_BILLED, nextAfter } from '../../shared/failure/failure';
import type { Reason } from '../../shared/failure/reason';
import { withoutGaps } from '../../shared/lib/json';
import { lowerFirst, sentences, startOf } from '../../shared/lib/text';

/**
 * How there is no text that can be used as it is. `cut`: only a part came, and `missing`: nothing.
 * `unstored`: n8n could not take it. `stopped`: the model ended it. `blocked`: a filter did. `empty`: it
 * holds nothing. `unfit`: it is not what was asked for.
 */
export type TextEnd = (typeof UNCLEAR_TEXTS)[number] | ('stopped' | 'blocked' | 'empty' | 'unfit');
const UNCLEAR_TEXTS = ['cut', 'missing', 'unstored'] as const;

/** What came, as far as it did: it is paid for. */
export interface CameSoFar {
	text: string;
	/** As the service counts it. */
	usageMetadata: IDataObject;
}

/** What to do after an answer that ended for a reason. */
export const REASON_ADVICE = new Map([
	['MAX_TOKENS', 'Raise Max Output Tokens, or lower Thinking.'],
	['RECITATION', 'The answer is too close to an existing text: change the prompt.'],
	['SAFETY', 'Change the prompt, or relax Safety Settings.'],
]);
const TRY_AGAIN = 'Run it again, or change the prompt.';
const MAYBE_PAID =
	'The answer may have been billed, so the prompt was not sent again. Run it again if paying twice is acceptable.';
const MAX_START_CHARS = 300;
/** The limit of the field `text`: an answer may be huge, and n8n stores each failing item. */
const MAX_KEPT_CHARS = 1024 * 1024;

/** The service declined a text before it did any work. */
export function textRefused(reason: Reason): Failure {
	const { message, description, advice, httpCode, passes } = reason;
	return withoutGaps<Failure>({
		kind: 'text',
		message: `Nothing was generated: ${lowerFirst(message)}`,
		description: sentences(description, advice, NOT_BILLED),
		billed: 'no',
		next: nextAfter(reason),
		retryable: passes,
		http_code: httpCode,
		refusal: reason,
	});
}

/**
 * There is no text that can be used. The same request may succeed, but it is charged again, and so is what
 * arrived: its words are kept.
 *
 * @param reason why the model stopped, or a filter blocked, in the service's word
 */
export function textFailed(
	{ text, usageMetadata }: CameSoFar,
	{ how, reason }: { how: TextEnd; reason?: string },
	met: Pick<Reason, 'message' | 'description' | 'httpCode'>,
): Failure {
	const came = text.trim() === '' ? undefined : text.slice(0, MAX_KEPT_CHARS);
	const isUnclear = UNCLEAR_TEXTS.some((one) => one === how);
	const [message, ...details] = wordsFor(how, reason, met, came, describeUsage(usageMetadata));
	const wrote = came && `The model wrote: "${startOf(came, MAX_START_CHARS)}"`;
	return withoutGaps<Failure>({
		kind: 'text',
		message,
		description: sentences(...details, wrote),
		billed: 'unknown',
		next: isUnclear ? 'checkUsage' : 'changeRequest',
		retryable: false,
		fail_reason: reason,
		http_code: met.httpCode,
		text: came,
	});
}

/** Returns the message, and the sentences of its description. */
function wordsFor(
	how: TextEnd,
	reason = '',
	{ message, description }: Pick<Reason, 'message' | 'description'>,
	came: string | undefined,
	used: string | undefined,
): [string, ...Array<string | undefined>] {
	const advice = REASON_ADVICE.get(reason);
	const unclear = (words: string): ReturnType<typeof wordsFor> => [
		...([`${words}: ${lowerFirst(message)}`, description, MAYBE_PAID, used] as const),
	];
	const ended = (words: string): ReturnType<typeof wordsFor> => [
		...([`${words} (finishReason ${reason})`, description, used, advice ?? TRY_AGAIN] as const),
	];
	switch (how) {
		case 'missing':
			return unclear('No complete answer arrived');
		case 'cut':
			return unclear('Only a part of the answer arrived');
		case 'unstored':
			return unclear('The answer arrived, but could not be turned into an item');
		case 'unfit':
			return [`${message} (finishReason ${reason})`, used, advice ?? description];
		case 'empty':
			return ended('The model ended its answer without any text');
		case 'stopped':
			return ended(
				`The model stopped ${came ? 'in the middle of its answer' : 'before writing any text'}`,
			);
		case 'blocked': {
			const what = came ? 'The answer was blocked half-way' : 'The prompt was blocked';
			return [`${what} (blockReason ${reason})`, description, used, advice ?? TRY_AGAIN];
		}
	}
}

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
