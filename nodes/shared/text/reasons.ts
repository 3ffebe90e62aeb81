import { toText } from '../lib/json';

const SAY_IT_OTHERWISE = 'Change the prompt.';
const REPHRASE = 'Change the prompt, or relax Safety Settings.';
const RAISE_LIMIT = 'Raise Max Output Tokens, or lower Thinking.';
const UNSIGNED = 'a part of the conversation came without its thoughtSignature';
const REPEAT_CONTENT = 'Pass the field content of the earlier item on in Conversation.';
export const TRY_AGAIN = 'Run it again, or change the prompt.';

/** Of each reason: the end of "The model stopped because ...", and what to do. */
const REASONS = new Map<string, [because: string, advice: string]>([
	['BLOCKLIST', ['the content contains blocklisted words', SAY_IT_OTHERWISE]],
	['IMAGE_OTHER', ['the image could not be generated', TRY_AGAIN]],
	['IMAGE_PROHIBITED_CONTENT', ['the image would show prohibited content', REPHRASE]],
	['IMAGE_RECITATION', ['the image is too close to an existing one', SAY_IT_OTHERWISE]],
	['IMAGE_SAFETY', ['the safety filter blocked the image', REPHRASE]],
	['JAILBREAK', ['the prompt looks like an attempt to bypass the rules', SAY_IT_OTHERWISE]],
	['LANGUAGE', ['the language is not supported', 'Use another language or Model.']],
	['MALFORMED_FUNCTION_CALL', ['it made a malformed function call', TRY_AGAIN]],
	['MALFORMED_RESPONSE', ['its answer was malformed', TRY_AGAIN]],
	['MAX_TOKENS', ['the token limit was reached', RAISE_LIMIT]],
	['MISSING_THOUGHT_SIGNATURE', [UNSIGNED, REPEAT_CONTENT]],
	['MODEL_ARMOR', ['the rules of the account for this model block it', SAY_IT_OTHERWISE]],
	['NO_IMAGE', ['no image was generated', 'Ask for an image in the prompt.']],
	['OTHER', ['of an unknown reason', TRY_AGAIN]],
	['PROHIBITED_CONTENT', ['the service prohibits the content', SAY_IT_OTHERWISE]],
	['RECITATION', ['the answer is too close to an existing text', SAY_IT_OTHERWISE]],
	['SAFETY', ['the safety filter blocked the content', REPHRASE]],
	['SPII', ['the content may contain protected personal data', SAY_IT_OTHERWISE]],
	['TOO_MANY_TOOL_CALLS', ['it used its tools too often', TRY_AGAIN]],
	['UNEXPECTED_TOOL_CALL', ['it called a tool that it was not given', TRY_AGAIN]],
]);

const UNSPECIFIED = 'FINISH_REASON_UNSPECIFIED';

/** Words of deployments that translate from another protocol, each with the native word for it. */
const OTHER_SPELLINGS: Record<string, string> = {
	CONTENT_FILTER: 'SAFETY',
	END_TURN: 'STOP',
	FUNCTION_CALL: 'STOP',
	LENGTH: 'MAX_TOKENS',
	STOP_SEQUENCE: 'STOP',
	TOOL_CALLS: 'STOP',
	TOOL_USE: 'STOP',
};

const toWord = (reason: string) => {
	const word = reason.trim().toUpperCase();
	return OTHER_SPELLINGS[word] ?? word;
};

/** Returns a `finishReason` as it came; none becomes UNSPECIFIED. */
export const readReason = (reason: unknown): string => toText(reason) ?? UNSPECIFIED;

/** Returns whether a reason was given; UNSPECIFIED, also as some gateways write it, means none. */
export const saysWhy = (reason: string) => toWord(reason) !== UNSPECIFIED;

/** Returns whether the answer is complete: its reason is `STOP`, or none was given. */
export const isWhole = (reason: string) => toWord(reason) === 'STOP' || !saysWhy(reason);

/** Returns whether an answer and its calls may be used: it is complete or met its token limit. */
export const isUsable = (reason: string) => isWhole(reason) || toWord(reason) === 'MAX_TOKENS';

/** Returns the later reason unless it says less: some services write `STOP` even after a block. */
export function laterReason(earlier: unknown, later: unknown): unknown {
	const rank = (reason: string) =>
		[saysWhy(reason), !isWhole(reason), !isUsable(reason)].filter(Boolean).length;
	return rank(readReason(later)) < rank(readReason(earlier)) ? earlier : later;
}

/** Returns whether a `blockReason` means a block; some gateways write UNSPECIFIED for none. */
export const isBlock = (reason: string | undefined) =>
	reason !== undefined && !/UNSPECIFIED$/i.test(reason);

/** Returns " because ..." to end a sentence with, and what to do; neither for an unknown reason. */
export function explainReason(reason: string) {
	const [because, advice] = REASONS.get(toWord(reason)) ?? [];
	return {
		because: because === undefined ? '' : ` because ${because}`,
		advice,
	};
}
