import { mapTexts } from '../lib/json';

const SHOWN_INSTEAD = '[API key]';

/** People copy a key with the word that precedes it in a header. */
const TYPED_SCHEME = /^Bearer\s+/i;
/** The prefix of a key; gateways accept and quote the key without it. */
const KIND = /^(?:sk|pk|rk|ak)[-_]/i;
/** Anything shorter also occurs in ordinary words. */
const MIN_CHARS = 8;
/** Shorter numbers are times, counts and IDs of something else. */
const MIN_DIGITS = 16;

export const toKey = (typed: string) => typed.trim().replace(TYPED_SCHEME, '');

/** Returns whether a key can be told from the words and numbers around it. */
export const isTellable = (key: string) =>
	key.length >= (/^\d*$/.test(key) ? MIN_DIGITS : MIN_CHARS);

/**
 * Returns every form that gives a key away, in lower case: the key itself, without its prefix, in
 * hexadecimal digits, and in base64 wherever the key begins in it. Empty for a key that cannot be
 * told from words.
 */
function formsOf(key: string): string[] {
	const bare = key.replace(KIND, '');
	const forms = (bare === key ? [key] : [key, bare]).filter(isTellable).flatMap((form) => {
		const bytes = Buffer.from(form, 'utf8');
		const encoded = [0, 1, 2].map((skipped) => {
			const text = Buffer.concat([Buffer.alloc(skipped), bytes]).toString('base64');
			// Keeps the characters that depend on these bytes alone.
			return text.slice(skipped && skipped + 1, Math.floor(((skipped + bytes.length) * 8) / 6));
		});
		const inAddresses = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
		// The escapes of an address are bytes, hence `latin1`.
		return [form, bytes.toString('latin1'), bytes.toString('hex'), ...encoded, ...inAddresses];
	});
	return forms.map(fold);
}

/** Turns a text to lower case without changing its length: U+0130 would become two characters. */
const fold = (text: string) => text.replaceAll('\u0130', 'i').toLowerCase();

/**
 * Matches the escapes of JSON and JavaScript, of addresses, and of HTML (browsers accept no `;`,
 * too).
 */
const ESCAPES =
	/\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|([^ux]))|%(?:u([\da-f]{4})|([\da-f]{2}))|&#x0{0,9}([\da-f]{1,6});?|&#0{0,9}(\d{1,7});?|&(amp|quot|apos|lt|gt);/gi;
/** A text is escaped again each time it is put into another one; more often than this is rare. */
const MAX_LAYERS = 4;
const NAMED: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

function unescape(text: string): string {
	return text.replace(ESCAPES, (...match: string[]) => {
		const [, u, braced, x, signed, wide, percent, hex, decimal, named] = match;
		if (signed !== undefined) return /[nrtbf]/.test(signed) ? ' ' : signed;
		if (named !== undefined) return NAMED[named.toLowerCase()];
		const digits = u ?? braced ?? x ?? wide ?? percent ?? hex;
		const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
		return code > 0x10ffff ? '' : String.fromCodePoint(code);
	});
}

/** Matches the dots that mark where a key was cut. */
const CUT = /(?:\.{3,}|\u2026)+/;
/** The most characters that an escape leaves behind if it was cut, too. */
const OPEN_ESCAPE_CHARS = 20;

/** The most characters for one character of a key that was escaped several times. */
const SIGNS_PER_CHAR = 32;
/** How many characters of a stream are held back if no space comes; more for a very long key. */
const MAX_HELD_CHARS = 64 * 1024;

/** Keeps keys out of what is shown. Data that is still to be read does not go through it. */
export interface Redaction {
	/** Learns a key, as it was typed; it must not be shown from now on. */
	learn: (typedKey: string) => void;
	/** Returns a text without the keys: replaces each whole run of characters that holds one. */
	redact: (text: string) => string;
	/** Returns the same for a text that comes in pieces, between which a key may be cut. */
	redactPieces: () => PieceRedaction;
	/**
	 * Returns a copy of any JSON that may be shown: it contains no key, and n8n can store it.
	 *
	 * @throws if it is nested too deeply
	 */
	show: Show;
}

interface PieceRedaction {
	/** Returns the text that may be shown by now; holds back its last run of characters. */
	add: (piece: string) => string;
	/** Returns the text that was held back. */
	end: () => string;
}

/** One text of a value. */
interface Place {
	text: string;
}

/** Stands for a character of a key; no text contains it. */
const HIDDEN = '\uffff';

export type Show = <Value>(value: Value) => Value;

