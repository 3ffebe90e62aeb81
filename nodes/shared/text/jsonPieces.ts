/** Matches a bracket that begins JSON, judging by what follows: prose has brackets, too. */
const JSON_BEGINS = /\{(?=\s{0,100}["}])|\[(?=\s{0,100}["{[\]\d-])/g;

/** The tags of a thought behind their slash, such as `<think>` and `<|think|>`. */
const THOUGHT = '\\|?(?:think(?:ing)?|thoughts?|reason(?:ing)?)\\|?>';
const TAG_OR_JSON = new RegExp(`<\\|?(/?)${THOUGHT}|${JSON_BEGINS.source}`, 'gi');
const THOUGHT_ENDS = new RegExp(`<\\|?/${THOUGHT}`, 'gi');

/**
 * Returns a text without what stands between the tags of a thought; some models write only the second
 * tag. A tag that JSON quotes is none.
 */
export function withoutThoughts(text: string): string {
	const words: string[] = [];
	let from = 0;
	let isOpen = false;
	TAG_OR_JSON.lastIndex = 0;
	for (let found = TAG_OR_JSON.exec(text); found; found = TAG_OR_JSON.exec(text)) {
		const [mark, closes] = found;
		if (closes === undefined) {
			// Once a piece is never closed, none that begins later is looked at: it would take square time.
			const end: number | undefined = isOpen ? undefined : findEnd(text, found.index);
			isOpen ||= end === undefined;
			TAG_OR_JSON.lastIndex = end ?? found.index + mark.length;
			continue;
		}
		if (closes) words.length = 0;
		else {
			words.push(text.slice(from, found.index));
			THOUGHT_ENDS.lastIndex = found.index;
			if (!THOUGHT_ENDS.exec(text)) return words.join('');
			TAG_OR_JSON.lastIndex = THOUGHT_ENDS.lastIndex;
		}
		from = TAG_OR_JSON.lastIndex;
	}
	return words.join('') + text.slice(from);
}

const FOOTNOTES = /^\[[\d\s,.-]*\]$/;

/** Returns what may be JSON, in order and footnotes first, and the last piece if it is never closed. */
export function findCandidates(text: string) {
	const { pieces, rest } = findPieces(text, JSON_BEGINS);
	let next = 0;
	const fences = text.split('```').flatMap((part, i) => {
		const at = next;
		next += part.length + '```'.length;
		// A fence may hold what has no brackets, or stand behind a bracket that prose leaves open.
		return i % 2 === 1 ? [{ at, piece: part.replace(/^[a-z]{1,40}\s/i, ''), isFence: true }] : [];
	});
	const marked = pieces.map((found) => ({ ...found, isFence: false }));
	let end = 0;
	// Fences in a text of JSON are no fences.
	const outer = [...fences, ...marked]
		.sort((one, other) => one.at - other.at)
		.filter(({ at, piece, isFence }) => {
			if (at < end) return false;
			if (!isFence) end = at + piece.length;
			return true;
		});
	const isNote = ({ piece, isFence }: (typeof outer)[number]) => !isFence && FOOTNOTES.test(piece);
	const sorted = [...outer.filter(isNote), ...outer.filter((found) => !isNote(found))];
	return { pieces: sorted.map(({ piece }) => piece), rest };
}

/**
 * Returns, in order, the pieces of a text from a bracket that `begin` matches to the one that closes
 * it, whether they are JSON or not. Never looks inside a piece. `rest`: the last one, if it is never
 * closed.
 */
export function findPieces(text: string, begin: RegExp) {
	const pieces: Array<{ at: number; piece: string }> = [];
	begin.lastIndex = 0;
	for (let found = begin.exec(text); found; found = begin.exec(text)) {
		const at = found.index;
		const end = findEnd(text, at);
		if (end === undefined) return { pieces, rest: text.slice(at) };
		pieces.push({ at, piece: text.slice(at, end) });
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
