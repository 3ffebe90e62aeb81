import { parseJson } from '../../shared/lib/json';

const FENCE = /^```[a-z]{0,40}\s([^]*)```$/i;
/** Matches a bracket that begins JSON, judging by what follows: prose has brackets, too. */
const JSON_BEGINS = /\{(?=\s{0,100}["}])|\[(?=\s{0,100}["{[\]\d-])/g;

/**
 * Reads the JSON that a model wrote: the whole text, what stands in its fence, or else the last JSON in
 * it, because what comes before may be an example or a draft. Whole numbers that JavaScript would round
 * become text. Returns `undefined` without JSON, or if the last is cut off.
 */
export function readJsonText(written: string): unknown {
	const text = written.trim();
	const whole = parseJson(text.replace(FENCE, '$1'));
	if (whole !== undefined) return whole;
	const { pieces, rest } = findPieces(text, JSON_BEGINS);
	if (rest !== undefined) return undefined;
	return pieces
		.map(parseJson)
		.filter((json) => json !== undefined)
		.at(-1);
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
const BRACKETS = /["\\{}[\]]/g;

function findEnd(text: string, from: number): number | undefined {
	let depth = 0;
	let isQuoted = false;
	BRACKETS.lastIndex = from;
	for (let sign = BRACKETS.exec(text); sign; sign = BRACKETS.exec(text)) {
		const [mark] = sign;
		if (mark === '\\') BRACKETS.lastIndex++;
		else if (mark === '"') isQuoted = !isQuoted;
		else if (!isQuoted) {
			depth += mark === '{' || mark === '[' ? 1 : -1;
			if (depth === 0) return BRACKETS.lastIndex;
		}
	}
	return undefined;
}
