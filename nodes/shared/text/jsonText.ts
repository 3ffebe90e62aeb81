import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../lib/json';
import { findBreak, type Break } from './schema';

/** The JSON that a model wrote, and where it breaks its schema. */
export interface JsonOutput {
	json: unknown;
	broken?: Break;
}

/** Each is checked against the schema, which may take a moment. */
const MAX_CHECKED = 10;
const FENCE = '```';

/**
 * Reads the JSON that a model wrote, also where it wrote something around it. Of several the first
 * that fits the schema counts, in this order: the whole text, what stands in a fence, what has
 * objects, what is longest. Returns `undefined` where there is none, or where it is cut off.
 *
 * @param schema left out where the model was given none
 */
export function readJsonText(text: string, schema?: unknown): JsonOutput | undefined {
	const toOutput = (json: unknown): JsonOutput => {
		const broken = schema === undefined ? undefined : findBreak(schema, json);
		return broken ? { json, broken } : { json };
	};
	const whole = parseJson(text);
	if (whole !== undefined) return toOutput(whole);
	const { found, isCutOff } = findJson(text);
	const inOrder = [
		...found.filter(({ isFenced }) => isFenced),
		...found.filter(({ isFenced }) => !isFenced).sort(byWorth),
	];
	let first: JsonOutput | undefined;
	let checked = 0;
	for (const { text: candidate } of inOrder) {
		const json = parseJson(candidate);
		if (json === undefined || checked === MAX_CHECKED) continue;
		checked++;
		const output = toOutput(json);
		// Before JSON that is cut off, another piece is an example rather than the answer.
		if (!output.broken && (schema !== undefined || !isCutOff)) return output;
		if (!isCutOff) first ??= output;
	}
	if (first) return first;
	// In prose, a text or a number is no JSON; in a fence it is.
	const [, fenced = '', behind] = text.split(FENCE, 3);
	if (behind === undefined) return undefined;
	const json = parseJson(fenced.replace(/^[a-z]{1,40}/i, ''));
	return json === undefined || typeof json === 'object' ? undefined : toOutput(json);
}

/** A text that looks like JSON, of however much else is written around it. */
interface Found {
	text: string;
	/** Whether it stands in a fence of its own. */
	isFenced: boolean;
}

/** A list without objects may be that of footnotes, and the longest is the least likely to be one. */
const byWorth = (one: Found, other: Found) =>
	Number(other.text.includes('{')) - Number(one.text.includes('{')) ||
	other.text.length - one.text.length;

const BRACKET = /[{[]/g;
/** A text, or as much of it as there is before the end; bounded, so that none is read again and again. */
const stringBefore = (next: string) => `"(?:[^"\\\\]|\\\\[^]){0,500}(?:"\\s*(?:${next}|$)|\\\\?$)`;
/** As JSON begins, up to what follows its first text or number: prose has brackets and quotes, too. */
const BEGINS = new RegExp(
	[
		`\\{\\s*(?:\\}|${stringBefore(':')})`,
		`\\[\\s*(?:[{[\\]]|${stringBefore('[,\\]]')}|(?:-?\\d[\\d.eE+-]{0,50}|true|false|null)\\s*(?:[,\\]]|$))`,
	].join('|'),
	'y',
);
const FENCE_BEFORE = /`{3}[\w-]{0,20}\s{0,20}$/;
const MAX_FENCE_CHARS = 50;

/**
 * Finds the objects and lists of a text, in order, each as long as it is; whether they are valid is
 * for the JSON parser. Nothing inside of one is looked at again, so this takes linear time, and no
 * piece of JSON that is broken passes for the whole. `isCutOff`: the last one has no end.
 */
function findJson(text: string): { found: Found[]; isCutOff: boolean } {
	const found: Found[] = [];
	BRACKET.lastIndex = 0;
	for (let open = BRACKET.exec(text); open; open = BRACKET.exec(text)) {
		const { index } = open;
		BEGINS.lastIndex = index;
		if (!BEGINS.test(text)) continue;
		const end = findEnd(text, index);
		if (end === undefined) return { found, isCutOff: true };
		const before = text.slice(Math.max(0, index - MAX_FENCE_CHARS), index);
		found.push({ text: text.slice(index, end), isFenced: FENCE_BEFORE.test(before) });
		BRACKET.lastIndex = end;
	}
	return { found, isCutOff: false };
}

/**
 * Reads the objects of a text that is no JSON as a whole: one after the other, or a list without its
 * end. `isBroken`: one of them cannot be read. `isCutOff`: the last one, or the list, has no end.
 */
export function findObjects(text: string) {
	const objects: IDataObject[] = [];
	let isBroken = false;
	for (let at = text.indexOf('{'); at >= 0;) {
		const end = findEnd(text, at);
		if (end === undefined) return { objects, isBroken, isCutOff: true };
		const object = parseJson(text.slice(at, end));
		if (isObject(object)) objects.push(object);
		else isBroken = true;
		at = text.indexOf('{', end);
	}
	return { objects, isBroken, isCutOff: text.trimStart().startsWith('[') };
}

/** All that decides where JSON ends; a regular expression is quicker than a look at each sign. */
const SIGNS = /["\\{}[\]]/g;

function findEnd(text: string, from: number): number | undefined {
	let depth = 0;
	let isQuoted = false;
	SIGNS.lastIndex = from;
	for (let sign = SIGNS.exec(text); sign; sign = SIGNS.exec(text)) {
		const [mark] = sign;
		if (mark === '\\') SIGNS.lastIndex++;
		else if (mark === '"') isQuoted = !isQuoted;
		else if (!isQuoted) {
			depth += mark === '{' || mark === '[' ? 1 : -1;
			if (depth === 0) return SIGNS.lastIndex;
		}
	}
	return undefined;
}
