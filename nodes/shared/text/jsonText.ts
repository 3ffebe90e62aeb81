import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../lib/json';
import { findMismatch } from './schema';

const THOUGHT_TAG = '\\|?(?:think(?:ing)?|thoughts?|reason(?:ing)?)\\|?>';
/** Matches a thought and its tags, such as `<think>` and `<|think|>`, or one that never ends. */
const THOUGHTS = new RegExp(`<\\|?${THOUGHT_TAG}[^]*?(?:<\\|?/${THOUGHT_TAG}|$)`, 'gi');
/** Matches the end of a thought; some models leave out its beginning. */
const THOUGHT_END = new RegExp(`<\\|?/${THOUGHT_TAG}`, 'i');

/** Matches a bracket that begins JSON, judging by what follows: prose has brackets, too. */
const JSON_BEGINS = /\{(?=\s{0,100}["}])|\[(?=\s{0,100}["{[\]\d-])/g;
const FENCE = /^```[a-z]{0,40}\s([^]*)```$/i;
const FOOTNOTE = /^\[[\d\s,.-]*\]$/;

/**
 * Reads the JSON that a model wrote: the whole text, or else the last JSON in it that matches the
 * schema, or else the last. Earlier JSON may be an example or a draft, and what stands between the tags
 * of a thought is none; lists of digits count only if there is nothing else, because they look like
 * footnotes. Returns `undefined` without JSON, or if the last is cut off.
 *
 * @param schema left out if the model was given none; then all JSON matches
 */
export function readJsonText(text: string, schema?: IDataObject) {
	const read = (piece: string) => {
		const json = parseJson(piece);
		return json === undefined ? [] : [{ json, mismatch: schema && findMismatch(schema, json) }];
	};
	// A line break makes JSON invalid that quotes both tags, rather than another text.
	const answer = text.replace(THOUGHTS, '\n').split(THOUGHT_END).at(-1)!.trim();
	const [whole] = [text, answer.replace(FENCE, '$1')].flatMap(read);
	if (whole) return whole;
	const { pieces, rest } = findPieces(answer, JSON_BEGINS);
	if (rest !== undefined) return undefined;
	const footnotes = pieces.filter((piece) => FOOTNOTE.test(piece));
	const others = pieces.filter((piece) => !FOOTNOTE.test(piece));
	const found = [...footnotes, ...others].flatMap(read).reverse();
	return found.find(({ mismatch }) => mismatch === undefined) ?? found[0];
}

/**
 * Returns, in order, the pieces of a text from a bracket that `begin` matches to the one that closes
 * it, whether they are JSON or not. Never looks inside a piece. `rest`: the last one, if it is never
 * closed; no piece that begins later is looked at, because it would take square time.
 */
export function findPieces(text: string, begin: RegExp) {
	const pieces: string[] = [];
	begin.lastIndex = 0;
	for (let found = begin.exec(text); found; found = begin.exec(text)) {
		const end = findEnd(text, found.index);
		if (end === undefined) return { pieces, rest: text.slice(found.index) };
		pieces.push(text.slice(found.index, end));
		begin.lastIndex = end;
	}
	return { pieces, rest: undefined };
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
