import { endOfWhole, MAX_ESCAPE_CHARS, placeOf, viewsOf, type View } from '../lib/unescape';
import { createWordFinder, type WordFinder } from '../lib/wordFinder';
import { formsOf, toKey } from './keyForms';

const SHOWN_INSTEAD = '[API key]';
/** Of a key that was cut off by `...`, or in the middle, so much is shown at an end. */
const MIN_CUT_CHARS = 4;
/** What a key is cut by; a longer row of dots is a line in a table. */
const ELLIPSIS = /\.{3,16}|…/y;
/** What follows it, where it may be the end of a key; no further than the next cut. */
const TAIL = /[^\s"'`<>(),;.…]*/y;

/** From and to, in characters of a text; in order, and apart from each other. */
export type Range = [from: number, to: number];

/** Keeps keys out of what is shown; nothing that is still to be read goes through it. */
export interface Redaction {
	/** A key that must not be shown from now on, as it was typed. */
	learn: (typedKey: string) => void;
	/** A whole text without the keys. */
	redact: (text: string) => string;
	/** Where keys stand in a text. */
	findKeys: (text: string) => Range[];
	/** The same as `redact` for a text that comes in pieces, between two of which a key may be cut. */
	redactPieces: () => PieceRedaction;
}

export interface PieceRedaction {
	/** The text that may be shown by now; the start of what may become a key is held back. */
	add: (piece: string) => string;
	/** What was held back. */
	end: () => string;
}

/** Blanks keys out, in whatever form they can be told from: some deployments quote them. */
export function createRedaction(...typedKeys: string[]): Redaction {
	const forms = new Set<string>();
	let finder: WordFinder | undefined;
	const learn = (typedKey: string) => {
		const known = forms.size;
		formsOf(toKey(typedKey)).forEach((form) => forms.add(form));
		if (forms.size > known) finder = createWordFinder([...forms]);
	};
	typedKeys.forEach(learn);
	const findKeys = (text: string) => {
		const words = finder;
		return words ? merge(viewsOf(text).flatMap((view) => search(view, words).found)) : [];
	};
	const redact = (text: string) => blank(text, findKeys(text));
	return { learn, redact, findKeys, redactPieces: () => createPieces(redact, () => finder) };
}

/** A text with something else in the place of each range. */
export function blank(text: string, ranges: Range[]): string {
	if (ranges.length === 0) return text;
	const kept = ranges.map(([from], i) => text.slice(i === 0 ? 0 : ranges[i - 1][1], from));
	return [...kept, text.slice(ranges[ranges.length - 1][1])].join(SHOWN_INSTEAD);
}

/** Ranges in order; those that overlap are one. */
export function merge(ranges: Range[]): Range[] {
	const merged: Range[] = [];
	for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
		const last = merged.at(-1);
		if (last && from < last[1]) last[1] = Math.max(last[1], to);
		else merged.push([from, to]);
	}
	return merged;
}

/** The keys in a view, and the place from which the end of it may become one. */
function search(view: View, finder: WordFinder, end = view.text.length) {
	const { text } = view;
	const found: Range[] = [];
	const add = (from: number, to: number) => found.push([placeOf(view, from), placeOf(view, to)]);
	let state = 0;
	let escape = { at: -Infinity, depth: 0 };
	let open = end;
	for (let at = 0; at < end; at++) {
		const sign = text[at];
		const depth = finder.depth(state);
		if (sign === '\\' || sign === '%' || sign === '&') escape = { at, depth };
		if (sign === '…' || (sign === '.' && text[at - 1] !== '.')) {
			const isInEscape = at - escape.at <= MAX_ESCAPE_CHARS && escape.depth > depth;
			const cut = isInEscape ? escape : { at, depth };
			const begin = cut.at - cut.depth;
			const { tailAt, tailEnd, isOpen } = readCut(text, at, end);
			if (tailAt > at && cut.depth >= MIN_CUT_CHARS) add(begin, at);
			const length = tailEnd - tailAt;
			const mayBeTail = length <= finder.longest;
			if (isOpen && (cut.depth >= MIN_CUT_CHARS || mayBeTail)) open = Math.min(open, begin);
			if (mayBeTail && length >= MIN_CUT_CHARS && finder.hasTail(text.slice(tailAt, tailEnd))) {
				add(tailAt, tailEnd);
			}
		}
		state = finder.step(state, text.charCodeAt(at));
		const length = finder.found(state);
		if (length === 0) continue;
		add(at + 1 - length, at + 1);
		state = 0;
	}
	return { found, open: placeOf(view, Math.min(open, end - finder.depth(state))) };
}

/** The cut at a place, if there is one, and what follows it; `isOpen` where more of it may come. */
function readCut(text: string, at: number, end: number) {
	const dots = matchAt(ELLIPSIS, text, at);
	const tailAt = at + dots;
	const tailEnd = dots > 0 ? Math.min(end, tailAt + matchAt(TAIL, text, tailAt)) : at;
	const isOpen =
		dots > 0 ? tailEnd === end : end - at === 1 || (end - at === 2 && text[at + 1] === '.');
	return { tailAt, tailEnd, isOpen };
}

function matchAt(sticky: RegExp, text: string, at: number): number {
	sticky.lastIndex = at;
	return sticky.exec(text)?.[0].length ?? 0;
}

function createPieces(
	redact: Redaction['redact'],
	finderNow: () => WordFinder | undefined,
): PieceRedaction {
	let held = '';
	return {
		add: (piece) => {
			const text = held + piece;
			const finder = finderNow();
			const open = finder ? openIn(text, finder) : text.length;
			held = text.slice(open);
			return redact(text.slice(0, open));
		},
		end: () => {
			const rest = held;
			held = '';
			return redact(rest);
		},
	};
}

/** From where the text may be the beginning of a key; never inside one that is whole. */
function openIn(text: string, finder: WordFinder): number {
	const seen = viewsOf(text, true).map((view) => search(view, finder, endOfWhole(view.text)));
	const open = Math.min(...seen.map((one) => one.open));
	const around = merge(seen.flatMap(({ found }) => found)).find(
		([from, to]) => from < open && open < to,
	);
	return around ? around[1] : open;
}
