import { parseJson } from '../lib/json';
import { findBreak } from './schema';

/** Pieces that are checked against the schema; each check may take a moment. */
const MAX_CHECKED = 10;

/** Matches the bracket that begins JSON: prose has brackets, too. */
const JSON_BEGINS = /\{(?=\s{0,100}["}])|\[(?=\s{0,100}["{[\]\d-])/g;

/**
 * Reads the JSON that a model wrote, even with other text around it. If there are several pieces,
 * the first that fits the schema counts, in this order: the whole text, the content of fences,
 * pieces with objects, the longest. If none fits, the first counts. Returns `undefined` if there is
 * no JSON, or if it is cut off and no earlier piece fits a schema.
 *
 * @param schema left out if the model was given none
 */
export function readJsonText(text: string, schema?: unknown) {
	const toOutput = (json: unknown) => ({
		json,
		broken: schema === undefined ? undefined : findBreak(schema, json),
	});
	const whole = parseJson(text);
	if (whole !== undefined) return toOutput(whole);
	const { pieces, isOpen } = findPieces(text, JSON_BEGINS);
	// If the last JSON is cut off, an earlier piece is an example unless it fits a schema.
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

/** Sorts the likeliest answer first: a short list without objects may be one of footnotes. */
const byWorth = (one: string, other: string) =>
	Number(other.includes('{')) - Number(one.includes('{')) || other.length - one.length;

/**
 * Finds the pieces of a text from a bracket that `begin` matches to its closing one, in order; they
 * may be no JSON. Nothing inside a piece is looked at again, so this takes linear time, and no part
 * of broken JSON passes for the whole. `isOpen`: the last bracket has no closing one.
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
