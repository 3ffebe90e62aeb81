import type { IDataObject } from 'n8n-workflow';

import { lowerFirst, sentences, startOf } from '../lib/text';
import type { Failure, TextEnd } from '../service/failure';
import { isWhole, toNative } from '../service/finishReason';

const CHANGE_PROMPT = 'Change the prompt.';
const RELAX_SAFETY = 'Change the prompt, or relax Safety Settings.';
const RAISE_LIMIT = 'Raise Max Output Tokens, or lower Thinking.';
const UNSIGNED = 'a part of the conversation came without its thoughtSignature';
const REPEAT_CONTENT = 'Pass the field content of the earlier item on in Conversation.';
const TRY_AGAIN = 'Run it again, or change the prompt.';

/** Of each reason: the end of "The model stopped because ...", and what to do. */
const REASONS = new Map<string, [because: string, advice: string]>([
	['BLOCKLIST', ['the content contains blocklisted words', CHANGE_PROMPT]],
	['IMAGE_OTHER', ['the image could not be generated', TRY_AGAIN]],
	['IMAGE_PROHIBITED_CONTENT', ['the image would show prohibited content', RELAX_SAFETY]],
	['IMAGE_RECITATION', ['the image is too close to an existing one', CHANGE_PROMPT]],
	['IMAGE_SAFETY', ['the safety filter blocked the image', RELAX_SAFETY]],
	['JAILBREAK', ['the prompt looks like an attempt to bypass the rules', CHANGE_PROMPT]],
	['LANGUAGE', ['the language is not supported', 'Use another language or Model.']],
	['MALFORMED_FUNCTION_CALL', ['it made a malformed function call', TRY_AGAIN]],
	['MALFORMED_RESPONSE', ['its answer was malformed', TRY_AGAIN]],
	['MAX_TOKENS', ['the token limit was reached', RAISE_LIMIT]],
	['MISSING_THOUGHT_SIGNATURE', [UNSIGNED, REPEAT_CONTENT]],
	['MODEL_ARMOR', ['the rules of the account for this model block it', CHANGE_PROMPT]],
	['NO_IMAGE', ['no image was generated', 'Ask for an image in the prompt.']],
	['OTHER', ['of an unknown reason', TRY_AGAIN]],
	['PROHIBITED_CONTENT', ['the service prohibits the content', CHANGE_PROMPT]],
	['RECITATION', ['the answer is too close to an existing text', CHANGE_PROMPT]],
	['SAFETY', ['the safety filter blocked the content', RELAX_SAFETY]],
	['SPII', ['the content may contain protected personal data', CHANGE_PROMPT]],
	['TOO_MANY_TOOL_CALLS', ['it used its tools too often', TRY_AGAIN]],
	['UNEXPECTED_TOOL_CALL', ['it called a tool that it was not given', TRY_AGAIN]],
]);

/** Returns " because ..." to end a sentence with, and what to do; neither for an unknown reason. */
export function explainReason(reason: string) {
	const [because, advice] = REASONS.get(toNative(reason)) ?? [];
	return { because: because === undefined ? '' : ` because ${because}`, advice };
}

const MAYBE_BILLED =
	'The answer may have been billed, so the prompt was not sent again. Run it again if paying twice is acceptable.';
const MAX_START_CHARS = 300;

const ARRIVED = {
	cut: 'Only a part of the answer arrived',
	missing: 'No complete answer arrived',
	unstored: 'The answer arrived, but could not be turned into an item',
};

/** Words how a text ended that cannot be used as it is, and quotes its beginning: it is paid for. */
export function wordTextEnd({ message, description, text }: Failure, end: TextEnd) {
	const { how, reason = '', ratings = [], usage } = end;
	const { because, advice } = explainReason(reason);
	const used = describeUsage(usage);
	const rated = ratings.length > 0 && `Safety ratings: ${ratings.join(', ')}`;
	const start = text !== undefined && `The model wrote: "${startOf(text, MAX_START_CHARS)}"`;
	const toMessage = (words: string, ...details: Array<string | false | undefined>) => ({
		message: words,
		description: sentences(...details, start),
	});
	switch (how) {
		case 'empty':
			return toMessage('The service sent an answer without any content', used, TRY_AGAIN);
		case 'unfit': {
			const unfit = `${message}${because} (finishReason ${reason})`;
			return toMessage(unfit, used, advice ?? description);
		}
		case 'blocked': {
			const what =
				text === undefined ? 'The prompt was blocked' : 'The answer was blocked half-way';
			const blocked = `${what}${because} (blockReason ${reason})`;
			return toMessage(blocked, description, rated, used, advice);
		}
		case 'stopped': {
			const when = text === undefined ? 'before writing any text' : 'in the middle of its answer';
			const stopped = isWhole(reason)
				? 'The model ended its answer without any text'
				: `The model stopped ${when}${because}`;
			const words = `${stopped} (finishReason ${reason})`;
			return toMessage(words, description, rated, used, advice ?? TRY_AGAIN);
		}
		default: {
			const arrived = `${ARRIVED[how]}: ${lowerFirst(message)}`;
			return toMessage(arrived, description, MAYBE_BILLED, used);
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
