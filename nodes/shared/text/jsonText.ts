import { parseJson } from '../lib/json';
import { findBreak } from './schema';

/** The limit for fences, and again for pieces: each check against a schema takes a moment. */
const MAX_CHECKED = 10;

/** Matches a bracket that begins JSON, judging by what follows: prose has brackets, too. */
const JSON_BEGINS = /\{(?=\s{0,100}["}])|\[(?=\s{0,100}["{[\]\d-])/g;

/**
 * Reads the JSON that a model wrote. If the whole text is JSON, it counts, even if it breaks the
 * schema. Otherwise the first JSON that fits the schema counts: in fences, then in pieces with
 * objects, then in other pieces, longer ones first. If none fits, the first JSON counts. Returns
 * `undefined` if there is no JSON, or if the last piece is cut off and no JSON fits a schema.
 *
 * @param schema left out if the model was given none; then all JSON fits
 */
export function readJsonText(text: string, schema?: unknown) {
	const toOutput = (json: unknown) => ({
		json,
		broken: schema === undefined ? undefined : findBreak(schema, json),
	});
	const whole = parseJson(text);
	if (whole !== undefined) return toOutput(whole);
	const { pieces, isOpen } = findPieces(text, JSON_BEGINS);
	// If the last piece is cut off, an earlier one may be an example: only a schema could tell.
	if (isOpen && schema === undefined) return undefined;
	const fenced = text.split('```').filter((_piece, i) => i % 2 === 1);
	const outputs = [
		...fenced.slice(0, MAX_CHECKED).map((piece) => piece.replace(/^[a-z]{1,40}\s/i, '')),
		...pieces.sort(byWorth).slice(0, MAX_CHECKED),
	]
		.map(parseJson)
		.filter((json) => json !== undefined)
		.map(toOutput);
	return outputs.find(({ broken }) => !broken) ?? (isOpen ? undefined : outputs[0]);
}

/** Sorts pieces with objects first, then longer ones: a short list may be of footnotes (`[1]`). */
const byWorth = (one: string, other: string) =>
	Number(other.includes('{')) - Number(one.includes('{')) || other.length - one.length;

/**
 * Returns, in order, the pieces of a text from a bracket that `begin` matches to the bracket that
 * closes it; a piece need not be JSON. The search never looks inside a piece, so it is linear and
 * takes no part of broken JSON for the whole. `isOpen`: the last bracket is never closed.
 */
export function findPieces(text: string, begin: RegExp) {
	const pieces: string[] = [];
	begin.lastIndex = 0;
	for (let found = begin.exec(text); found; found = begin.exec(text)) {
		const end = findEnd(text, found.index);
		if (end === undefined) return { pieces, isOpen: true };
		pieces.push(text.slice(found.index, end));
		begin.lastIndex = end;
	}
	return { pieces, isOpen: false };
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
