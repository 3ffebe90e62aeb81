import type { IDataObject } from 'n8n-workflow';

import { mapTexts, parseJson, toText } from '../lib/json';
import { without } from './carried';
import {
	CHECK_EXPRESSION,
	isExpression,
	partsOf,
	type Reader,
	FIELD_REFERENCES,
	withoutParts,
} from './reader';
import type { Run } from './run';

const NOTHING_SENT = 'Nothing was sent for this item.';
const IF_EMPTY = `${CHECK_EXPRESSION} If it may be empty, write {{ ... || '' }}.`;
const SHOWN_CHARS = 60;

/**
 * Matches the beginning of what reads an item, as people write it between braces. Other texts begin alike:
 * `$("#id")` of jQuery, `"$json"` in quotation marks.
 */
const REFERENCE =
	/\$(?:json\b(?!["'`])|(?:input|item|vars)\.|node(?:\s?\[|\.\w{1,60}\.(?:json|binary)\b)|\((?=\s?["'`][^"'`]{1,200}["'`]\s?\)\s?\.(?:item|first|last|all|itemMatching|pairedItem)\b)\s?["'`])/;
/** Matches one to its end; names in it may have spaces. */
const WHOLE_REFERENCE = new RegExp(
	`(?:${REFERENCE.source})(?:(?<=["'\`])[^"'\`]{0,200}["'\`])?(?:[^\\s"'\`]|"[^"]{0,200}"|'[^']{0,200}'){0,200}`,
);

/** What JavaScript makes of an object, or of a function that is not called, in the midst of a text. */
const OBJECT = /\[object [A-Z]\w{0,40}\]|\[native code\]/;

/** What JavaScript makes of values that are missing, also in a list, in the midst of a text. */
const GAPS = [/undefined/, /\bnull\b/, /NaN\b/, /\bInfinity\b/, /Invalid Date/, /\s,/, /,,/];

/** What an empty text leaves around it. */
const BLANKS = /^ | {2}| $/;

/** Matches an empty text that an expression chooses if a value is missing. */
const EMPTY_BY_CHOICE =
	/(?:\|\||\?|:)\s*(?:' *'|" *"|` *`)|\$if(?:Empty)?\([^]*,\s*(?:' *'|" *"|` *`)/;

/** Matches the texts in an expression. */
const LITERALS = /"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`/g;

/** A prompt on its way: how the parameter is called, as it was written, and as it would be sent. */
interface Prompt {
	label: string;
	/** Begins with `=` if it is an expression; missing if nobody can tell. */
	written: unknown;
	sent: string;
}

/**
 * Refuses a prompt that would be sent, and billed, as nobody means it: with an expression that n8n
 * leaves as it is, because the field is switched to Fixed or the braces are missing, or with an object
 * in the midst of its text. What an expression returned is not searched for expressions: the words of a
 * chat, say, may be about n8n.
 *
 * @param ofVideo a render is dear, so no part may be empty or contain what JavaScript makes of a missing
 *   value; an expression that writes an empty text itself is meant, as `{{ $json.style || '' }}`, and so
 *   is a word that the item has
 */
export function checkPrompt(
	read: Reader,
	{ context }: Run,
	{ label, written, sent }: Prompt,
	{ ofVideo }: { ofVideo: boolean },
): void {
	if (typeof written !== 'string') return;
	const text = isExpression(written) ? written.slice(1) : written;
	const parts = partsOf(text);
	const around = withoutParts(text).replaceAll('{{}}', '');
	const isEvaluated = isExpression(written) && parts.length > 0;
	const left = isEvaluated && ofVideo ? WHOLE_REFERENCE.exec(around)?.[0] : undefined;
	const unread = isEvaluated ? left : findExpression(text, !ofVideo);
	if (unread !== undefined) {
		const advice =
			parts.length > 0 && !isEvaluated
				? 'Switch the field from Fixed to Expression.'
				: 'Switch the field to Expression, and write it as {{ ... }}.';
		read.refuse(
			`${label} is an expression that n8n does not evaluate: ${unread.slice(0, SHOWN_CHARS)}`,
			`${advice} ${NOTHING_SENT}`,
		);
	}
	if (!isEvaluated) return;
	const valueOf = (code: string) =>
		context.evaluateExpression(`{{${code}}}`, read.itemIndex) as unknown;
	// The value of an expression that stands alone is judged where it is read.
	const isAlone = text === `{{${parts[0]}}}`;
	// What an agent fills in is known to its call alone.
	const known = parts.filter((part) => part.trim() !== '' && !/\$fromai/i.test(part));
	for (const part of isAlone ? [] : known) {
		const [what, advice] = findFault(part, valueOf(part), ofVideo) ?? [];
		if (what === undefined) continue;
		const shown = `{{${part}}}`.slice(0, SHOWN_CHARS);
		read.refuse(`Part of ${label} is ${what}: ${shown}`, `${advice} ${NOTHING_SENT}`);
	}
	if (!ofVideo) return;
	const [object] = OBJECT.exec(sent) ?? [];
	if (object !== undefined && !around.includes(object)) {
		const advice =
			'A node before this one, or the expression, has put an object or a function into a text: name a field of it, or call it.';
		read.refuse(`${label} contains ${object}`, `${advice} ${NOTHING_SENT}`);
	}
	const isKnown = known.length === parts.length;
	const gaps = isKnown ? GAPS.flatMap((gap) => gap.exec(sent)?.[0] ?? []) : [];
	if (!isKnown || (gaps.length === 0 && !BLANKS.test(sent))) return;
	const references = parts.flatMap((part) =>
		(part.match(FIELD_REFERENCES) ?? [])
			// What this node said of the item quotes the words that it refused.
			.filter((reference) => !/\berror\b/.test(reference))
			.map((reference) => ({ part, reference, value: valueOf(reference) })),
	);
	const readsAny = /\$(json|input|item)\b/.test(parts.join().replace(FIELD_REFERENCES, ''));
	const own = [around.trim()];
	const item = readsAny ? without(read.input.json, ['error']) : undefined;
	mapTexts([item, references.map(({ value }) => value)], (word) => (own.push(word), word));
	const lacking = references.find(
		({ part, value }) => String(value ?? '').trim() === '' && !EMPTY_BY_CHOICE.test(part),
	);
	if (lacking && BLANKS.test(sent) && !own.some((word) => BLANKS.test(word))) {
		const shown = lacking.reference.slice(0, SHOWN_CHARS);
		read.refuse(`${label} has a gap, because ${shown} is empty`, `${IF_EMPTY} ${NOTHING_SENT}`);
	}
	const meant = [...own, around, ...parts.flatMap((part) => part.match(LITERALS) ?? [])];
	const gap = gaps.find((found) => !meant.some((word) => word.includes(found)));
	if (gap === undefined) return;
	read.refuse(
		`${label} contains "${gap}", which an expression made of a missing value`,
		`${CHECK_EXPRESSION} If it is meant, take the text from a field of the item. ${NOTHING_SENT}`,
	);
}

/** Returns the texts of a JSON parameter that say what a video shows, wherever a service has them. */
export function findPrompts(json: unknown, written: unknown, label: string): Prompt[] {
	const text = typeof written === 'string' ? written : undefined;
	const parts = partsOf(text ?? '');
	// Quotation marks in an expression are none of the JSON around it.
	const masked = parts.reduce(
		(rest, part, i) => rest.replace(`{{${part}}}`, () => `\uE000${i}\uE001`),
		text?.replace(/^=/, '') ?? '',
	);
	const prompts: Prompt[] = [];
	const walk = (sent: unknown, source: unknown, path: string[]): void => {
		if (typeof sent === 'object' && sent !== null) {
			for (const [name, inner] of Object.entries(sent)) {
				walk(inner, (source as IDataObject | undefined)?.[name], [...path, name]);
			}
		} else if (
			typeof sent === 'string' &&
			/^((negative_?)?prompt|text)$/i.test(path.at(-1) ?? '')
		) {
			const shown = toText(source)?.replace(
				/\uE000(\d+)\uE001/g,
				(_, i: number) => `{{${parts[i]}}}`,
			);
			const own = shown !== undefined && isExpression(text) ? `=${shown}` : shown;
			// An expression that makes all of the JSON makes each of its texts, too.
			prompts.push({ label: `${path.join('.')} in ${label}`, written: own ?? written, sent });
		}
	};
	walk(json, text === undefined ? written : parseJson(masked), []);
	return prompts;
}

/** Returns what is wrong with the value of a part of a text, and what to do. */
function findFault(part: string, value: unknown, ofVideo: boolean): [string, string] | undefined {
	const isNoNumber = typeof value === 'number' && !Number.isFinite(value);
	const isNothing = value === undefined || value === null || isNoNumber;
	const words = isNothing ? '' : String(value);
	if (typeof value === 'object' && OBJECT.test(words)) {
		return ['an object', 'Name a field of it, or write {{ JSON.stringify(...) }}.'];
	}
	const isMeant = !isNothing && EMPTY_BY_CHOICE.test(part);
	if (!ofVideo || isMeant || words.trim() !== '') return undefined;
	return ['empty', IF_EMPTY];
}

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
