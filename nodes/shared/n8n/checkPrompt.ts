import type { Reader } from './reader';
import { CHECK_EXPRESSION, isExpression, shorten } from './values';

export const NOTHING_SENT = 'Nothing was sent for this item.';

/** Matches the code between braces as n8n finds it; a backslash before them makes them plain. */
const PARTS = /(?<!\\)\{\{(.*?)(?<!\\)\}\}/gs;
/**
 * Matches an expression that n8n has left as it is: in a field on Fixed, or without its braces
 * (https://github.com/czlonkowski/n8n-skills lists both as common mistakes).
 */
const UNEVALUATED = /\{\{[^{}]*\$[\w(][^}]*\}?\}?/;
const WITHOUT_BRACES = /\$(?:json|input|node|binary)\b[.[][^\s}]*/;
/** What JavaScript makes of a missing value, and of an object, in a text. */
const MADE_BY_CODE = /\bundefined\b|\[object Object\]/;

/**
 * Refuses a prompt that would be sent, and billed, as nobody means it: what n8n leaves unevaluated, and an
 * expression that gives nothing, or an object, in the midst of a text.
 *
 * @param ofVideo a render is dear. The words of a chat with a text model may be about expressions and
 *   `undefined`, and n8n leaves out what is missing
 */
export function checkPrompt(read: Reader, name: string, { ofVideo }: { ofVideo: boolean }): void {
	const typed = read.typed(name);
	const isEvaluated = isExpression(typed);
	const parts = isEvaluated ? [...(typed as string).matchAll(PARTS)] : [];
	for (const [part, code] of parts) {
		// The whole text is judged below, and what an agent fills in is known to its call alone.
		if (typed === `=${part}` || /\$fromai/i.test(code)) continue;
		const value = read.evaluate(code);
		const isMissing = value === undefined || value === null;
		if (isMissing ? !ofVideo : String(value) !== '[object Object]') continue;
		const what = isMissing ? String(value) : 'an object';
		const advice = isMissing
			? `${CHECK_EXPRESSION} If it may be empty, write {{ ... || '' }}.`
			: 'Name a field of it, or write {{ JSON.stringify(...) }}.';
		const message = `Part of ${read.label(name)} is ${what}: ${shorten(part)}`;
		read.refuse(message, `${advice} ${NOTHING_SENT}`);
	}
	if (!ofVideo && isEvaluated) return;
	checkPromptText(read, read.label(name), read.optionalText(name), { ofVideo, typed });
}

/**
 * Refuses the text of a prompt by itself; an empty one is refused where it is read.
 *
 * @param typed the text as the person typed it, whose own words are meant
 */
export function checkPromptText(
	read: Reader,
	label: string,
	sent: string,
	{ ofVideo, typed }: { ofVideo: boolean; typed?: unknown },
): void {
	const signs = ofVideo ? [UNEVALUATED, WITHOUT_BRACES] : [UNEVALUATED];
	const [unevaluated] = signs.flatMap((sign) => sign.exec(sent)?.[0] ?? []);
	if (unevaluated !== undefined) {
		read.refuse(
			`${label} contains an expression that n8n has not evaluated: ${shorten(unevaluated)}`,
			`If you typed it, switch the field from Fixed to Expression, and write it in {{ }}. ${NOTHING_SENT}`,
		);
	}
	const [made] = MADE_BY_CODE.exec(sent) ?? [];
	const own = typeof typed === 'string' ? typed.replace(PARTS, '') : '';
	if (made === undefined || own.includes(made)) return;
	read.refuse(
		`${label} contains "${made}"`,
		`An expression, here or in a node before, has put a missing value or an object into the text: name a field that has a text. ${NOTHING_SENT}`,
	);
}
