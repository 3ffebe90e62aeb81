import type { IDataObject } from 'n8n-workflow';

import { lowerFirst, sentences, startOf } from '../lib/text';
import { type TextFailure } from './failure';

/** What to do after an answer that ended for a reason. */
export const REASON_ADVICE: Partial<Record<string, string>> = {
	MAX_TOKENS: 'Raise Max Output Tokens, or lower Thinking.',
	RECITATION: 'The answer is too close to an existing text: change the prompt.',
	SAFETY: 'Change the prompt, or relax Safety Settings.',
};
const TRY_AGAIN = 'Run it again, or change the prompt.';
const MAYBE_BILLED =
	'The answer may have been billed, so the prompt was not sent again. Run it again if paying twice is acceptable.';
const MAX_START_CHARS = 300;

export const NOT_BILLED = 'Nothing is billed for this item.';

/**
 * Words why there is no text that can be used, and quotes the beginning of what came: it is paid for.
 *
 * @param adviceOnRefusal what to do about a refusal
 */
export function wordText(failure: TextFailure, adviceOnRefusal?: string) {
	const { how, message, description, reason = '', text, usage = {} } = failure;
	const hasText = text !== undefined;
	const advice = REASON_ADVICE[reason];
	const toWords = (words: string, ...details: Array<string | undefined>) => ({
		message: words,
		description: sentences(
			...details,
			hasText && `The model wrote: "${startOf(text, MAX_START_CHARS)}"`,
		),
	});
	const used = describeUsage(usage);
	const toUnclear = (words: string) =>
		toWords(`${words}: ${lowerFirst(message)}`, description, MAYBE_BILLED, used);
	const toEnd = (words: string) =>
		toWords(`${words} (finishReason ${reason})`, description, used, advice ?? TRY_AGAIN);
	switch (how) {
		case 'refused': {
			const words = `Nothing was generated: ${lowerFirst(message)}`;
			return toWords(words, description, adviceOnRefusal, NOT_BILLED);
		}
		case 'missing':
			return toUnclear('No complete answer arrived');
		case 'cut':
			return toUnclear('Only a part of the answer arrived');
		case 'unstored':
			return toUnclear('The answer arrived, but could not be turned into an item');
		case 'unfit':
			return toWords(`${message} (finishReason ${reason})`, used, advice ?? description);
		case 'empty':
			return toEnd('The model ended its answer without any text');
		case 'stopped':
			return toEnd(
				`The model stopped ${hasText ? 'in the middle of its answer' : 'before writing any text'}`,
			);
		case 'blocked': {
			const what = hasText ? 'The answer was blocked half-way' : 'The prompt was blocked';
			return toWords(`${what} (blockReason ${reason})`, description, used, advice ?? TRY_AGAIN);
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
