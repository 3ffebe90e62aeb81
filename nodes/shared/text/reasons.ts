import { toText } from '../lib/json';

const SAY_IT_OTHERWISE = 'Change the prompt.';
/** An agent's model has no Safety Settings. */
const REPHRASE = ['Change the prompt, or relax Safety Settings.', SAY_IT_OTHERWISE] as const;
const RAISE_LIMIT = 'Raise Max Output Tokens or lower Thinking Budget.';
const UNSIGNED = 'a part of the conversation came without its thoughtSignature';
const REPEAT_CONTENT =
	'Put the field content of the earlier item into Conversation (JSON) as it is.';
export const TRY_AGAIN = 'Run it again, or change the prompt.';

/**
 * Explains each `finishReason` and `blockReason`: the end of "The model stopped because ...", what
 * to do, and what else to do for an agent's model, which has fewer options.
 */
const REASONS = new Map<string, [because: string, advice: string, modelAdvice?: string]>([
	['BLOCKLIST', ['the content contains blocklisted words', SAY_IT_OTHERWISE]],
	['IMAGE_OTHER', ['the image could not be generated', TRY_AGAIN]],
	['IMAGE_PROHIBITED_CONTENT', ['the image would show prohibited content', ...REPHRASE]],
	['IMAGE_RECITATION', ['the image is too close to an existing one', SAY_IT_OTHERWISE]],
	['IMAGE_SAFETY', ['the safety filter blocked the image', ...REPHRASE]],
	['JAILBREAK', ['the prompt looks like an attempt to bypass the rules', SAY_IT_OTHERWISE]],
	['LANGUAGE', ['the language is not supported', 'Use another language or Model.']],
	['MALFORMED_FUNCTION_CALL', ['it made a malformed function call', TRY_AGAIN]],
	['MALFORMED_RESPONSE', ['its answer was malformed', TRY_AGAIN]],
	['MAX_TOKENS', ['the token limit was reached', RAISE_LIMIT]],
	['MISSING_THOUGHT_SIGNATURE', [UNSIGNED, REPEAT_CONTENT, 'Start the conversation anew.']],
	['MODEL_ARMOR', ['the rules of the account for this model block it', SAY_IT_OTHERWISE]],
	['NO_IMAGE', ['no image was generated', 'Ask for an image in the prompt.']],
	['OTHER', ['of a reason that is not given', TRY_AGAIN]],
	['PROHIBITED_CONTENT', ['the service prohibits the content', SAY_IT_OTHERWISE]],
	['RECITATION', ['the answer is too close to an existing text', SAY_IT_OTHERWISE]],
	['SAFETY', ['the safety filter blocked the content', ...REPHRASE]],
	['SPII', ['the content may contain protected personal data', SAY_IT_OTHERWISE]],
	['TOO_MANY_TOOL_CALLS', ['it used its tools too often', TRY_AGAIN]],
	['UNEXPECTED_TOOL_CALL', ['it called a tool that it was not given', TRY_AGAIN]],
]);

const UNSPECIFIED = 'FINISH_REASON_UNSPECIFIED';

/** The protocol's words by their number in its binary form, as far as all deployments agree. */
const BY_NUMBER = [UNSPECIFIED, 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION'];

/** Words of deployments that translate from another protocol. */
const OTHER_SPELLINGS: Record<string, string> = {
	CONTENT_FILTER: 'SAFETY',
	END_TURN: 'STOP',
	LENGTH: 'MAX_TOKENS',
	STOP_SEQUENCE: 'STOP',
};

const toWord = (reason: string) => {
	const word = reason.trim().toUpperCase();
	return OTHER_SPELLINGS[word] ?? word;
};

/** Returns a `finishReason` as the service spells it; a number becomes its word. */
export const readReason = (reason: unknown): string =>
	(typeof reason === 'number' ? (BY_NUMBER[reason] ?? String(reason)) : toText(reason)) ??
	UNSPECIFIED;

/** Returns whether a reason was given; converters write the protocol's word for none. */
export const saysWhy = (reason: string) => toWord(reason) !== UNSPECIFIED;

/** Returns whether the answer is complete; a missing reason does not mean that it is not. */
export const isWhole = (reason: string) => toWord(reason) === 'STOP' || !saysWhy(reason);

/** Returns whether to use an answer; after any other reason, its calls must not be made. */
export const isUsable = (reason: string) => isWhole(reason) || toWord(reason) === 'MAX_TOKENS';

/** Returns the reason that counts of two: some services write `STOP` into each chunk, also after a block. */
export function laterReason(known: unknown, said: unknown): unknown {
	const rank = (reason: string) => (!saysWhy(reason) ? 0 : isWhole(reason) ? 1 : 2);
	return rank(readReason(said)) < rank(readReason(known)) ? known : said;
}

/** Returns whether a `blockReason` means a block; converters fill in a word for none. */
export const isBlock = (reason: string | undefined) =>
	reason !== undefined && !/UNSPECIFIED$/i.test(reason);

/** Generate Content asks for an item, the other node for an agent's model. */
export type Asker = 'item' | 'model';

/** Returns the end of a sentence, and what to do; a word that is not in the table gets neither. */
export function explain(reason: string, asker: Asker = 'item') {
	const [because, advice, modelAdvice = advice] = REASONS.get(toWord(reason)) ?? [];
	return {
		because: because === undefined ? '' : ` because ${because}`,
		advice: asker === 'model' ? modelAdvice : advice,
	};
}
