'use strict';

// How a server may write a key that it quotes, and how that is found again.

const SHORTEST_KEY = 8;
/** Less of a key than this, or than half of it, stands in ordinary words, too. */
const SHORTEST_PIECE = 8;
/** Texts are escaped once more wherever they are put into another one. */
const MAX_LAYERS = 4;

/** JSON's and JavaScript's escapes, those of addresses, those of pages. */
const ESCAPES =
	/\\u([\da-f]{4})|\\u\{([\da-f]{1,6})\}|\\x([\da-f]{2})|%u([\da-f]{4})|%([\da-f]{2})|&#x0{0,9}([\da-f]{1,6});?|&#0{0,9}(\d{1,7});?|&(amp|quot|apos|lt|gt);|\\([^ux])/gi;
const NAMED = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

function withoutEscapes(text) {
	return text.replace(ESCAPES, (_all, ...groups) => {
		const [decimal, named, plain] = groups.slice(6, 9);
		if (named !== undefined) return NAMED[named.toLowerCase()];
		if (plain !== undefined) return plain;
		const code =
			decimal === undefined ? parseInt(groups.slice(0, 6).find(Boolean), 16) : Number(decimal);
		return code <= 0x10ffff ? String.fromCodePoint(code) : '';
	});
}

/** The text as it is, and once more for each layer of escapes. */
function viewsOf(text) {
	const views = [text];
	while (views.length <= MAX_LAYERS) {
		const next = withoutEscapes(views[views.length - 1]);
		if (next === views[views.length - 1]) break;
		views.push(next);
	}
	return views;
}

/** The characters that the bytes make by themselves in base64, behind `skipped` others. */
function base64Inside(bytes, skipped) {
	const text = Buffer.concat([Buffer.alloc(skipped), bytes]).toString('base64');
	const from = skipped === 0 ? 0 : skipped + 1;
	return text.slice(from, Math.floor(((skipped + bytes.length) * 8) / 6));
}

/** Itself, without its kind (gateways quote it without), in hex digits, in base64 wherever it begins. */
function formsOf(key) {
	const bare = key.replace(/^(sk|pk|rk|ak)[-_]/i, '');
	const names = [...new Set([key, bare])].filter((name) => name.length >= SHORTEST_KEY);
	return names.flatMap((name) => {
		const bytes = Buffer.from(name);
		const encoded = [0, 1, 2].map((skipped) => base64Inside(bytes, skipped));
		return [name, bytes.toString('hex'), ...encoded];
	});
}

/** Letters and digits only: what else stands between them, a space or a line's end, hides no key. */
const compact = (text) => text.toLowerCase().replace(/[^a-z\d]/g, '');

/** All pieces of a form that are long enough to be told from words, by their length. */
function addPieces(pieces, form) {
	const length = Math.max(SHORTEST_PIECE, Math.floor(form.length / 2));
	const known = pieces.get(length) ?? new Set();
	for (let at = 0; at + length <= form.length; at++) known.add(form.slice(at, at + length));
	pieces.set(length, known);
}

/**
 * Whether a text holds one of the keys, or half of one, however it is written.
 * @param {string[]} keys
 * @returns {(text: string) => boolean}
 */
function createKeyFinder(keys) {
	const forms = keys.flatMap(formsOf);
	/** @type {Map<number, Set<string>>} */
	const pieces = new Map();
	forms.map(compact).forEach((form) => addPieces(pieces, form));
	const asTheyAre = forms.map((form) => form.toLowerCase());
	const holdsPiece = (text) =>
		[...pieces].some(([length, known]) => {
			for (let at = 0; at + length <= text.length; at++)
				if (known.has(text.slice(at, at + length))) return true;
			return false;
		});
	return (text) =>
		viewsOf(text).some(
			(view) =>
				asTheyAre.some((form) => view.toLowerCase().includes(form)) || holdsPiece(compact(view)),
		);
}

module.exports = { SHORTEST_KEY, createKeyFinder, formsOf };
