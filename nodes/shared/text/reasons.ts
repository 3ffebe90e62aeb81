import type { IDataObject } from 'n8n-workflow';

import { toText } from '../lib/json';

/** What a reason of the service means for the answer. */
interface Reason {
	/** Ends the sentence "The model stopped because ..." or "The prompt was blocked because ...". */
	because: string;
	/** What to do. */
	advice?: string;
	/** The same for an agent's model, where that has other options. */
	modelAdvice?: string;
	/** Text that came with it was cut out of or cut off: it is no answer. */
	spoils?: boolean;
}

const REPHRASE = 'Change the prompt, or relax Safety Settings.';
const SAY_IT_OTHERWISE = 'Change the prompt.';
export const TRY_AGAIN = 'Run it again, or change the prompt.';

const filtered = (because: string, advice = REPHRASE): Reason => ({
	because,
	advice,
	...(advice === REPHRASE && { modelAdvice: SAY_IT_OTHERWISE }),
	spoils: true,
});

/** Words of `finishReason` and `blockReason`. One table: what a reason means stands nowhere else. */
const REASONS = new Map<string, Reason>(
	Object.entries({
		BLOCKLIST: filtered('the content contains blocklisted words', SAY_IT_OTHERWISE),
		IMAGE_OTHER: filtered('the image could not be generated', TRY_AGAIN),
		IMAGE_PROHIBITED_CONTENT: filtered('the image would show prohibited content'),
		IMAGE_RECITATION: filtered('the image is too close to an existing one', SAY_IT_OTHERWISE),
		IMAGE_SAFETY: filtered('the safety filter blocked the image'),
		JAILBREAK: filtered('the prompt looks like an attempt to bypass the rules', SAY_IT_OTHERWISE),
		LANGUAGE: {
			because: 'the language is not supported',
			advice: 'Use another language or Model.',
		},
		MALFORMED_FUNCTION_CALL: { because: 'it made a malformed function call', advice: TRY_AGAIN },
		MALFORMED_RESPONSE: { because: 'its answer was malformed', advice: TRY_AGAIN },
		MAX_TOKENS: {
			because: 'the token limit was reached',
			advice: 'Raise Max Output Tokens or lower Thinking Budget.',
		},
		MISSING_THOUGHT_SIGNATURE: {
			because: 'a part of the conversation came without its thoughtSignature',
			advice: 'Put the field content of the earlier item into Conversation (JSON) as it is.',
			modelAdvice: 'Start the conversation anew.',
		},
		MODEL_ARMOR: filtered('the rules of the account for this model block it', SAY_IT_OTHERWISE),
		NO_IMAGE: { because: 'no image was generated', advice: 'Ask for an image in the prompt.' },
		OTHER: { because: 'of a reason that is not given', advice: TRY_AGAIN },
		PROHIBITED_CONTENT: filtered('the service prohibits the content', SAY_IT_OTHERWISE),
		RECITATION: filtered('the answer is too close to an existing text', SAY_IT_OTHERWISE),
		SAFETY: filtered('the safety filter blocked the content'),
		SPII: filtered('the content may contain protected personal data', SAY_IT_OTHERWISE),
		TOO_MANY_TOOL_CALLS: { because: 'it used its tools too often', advice: TRY_AGAIN },
		UNEXPECTED_TOOL_CALL: { because: 'it called a tool that it was not given', advice: TRY_AGAIN },
	}),
);

/** The protocol's own word for "not said". */
export const UNSPECIFIED = 'FINISH_REASON_UNSPECIFIED';

/** Words of deployments that translate from another protocol. */
const OTHER_SPELLINGS: ReadonlyMap<string, string> = new Map([
	['CONTENT_FILTER', 'SAFETY'],
	['END_TURN', 'STOP'],
	['LENGTH', 'MAX_TOKENS'],
	['STOP_SEQUENCE', 'STOP'],
]);

function toWord(reason: string): string {
	const word = reason.trim().toUpperCase();
	return OTHER_SPELLINGS.get(word) ?? word;
}

/**
 * Which of two reasons an answer ended for: a block stays one where the next chunk says `STOP` as all
 * do, and what is unspecified takes the place of nothing.
 */
export function laterReason(known: unknown, said: unknown): unknown {
	const rank = (reason: unknown) => {
		const word = toWord(toText(reason) ?? '');
		return word === '' || word === UNSPECIFIED ? 0 : isWhole(word) ? 1 : 2;
	};
	return rank(said) < rank(known) ? known : said;
}

/** Whether a reason for blocking the prompt is one; converters fill in a word for none. */
export const isBlock = (reason: string | undefined) =>
	reason !== undefined && !/UNSPECIFIED$/i.test(reason);

/** Whether the answer came to its end; no word at all is no sign of the contrary. */
export const isWhole = (reason: string) => ['STOP', UNSPECIFIED, ''].includes(toWord(reason));

/** Whether text that came with this reason must not pass as an answer. */
export const spoilsText = (reason: string) => REASONS.get(toWord(reason))?.spoils === true;

/** Which node asked: Generate Content for an item, or the model of an agent, with fewer options. */
export type Asker = 'item' | 'model';

/** A clause for the end of a sentence, and what to do; a word not in the table speaks for itself. */
export function explain(
	reason: string,
	asker: Asker = 'item',
): { because: string; advice?: string } {
	const { because, advice, modelAdvice = advice } = REASONS.get(toWord(reason)) ?? {};
	return {
		because: because === undefined ? '' : ` because ${because}`,
		advice: asker === 'model' ? modelAdvice : advice,
	};
}

/** What a safety filter found; nothing where it found nothing. */
export const describeRatings = (ratings: string[]) =>
	ratings.length > 0 ? `Safety ratings: ${ratings.join(', ')}` : undefined;

/** `Usage: 12 prompt, 0 answer, 30 thinking tokens`; counts that are not given are left out. */
export function describeUsage(usage: IDataObject): string | undefined {
	const counts = [
		[usage.promptTokenCount, 'prompt'],
		[usage.candidatesTokenCount, 'answer'],
		[usage.thoughtsTokenCount, 'thinking'],
	].filter(([count]) => typeof count === 'number');
	if (counts.length === 0) return undefined;
	return `Usage: ${counts.map(([count, what]) => `${count} ${what}`).join(', ')} tokens`;
}
