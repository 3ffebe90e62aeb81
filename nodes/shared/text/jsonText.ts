import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../lib/json';
import { findBreak, type Break } from './schema';

/** The JSON that a model wrote, and the first place where it breaks its schema. */
export interface JsonOutput {
	json: unknown;
	broken?: Break;
}

/** Candidates that are checked against the schema; each check may take a moment. */
const MAX_CHECKED = 10;
const FENCE = '```';

/**
 * Reads the JSON that a model wrote, even with other text around it. If there are several pieces,
 * the first that fits the schema counts, in this order: the whole text, pieces in a fence, pieces
 * with objects, the longest. If none fits, the first counts. Returns `undefined` if there is no
 * JSON, or if it is cut off and no earlier piece fits a schema.
 *
 * @param schema left out if the model was given none
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
		// If the last JSON is cut off, an earlier piece is an example rather than the answer, unless it
		// fits a schema.
		if (!output.broken && (schema !== undefined || !isCutOff)) return output;
		if (!isCutOff) first ??= output;
	}
	if (first) return first;
	// In prose, a text or a number is not JSON; in a fence it is.
	const [, fenced = '', behind] = text.split(FENCE, 3);
	if (behind === undefined) return undefined;
	const json = parseJson(fenced.replace(/^[a-z]{1,40}/i, ''));
	return json === undefined || typeof json === 'object' ? undefined : toOutput(json);
}

/** A piece of a text that looks like JSON. */
interface Found {
	text: string;
	/** Whether it stands in a fence of its own. */
	isFenced: boolean;
}

/**
 * Sorts the likeliest answer first. A list without objects may be a list of footnotes, and the
 * longest piece is the least likely to be one.
 */
const byWorth = (one: Found, other: Found) =>
	Number(other.text.includes('{')) - Number(one.text.includes('{')) ||
	other.text.length - one.text.length;

const BRACKET = /[{[]/g;
/**
 * Matches a string, or the start of one that the end of the text cuts off. The length is bounded,
 * so that no string is read again and again.
 */
const stringBefore = (next: string) => `"(?:[^"\\\\]|\\\\[^]){0,500}(?:"\\s*(?:${next}|$)|\\\\?$)`;
/**
 * Matches the beginning of JSON, up to what follows its first string or number: prose has brackets
 * and quotes, too.
 */
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
 * Finds the objects and lists of a text, in order, each as a whole; the JSON parser decides whether
 * they are valid. Nothing inside one is looked at again. So this takes linear time, and no piece of
 * broken JSON passes for the whole. `isCutOff`: the last one has no end.
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
 * Reads the objects of a text that is not JSON as a whole: objects one after the other, or a list
 * without its end. `isBroken`: one object cannot be read. `isCutOff`: the last object, or the list,
 * has no end.
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

/** Matches every character that decides where JSON ends; faster than a loop over all characters. */
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