/** Blanks out keys in every form that gives them away: some deployments quote them. */
export function createRedaction(...typedKeys: string[]): Redaction {
	const forms = new Set<string>();
	let longest = 0;
	/** Characters that end no run because keys contain them; a space may be one. */
	const inKeys = new Set<string>();

	const learn = (typedKey: string) => {
		const key = toKey(typedKey);
		for (const form of formsOf(key)) {
			forms.add(form);
			longest = Math.max(longest, form.length);
			for (const sign of key.split('')) inKeys.add(sign);
		}
	};
	typedKeys.forEach(learn);

	const isInRun = (sign: string) =>
		(sign > ' ' && sign <= '~') || sign === '\u2026' || inKeys.has(sign);

	/** Looks at a long text part by part: one that is all escapes takes many times its size. */
	const holdsKey = (text: string): boolean => {
		const overlap = longest * SIGNS_PER_CHAR;
		for (let at = 0; at === 0 || at < text.length; at += MAX_HELD_CHARS) {
			if (holdsKeyIn(text.slice(at, at + MAX_HELD_CHARS + overlap))) return true;
		}
		return false;
	};

	const holdsKeyIn = (text: string): boolean => {
		let seen = text;
		for (let layer = 0; layer <= MAX_LAYERS; layer++) {
			const folded = fold(seen);
			for (const form of forms) if (folded.includes(form)) return true;
			if (CUT.test(folded) && folded.split(CUT).slice(0, -1).some(endsInKey)) return true;
			const next = unescape(seen);
			if (next === seen) return false;
			seen = next;
		}
		return false;
	};

	/** Returns whether a text ends in at least the first half of a key. */
	const endsInKey = (text: string): boolean => {
		for (const form of forms) {
			const at = text.lastIndexOf(form.slice(0, Math.max(MIN_CHARS, form.length / 2)));
			if (at >= 0 && text.length - at < form.length + OPEN_ESCAPE_CHARS) return true;
		}
		return false;
	};

	const redact = (text: string): string => {
		if (!holdsKey(text)) return text;
		let shown = '';
		for (let at = 0, end = 0; at < text.length; at = ++end) {
			while (end < text.length && isInRun(text[end])) end++;
			const run = text.slice(at, end);
			shown += (holdsKey(run) ? SHOWN_INSTEAD : run) + text.slice(end, end + 1);
		}
		return shown;
	};

	const redactPieces = (): PieceRedaction => {
		let held = '';
		/** The current run holds a key, so none of it is shown any more. */
		let isBlank = false;
		const add = (given: string): string => {
			let piece = given;
			if (isBlank) {
				let end = 0;
				while (end < piece.length && isInRun(piece[end])) end++;
				isBlank = end === piece.length;
				piece = piece.slice(end);
			}
			let open = piece.length;
			while (forms.size > 0 && open > 0 && isInRun(piece[open - 1])) open--;
			let shown = '';
			if (open > 0) {
				shown = redact(held + piece.slice(0, open));
				held = '';
			}
			held += piece.slice(open);
			const tail = longest * SIGNS_PER_CHAR;
			if (held.length <= Math.max(MAX_HELD_CHARS, 2 * tail)) return shown;
			isBlank = holdsKey(held);
			shown += isBlank ? SHOWN_INSTEAD : held.slice(0, -tail);
			held = isBlank ? '' : held.slice(-tail);
			return shown;
		};
		const end = () => {
			const rest = redact(held);
			held = '';
			return rest;
		};
		return { add, end };
	};

	/** Blanks out keys that are cut across several texts; returns whether there were any. */
	const hideCut = (places: Place[]): boolean => {
		const folded = fold(places.map(({ text }) => text).join(''));
		let masked = folded;
		for (const form of forms) masked = masked.replaceAll(form, HIDDEN.repeat(form.length));
		if (masked === folded) return false;
		let at = 0;
		for (const place of places) {
			const mask = masked.slice(at, (at += place.text.length));
			if (!mask.includes(HIDDEN)) continue;
			const signs = place.text.split('').map((sign, i) => {
				if (mask[i] !== HIDDEN) return sign;
				return mask[i - 1] === HIDDEN ? '' : SHOWN_INSTEAD;
			});
			place.text = signs.join('');
		}
		return true;
	};

	const show: Show = (value) => {
		const places: Place[] = [];
		const byName = new Map<string, Place[]>();
		const note = (given: string, name: string) => {
			const place = { text: redact(given) };
			places.push(place);
			const same = byName.get(name);
			if (same) same.push(place);
			else byName.set(name, [place]);
			return place.text;
		};
		const copy = mapTexts(value, note, redact);
		const groups = [places, ...byName.values()].filter(({ length }) => length > 1);
		const wereCut = groups.filter(hideCut).length > 0;
		let next = 0;
		return (wereCut ? mapTexts(value, () => places[next++].text, redact) : copy) as typeof value;
	};

	return { learn, redact, redactPieces, show };
}
