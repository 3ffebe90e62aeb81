import { oneLine } from '../lib/text';

// What people and expressions enter, as the type that a parameter needs. n8n gives what an expression
// returns: a number, a boolean or null for a text, and the text of a number for a number.

export const CHECK_EXPRESSION =
	'If it is an expression, check that the incoming item has the field it refers to.';

export const isExpression = (typed: unknown): boolean =>
	typeof typed === 'string' && typed.startsWith('=');

/** Returns text, also for a number or a boolean; `undefined` for an object or an array. */
export function toPlainText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? undefined : String(value);
}

/** Returns `undefined` for a value that is no boolean. A sheet has TRUE and FALSE. */
export function toBoolean(value: unknown): boolean | undefined {
	const word = toPlainText(value)?.trim().toLowerCase();
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : undefined;
}

export interface NumberRange {
	above?: number;
	min?: number;
	max?: number;
	whole?: boolean;
}

/** Returns a number given as a number or as text; `undefined` for all else, and out of range. */
export function toNumber(
	value: unknown,
	{ above = -Infinity, min = -Infinity, max = Infinity, whole }: NumberRange,
): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
	const isInside = number > above && number >= min && number <= max;
	return isInside && (!whole || Number.isSafeInteger(number)) ? number : undefined;
}

/** Returns words such as `a whole number, from 1 to 10`. */
export function describeRange({ above, min, max, whole }: NumberRange): string {
	const kind = whole ? 'a whole number' : 'a number';
	if (above !== undefined) return `${kind} greater than ${above}`;
	if (min === undefined) return kind;
	return max === undefined ? `${kind}, ${min} or more` : `${kind}, from ${min} to ${max}`;
}

/** A value may be a whole file in base64, which belongs in no item and no log. */
const SHOWN_CHARS = 50;

/** Returns the beginning of a value for a sentence. */
export const shorten = (text: string): string =>
	text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;

/** Says which value came instead of a usable one. */
export function describeEntered(value: unknown): string {
	const text = toPlainText(value);
	const came = text === undefined ? 'It is no text or number' : `It is "${shorten(text)}"`;
	return `${came}. ${CHECK_EXPRESSION}`;
}

/** A form or a mail may bring many. */
const SHOWN_FILES = 5;

/** Says in which fields of an item files are: n8n's form and its mail nodes name them by themselves. */
export function describeFiles(names: string[]): string {
	if (names.length === 0) return 'no node before this one has kept a file';
	const shown = names.slice(0, SHOWN_FILES).map((name) => oneLine(shorten(name)));
	const more = names.length - shown.length;
	const list = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
	return `it has ${list}`;
}
