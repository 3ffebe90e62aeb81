import type { IDataObject } from 'n8n-workflow';

import { mapTexts, parseJson, toText } from '../lib/json';
import { without } from './carried';
import {
	CHECK_EXPRESSION,
	findReads,
	findReference,
	isExpression,
	partsOf,
	replaceParts,
} from './expression';
import type { Reader } from './reader';
import type { Run } from './run';

const NOTHING_SENT = 'Nothing was sent for this item.';
const IF_EMPTY = `${CHECK_EXPRESSION} If it may be empty, write {{ ... || '' }}.`;
const SHOWN_CHARS = 60;

/** What JavaScript makes of an object, or of a function that is not called, in the midst of a text. */
const OBJECT = /\[object [A-Z]\w{0,40}\]|\[native code\]/;

/** What JavaScript makes of values that are missing, also in a list, in the midst of a text. */
const MISSING = [
	...[/undefined/i, /\bnull\b/i, /NaN\b|\bNAN\b/, /\bInfinity\b/i, /Invalid Date/i],
	...[/\s,/, /,,/, /^\s*,/, /,\s*$/],
];

/** What an empty text leaves around it. */
const GAP = /^ | {2}| $/;

/** Matches an empty text that an expression chooses if a value is missing. */
const EMPTY_BY_CHOICE =
	/(?:\|\||\?|:)\s*(?:' *'|" *"|` *`)|\$if(?:Empty)?\([^]*,\s*(?:' *'|" *"|` *`)/;

/** Matches the texts in an expression. */
const LITERALS = /"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`/g;
/** Matches what a list puts between its texts, which is not meant at the end. */
const JOIN = /\bjoin\([^()]{0,50}\)/g;

/** A prompt on its way: how the parameter is called, as it was written, and as it would be sent. */
export interface Prompt {
	label: string;
	/** Begins with `=` if it is an expression; missing if nobody can tell. */
	written: unknown;
	sent: string;
	isOptional?: boolean;
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
	{ label, written, sent, isOptional }: Prompt,
	{ ofVideo }: { ofVideo: boolean },
): void {
	if (typeof written !== 'string') return;
	const text = isExpression(written) ? written.slice(1) : written;
	const parts = partsOf(text);
	const around = replaceParts(text, () => '');
	const isEvaluated = isExpression(written) && parts.length > 0;
	const valueOf = (code: string): unknown =>
		context.evaluateExpression(`{{${code}}}`, read.itemIndex);
	const code = isEvaluated ? ofVideo && findReference(around) : findCode(text, ofVideo);
	if (code) {
		const how =
			parts.length > 0 && !isEvaluated
				? 'Switch the field from Fixed to Expression.'
				: 'Switch the field to Expression, and write it as {{ ... }}.';
		const shown = code.slice(0, SHOWN_CHARS);
		const message = `${label} is an expression that n8n does not evaluate: ${shown}`;
		read.refuse(message, `${how} ${NOTHING_SENT}`);
	}
	if (!isEvaluated) return;
	const isEmpty =
		/^\s*(\{\}|\[\]|"")?\s*$/.test(sent) && !parts.some((part) => EMPTY_BY_CHOICE.test(part));
	if (ofVideo && isEmpty && !isOptional) {
		read.refuse(`${label} is empty`, `${IF_EMPTY} ${NOTHING_SENT}`);
	}
	const evaluated = { label, sent, parts, around, valueOf };
	const fault =
		judgeParts(evaluated, ofVideo) ?? (ofVideo ? judgeText(evaluated, read) : undefined);
	if (fault) read.refuse(fault.message, `${fault.advice} ${NOTHING_SENT}`);
}

/** An expression that n8n has evaluated: the code between its braces, and the text around it. */
interface Evaluated {
	label: string;
	sent: string;
	parts: string[];
	around: string;
	valueOf: (code: string) => unknown;
}

/** What an agent fills in is known to its call alone. */
const isKnown = (part: string) => part.trim() !== '' && !/\$fromai/i.test(part);

/** Judges the value of each part of a text. */
function judgeParts({ label, parts, around, valueOf }: Evaluated, ofVideo: boolean) {
	// The value of an expression that stands alone is judged where it is read.
	const isAlone = parts.length === 1 && around === '';
	for (const part of isAlone ? [] : parts.filter(isKnown)) {
		const value = valueOf(part);
		const isNumber = typeof value === 'number';
		const isMissing =
			value === undefined || value === null || (isNumber && !Number.isFinite(value));
		const words = isMissing ? '' : String(value);
		const shown = `{{${part}}}`.slice(0, SHOWN_CHARS);
		if (typeof value === 'object' && OBJECT.test(words)) {
			const advice = 'Name a field of it, or write {{ JSON.stringify(...) }}.';
			return { message: `Part of ${label} is an object: ${shown}`, advice };
		}
		const isMeant = !isMissing && EMPTY_BY_CHOICE.test(part);
		if (ofVideo && words.trim() === '' && !isMeant) {
			return { message: `Part of ${label} is empty: ${shown}`, advice: IF_EMPTY };
		}
	}
	return undefined;
}

/** Judges a text as it is sent: for what JavaScript makes of objects and of missing values in it. */
function judgeText({ label, sent, parts, around, valueOf }: Evaluated, { input }: Reader) {
	const [object] = OBJECT.exec(sent) ?? [];
	if (object !== undefined && !around.includes(object)) {
		const advice =
			'A node before this one, or the expression, has put an object or a function into a text: name a field of it, or call it.';
		return { message: `${label} contains ${object}`, advice };
	}
	const isSuspect = [GAP, ...MISSING].some((sign) => sign.test(sent));
	if (!isSuspect || !parts.every(isKnown)) return undefined;
	const reads = parts.map((part) => ({ part, ...findReads(part) }));
	const fields = reads.flatMap(({ part, references }) =>
		references
			// What this node said of the item quotes the words that it refused.
			.filter((reference) => !/\berror\b/.test(reference))
			.map((reference) => ({ part, reference, value: valueOf(reference) })),
	);
	const item = reads.some(({ readsAny }) => readsAny) && without(input.json, ['error']);
	/** The texts from which the prompt is made. */
	const texts = [around.trim()];
	mapTexts([item, fields.map(({ value }) => value)], (word) => (texts.push(word), word));
	const empty = fields.find(
		({ part, value }) => String(value ?? '').trim() === '' && !EMPTY_BY_CHOICE.test(part),
	);
	if (empty && GAP.test(sent) && !texts.some((word) => GAP.test(word))) {
		const shown = empty.reference.slice(0, SHOWN_CHARS);
		return { message: `${label} has a gap, because ${shown} is empty`, advice: IF_EMPTY };
	}
	const literals = (code: string) => code.match(LITERALS) ?? [];
	const written = parts.flatMap((part) => literals(part.replace(JOIN, '')));
	texts.push(around, ...parts.flatMap(literals), ...written.map((word) => word.slice(1, -1)));
	const missing = MISSING.find((sign) => sign.test(sent) && !texts.some((word) => sign.test(word)));
	if (missing === undefined) return undefined;
	return {
		message: `${label} contains "${missing.exec(sent)![0]}", which an expression made of a missing value`,
		advice: `${CHECK_EXPRESSION} If it is meant, take the text from a field of the item.`,
	};
}

/** Returns the code in a text that n8n does not evaluate; a text for a model may be about code, and quote it. */
function findCode(text: string, ofVideo: boolean): string | undefined {
	// Everything that n8n gives an expression begins with `$`. Other braces may be meant as they are.
	const part = partsOf(text).find((inBraces) => /\$[\w(]/.test(inBraces));
	if (part !== undefined) return `{{${part}}}`;
	const reference = findReference(text);
	if (reference === undefined || ofVideo) return reference;
	const [before, ...after] = text.trim().split(reference);
	return before === '' && !/\s/.test(after.join('')) ? reference : undefined;
}

/** Matches the names under which services take a prompt, or the address of a picture, video or sound. */
const PROMPT_FIELD =
	/[pP]rompt|(^|_)text$|[a-z]Text$|([iI]mage|[iI]mg|[fF]rame|([vV]ideo|[aA]udio)(?=_?[uU]rl))(_?[uU]rl|_tail)?s?$/;

/** Returns the texts of a JSON parameter that say what a video shows, wherever a service has them. */
export function findPrompts(json: unknown, written: unknown, label: string): Prompt[] {
	const text = typeof written === 'string' ? written : undefined;
	const parts = partsOf(text ?? '');
	// Quotation marks in an expression are none of the JSON around it.
	const masked = replaceParts(text?.replace(/^=/, '') ?? '', (_part, i) => `\uE000${i}\uE001`);
	const prompts: Prompt[] = [];
	const walk = (sent: unknown, source: unknown, path: string[]): void => {
		if (typeof sent === 'object' && sent !== null) {
			for (const [name, inner] of Object.entries(sent)) {
				walk(inner, (source as IDataObject | undefined)?.[name], [...path, name]);
			}
			return;
		}
		const name = path.filter((step) => !/^\d+$/.test(step)).at(-1) ?? '';
		if (typeof sent === 'string' && PROMPT_FIELD.test(name)) {
			const shown = toText(source)?.replace(
				/\uE000(\d+)\uE001/g,
				(_, i: number) => `{{${parts[i]}}}`,
			);
			const own = shown !== undefined && isExpression(text) ? `=${shown}` : shown;
			// An expression that makes all of the JSON makes each of its texts, too.
			const isOptional =
				/^negative/i.test(name) || (!/prompt|text/i.test(name) && /\$fromai/i.test(shown ?? ''));
			prompts.push({
				label: `${path.join('.')} in ${label}`,
				written: own ?? written,
				sent,
				isOptional,
			});
		}
	};
	walk(json, text === undefined ? written : parseJson(masked), []);
	return prompts;
}
