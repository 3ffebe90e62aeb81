import { mapTexts } from '../lib/json';

const SHOWN_INSTEAD = '[API key]';
/** Words in other signs end a run: a key may stand right between them. */
const RUNS = /[!-~]+/g;
const isInRun = (sign: string) => sign > ' ' && sign <= '~';

/** People copy a key with the word that precedes it in a header. */
const TYPED_SCHEME = /^Bearer\s+/i;
/** The prefix of a key; gateways accept and quote the key without it. */
const KIND = /^(?:sk|pk|rk|ak)[-_]/i;
/** Anything shorter also occurs in ordinary words. */
const MIN_CHARS = 8;
/** A shorter part of a key may be a word that addresses contain, too. */
const MIN_CUT_CHARS = 12;
/** Shorter numbers are times, counts and IDs of something else. */
const MIN_DIGITS = 16;

export const toKey = (typed: string) => typed.trim().replace(TYPED_SCHEME, '');

/** Returns whether a key can be told from the words and numbers around it. */
export const isTellable = (key: string) =>
	key.length >= (/^\d*$/.test(key) ? MIN_DIGITS : MIN_CHARS);

/**
 * Returns every form that gives a key away, in lower case: the key with and without its prefix, as
 * Latin-1, in hexadecimal digits, and in base64, from each of the three offsets at which it may
 * begin there. Empty for a key that cannot be told from words.
 */
function formsOf(key: string): string[] {
	const forms = [key, key.replace(KIND, '')].filter(isTellable).flatMap((form) => {
		const bytes = Buffer.from(form, 'utf8');
		const encoded = [0, 1, 2].map((skipped) => {
			const text = Buffer.concat([Buffer.alloc(skipped), bytes]).toString('base64');
			// Keeps the characters that depend on these bytes alone.
			return text.slice(skipped && skipped + 1, Math.floor(((skipped + bytes.length) * 8) / 6));
		});
		const inAddresses = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
		// `unescape` turns each escaped byte of an address into a character, hence `latin1`.
		return [form, bytes.toString('latin1'), bytes.toString('hex'), ...encoded, ...inAddresses];
	});
	return forms.map((form) => form.toLowerCase());
}

/** A form of a key, of which any run of so many characters gives it away. */
interface KeyForm {
	text: string;
	chars: number;
	/** Pieces and their places, at least one of which is in each such run. */
	pieces: Array<[at: number, piece: string]>;
}

/** Keys are quoted cut, too, with dots or without: half of one is hidden, and of a short one, all. */
function toKeyForm(text: string): KeyForm {
	const minChars = /^\d*$/.test(text) ? MIN_DIGITS : MIN_CUT_CHARS;
	const chars = Math.min(text.length, Math.max(minChars, Math.ceil(text.length / 2)));
	const length = Math.ceil(chars / 2);
	const places = Array.from({ length: Math.floor(text.length / length) }, (_, i) => i * length);
	return { text, chars, pieces: places.map((at) => [at, text.slice(at, at + length)]) };
}

/** Returns whether a text, in lower case, has enough of a form in a row. */
function holdsForm(folded: string, { text, chars, pieces }: KeyForm): boolean {
	const isRun = (at: number, piece: string, found: number) => {
		let [from, to] = [at, at + piece.length];
		const offset = found - at;
		while (from > 0 && text[from - 1] === folded[from - 1 + offset]) from--;
		while (to < text.length && text[to] === folded[to + offset]) to++;
		return to - from >= chars && isTellable(text.slice(from, to));
	};
	return pieces.some(([at, piece]) => {
		let found = folded.indexOf(piece);
		while (found >= 0 && !isRun(at, piece, found)) found = folded.indexOf(piece, found + 1);
		return found >= 0;
	});
}

/** What stands in a quoted key for its middle. */
const MASK = /[^a-z\d]{1,100}|x{3,100}/y;
const MIN_END_CHARS = 4;

