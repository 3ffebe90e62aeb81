import { CHECK_EXPRESSION, isExpression, type Reader } from './reader';
import type { NodeCall } from './run';

const NOTHING_SENT = 'Nothing was sent for this item.';
const SHOWN_CHARS = 60;

/** Matches the beginning of what reads an item, as people write it between braces. */
const REFERENCE = /\$(?:json\s?(?:\?\.|[.[])|(?:input|item)\.|node\s?[.[]|\(\s?["'`])/;
/** Matches one to its end; names in it may have spaces. */
const WHOLE_REFERENCE = new RegExp(
	`(?:${REFERENCE.source})(?:(?<=["'\`])[^"'\`]{0,200}["'\`])?(?:[^\\s"'\`]|"[^"]{0,200}"|'[^']{0,200}'){0,200}`,
);

/** What JavaScript makes of an object in the midst of a text. */
const OBJECT = '[object Object]';

/**
 * Refuses a Prompt that would be sent, and billed, as nobody means it: with an expression that n8n
 * leaves as it is, because the field is switched to Fixed or the braces are missing, or with an object
 * in the midst of its text. What an expression returned is not searched for expressions: the words of a
 * chat, say, may be about n8n.
 *
 * @param ofVideo a render is dear, so no part may be empty or name an object as JavaScript does; one whose
 *   expression writes an empty text itself is meant, as `{{ $json.style || '' }}`
 */
export function checkPrompt(
	read: Reader,
	{ context, parameters: { prompt: written } }: NodeCall,
	{ ofVideo }: { ofVideo: boolean },
): void {
	if (typeof written !== 'string') return;
	const label = read.label('prompt');
	const text = isExpression(written) ? written.slice(1) : written;
	const parts = partsOf(text);
	if (!isExpression(written) || parts.length === 0) {
		const left = findExpression(text, !ofVideo);
		if (left === undefined) return;
		const advice =
			parts.length > 0
				? 'Switch the field from Fixed to Expression.'
				: 'Switch the field to Expression, and write it as {{ ... }}.';
		read.refuse(
			`${label} is an expression that n8n does not evaluate: ${left.slice(0, SHOWN_CHARS)}`,
			`${advice} ${NOTHING_SENT}`,
		);
	}
	// The value of an expression that stands alone is judged where it is read.
	const isAlone = text === `{{${parts[0]}}}`;
	for (const part of isAlone ? [] : parts) {
		// What an agent fills in is known to its call alone.
		if (part.trim() === '' || /\$fromai/i.test(part)) continue;
		const value = context.evaluateExpression(`{{${part}}}`, read.itemIndex) as unknown;
		const [what, advice] = findFault(part, value, ofVideo) ?? [];
		if (what === undefined) continue;
		const shown = `{{${part}}}`.slice(0, SHOWN_CHARS);
		read.refuse(`Part of ${label} is ${what}: ${shown}`, `${advice} ${NOTHING_SENT}`);
	}
	if (ofVideo && read.optionalText('prompt').includes(OBJECT)) {
		const advice =
			'A node before this one has put an object into a text: name a field of it there.';
		read.refuse(`${label} contains ${OBJECT}`, `${advice} ${NOTHING_SENT}`);
	}
}

/** Returns what is wrong with the value of a part of a text, and what to do. */
function findFault(part: string, value: unknown, ofVideo: boolean): [string, string] | undefined {
	const isNothing = value === undefined || value === null;
	const words = isNothing ? '' : String(value);
	if (typeof value === 'object' && words.includes(OBJECT)) {
		return ['an object', 'Name a field of it, or write {{ JSON.stringify(...) }}.'];
	}
	const isMeant = !isNothing && /''|""|``/.test(part);
	if (!ofVideo || isMeant || words.trim() !== '') return undefined;
	return ['empty', `${CHECK_EXPRESSION} If it may be empty, write {{ ... || '' }}.`];
}

/** Returns what stands between braces, as n8n finds it. */
const partsOf = (text: string): string[] =>
	text
		.split(/(?<!\\)\{\{/)
		.slice(1)
		.flatMap((piece) => {
			const [part, ...rest] = piece.split(/(?<!\\)\}\}/);
			return rest.length > 0 ? [part] : [];
		});

/**
 * Returns an expression that a text has and n8n does not evaluate; `undefined` if it has none.
 *
 * @param mayQuote the text may be about n8n, so a reference without braces must be all of it
 */
function findExpression(text: string, mayQuote: boolean): string | undefined {
	const [reference] = WHOLE_REFERENCE.exec(text) ?? [];
	const inBraces = text.slice(text.indexOf('{{'), text.lastIndexOf('}}') + 2);
	// Everything that n8n gives an expression begins with `$`. Other braces may be meant as they are.
	if (inBraces.startsWith('{{') && /\$[\w(]/.test(inBraces)) return inBraces;
	return mayQuote && reference !== text.trim() ? undefined : reference;
}
