/** What a reason of the service means for the answer. */
interface Reason {
	/** Ends the sentence "The model stopped because ..." or "The prompt was blocked because ...". */
	because: string;
	/** What to do. */
	advice?: string;
	/** Text that came with it was cut out of or cut off: it is no answer. */
	spoils?: boolean;
}

const REPHRASE = 'Change the prompt, or allow more in Safety Settings.';
const SAY_IT_OTHERWISE = 'Change the prompt.';
const TRY_AGAIN = 'Run it again, or change the prompt.';

const filtered = (because: string, advice = REPHRASE): Reason => ({
	because,
	advice,
	spoils: true,
});

/** Words of `finishReason` and `blockReason`. One table: what a reason means stands nowhere else. */
const REASONS: Record<string, Reason> = {
	BLOCKLIST: filtered('the content holds words of a block list', SAY_IT_OTHERWISE),
	IMAGE_OTHER: filtered('the image could not be made', TRY_AGAIN),
	IMAGE_PROHIBITED_CONTENT: filtered('the image would show what the service prohibits'),
	IMAGE_RECITATION: filtered('the image came too close to an existing one', SAY_IT_OTHERWISE),
	IMAGE_SAFETY: filtered('the safety filter rejects the image'),
	JAILBREAK: filtered(
		'the prompt is taken for an attempt to get round the rules',
		SAY_IT_OTHERWISE,
	),
	LANGUAGE: { because: 'the language is not supported', advice: 'Use another language or Model.' },
	MALFORMED_FUNCTION_CALL: { because: 'it called a function in a wrong form', advice: TRY_AGAIN },
	MALFORMED_RESPONSE: { because: 'its answer took a wrong form', advice: TRY_AGAIN },
	MAX_TOKENS: {
		because: 'the token limit was reached',
		advice: 'Raise Max Output Tokens. Where the model thinks for long, lower Thinking Budget.',
	},
	NO_IMAGE: { because: 'no image was made', advice: 'Ask for an image in the prompt.' },
	OTHER: { because: 'of a reason that the service does not name', advice: TRY_AGAIN },
	PROHIBITED_CONTENT: filtered('the service prohibits the content', SAY_IT_OTHERWISE),
	RECITATION: filtered('the answer came too close to an existing text', SAY_IT_OTHERWISE),
	SAFETY: filtered('the safety filter rejects the content'),
	SPII: filtered('the content may hold personal data that is protected', SAY_IT_OTHERWISE),
	TOO_MANY_TOOL_CALLS: { because: 'it used its tools too often', advice: TRY_AGAIN },
	UNEXPECTED_TOOL_CALL: { because: 'it called a tool that it was not given', advice: TRY_AGAIN },
};

/** The protocol's own word for "not said". */
export const UNSPECIFIED = 'FINISH_REASON_UNSPECIFIED';

/** Words of deployments that translate from another protocol. */
const OTHER_SPELLINGS: Record<string, string> = {
	CONTENT_FILTER: 'SAFETY',
	END_TURN: 'STOP',
	LENGTH: 'MAX_TOKENS',
	STOP_SEQUENCE: 'STOP',
};

function toWord(reason: string): string {
	const word = reason.trim().toUpperCase();
	return OTHER_SPELLINGS[word] ?? word;
}

/** Whether the answer came to its end; no word at all is no sign of the contrary. */
export const isWhole = (reason: string) => ['STOP', UNSPECIFIED, ''].includes(toWord(reason));

/** Whether text that came with this reason must not pass as an answer. */
export const spoilsText = (reason: string) => REASONS[toWord(reason)]?.spoils === true;

/** A word that is not in the table speaks for itself. */
export function explain(reason: string): { because?: string; advice?: string } {
	const { because, advice } = REASONS[toWord(reason)] ?? {};
	return { because, advice };
}