/** Returns whether a text, in lower case, has enough of a form at its two ends, around a mask. */
function holdsEnds(folded: string, { text, chars }: KeyForm): boolean {
	const [head, tail] = [text.slice(0, MIN_END_CHARS), text.slice(-MIN_END_CHARS)];
	for (let at = folded.indexOf(head); at >= 0; at = folded.indexOf(head, at + 1)) {
		let first = head.length;
		while (first < text.length && text[first] === folded[at + first]) first++;
		MASK.lastIndex = at + first;
		if (!MASK.test(folded)) continue;
		const rest = folded.slice(MASK.lastIndex, MASK.lastIndex + text.length);
		const last = rest.indexOf(tail, chars - first - tail.length) + tail.length;
		if (last >= tail.length && text.endsWith(rest.slice(0, last))) return true;
	}
	return false;
}

/** What nobody sees, and what breaks lines: some put it into the midst of a long word. */
const BETWEEN = /[\s\p{Cc}\p{DI}]+/gu;

/** Matches the escapes of JSON, of addresses and of pages. */
const ESCAPES = /\\(?:u([\da-f]{4})|([^u]))|%([\da-f]{2})|&(?:#(x[\da-f]{1,6}|\d{1,7})|amp);/gi;
/** A text is escaped again each time it is put into another one; more often than this is rare. */
const MAX_LAYERS = 4;
/** Long texts are searched in parts: to unescape one may take many times its size in memory. */
const PART_CHARS = 256 * 1024;
/** More than a key takes whose characters are all escaped several times. */
const OVERLAP_CHARS = 64 * 1024;

const unescape = (text: string): string =>
	text.replace(
		ESCAPES,
		(escape, unicode?: string, signed?: string, byte?: string, entity?: string) =>
			signed?.replace(/[bfnrt]/, ' ') ??
			(escape === '&amp;'
				? '&'
				: String.fromCharCode(
						entity === undefined ? Number.parseInt(unicode ?? byte!, 16) : Number(`0${entity}`),
					)),
	);

/**
 * Returns functions that keep keys, in every form that gives them away, out of what is shown: some
 * deployments quote them. Data that is still to be read is not redacted.
 */
export function createRedaction(...typedKeys: string[]) {
	const forms = new Map<string, KeyForm>();

	/** Learns a key, as it was typed; it must not be shown from now on. */
	const learn = (typedKey: string) => {
		for (const text of formsOf(toKey(typedKey))) forms.set(text, toKeyForm(text));
	};
	typedKeys.forEach(learn);

	const holdsKey = (text: string): boolean => {
		if (forms.size === 0) return false;
		for (let at = 0; at < text.length; at += PART_CHARS) {
			if (partHoldsKey(text.slice(at, at + PART_CHARS + OVERLAP_CHARS))) return true;
		}
		return false;
	};

	const partHoldsKey = (part: string): boolean => {
		let seen = part;
		for (let layer = 0; ; layer++) {
			const folded = seen.toLowerCase();
			const joined = folded.replace(BETWEEN, '');
			for (const form of forms.values()) {
				if (holdsForm(folded, form) || holdsForm(joined, form) || holdsEnds(joined, form))
					return true;
			}
			const next = layer < MAX_LAYERS ? unescape(seen) : seen;
			if (next === seen) return false;
			seen = next;
		}
	};

	/**
	 * Returns a text without the keys: replaces each whole run of characters that holds one, or all of
	 * the text for a key that is longer than a run, because it has a space in it.
	 */
	const redact = (text: string): string => {
		if (!holdsKey(text)) return text;
		const shown = text.replace(RUNS, (run) => (holdsKey(run) ? SHOWN_INSTEAD : run));
		return holdsKey(shown) ? SHOWN_INSTEAD : shown;
	};

	/** Redacts a text that comes in pieces; holds back its last run, in which a key may be cut. */
	const redactPieces = () => {
		let held = '';
		return {
			/** Returns the text that may be shown by now. */
			add(piece: string): string {
				let end = piece.length;
				while (forms.size > 0 && end > 0 && isInRun(piece[end - 1])) end--;
				const shown = end > 0 ? redact(held + piece.slice(0, end)) : '';
				held = end > 0 ? piece.slice(end) : held + piece;
				return shown;
			},
			end: () => redact(held),
		};
	};

	/**
	 * Returns a copy of any JSON that may be shown: it contains no key, and n8n can store it.
	 *
	 * @throws if it is nested too deeply
	 */
	const show = <Value>(value: Value): Value => mapTexts(value, redact, redact) as Value;

	return { learn, redact, redactPieces, show };
}
