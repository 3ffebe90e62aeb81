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
 * Returns every form that gives a key away, in lower case: the key with and without its prefix, as
 * Latin-1, in hexadecimal digits, and in base64, from each of the three offsets at which it may
 * begin there. Empty for a key that cannot be told from words.
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
		// `unescape` turns each escaped byte of an address into a character, hence `latin1`.
		return [form, bytes.toString('latin1'), bytes.toString('hex'), ...encoded, ...inAddresses];
	});
	return forms.map(fold);
}

/** Turns a text to lower case without changing its length: U+0130 would become two characters. */
const fold = (text: string) => text.replaceAll('\u0130', 'i').toLowerCase();

/** Matches the escapes of JSON, JavaScript, addresses, and HTML, where browsers need no `;`. */
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
/** Long texts are searched in parts: to unescape one may take many times its size in memory. */
const PART_CHARS = 64 * 1024;

/** Stands for a character of a key; no text contains it. */
const HIDDEN = '\uffff';

/**
 * Returns functions that keep keys, in every form that gives them away, out of what is shown: some
 * deployments quote them. Data that is still to be read is not redacted.
 */
export function createRedaction(...typedKeys: string[]) {
	const forms = new Set<string>();
	let longest = 0;
	/** The characters of keys, which therefore end no run; a space may be one. */
	const inKeys = new Set<string>();

	/** Learns a key, as it was typed; it must not be shown from now on. */
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

	const holdsKey = (text: string): boolean => {
		const overlap = longest * SIGNS_PER_CHAR;
		for (let at = 0; at === 0 || at < text.length; at += PART_CHARS) {
			if (holdsKeyIn(text.slice(at, at + PART_CHARS + overlap))) return true;
		}
		return false;
	};

	const holdsKeyIn = (text: string): boolean => {
		let seen = text;
		for (let layer = 0; layer <= MAX_LAYERS; layer++) {
			const folded = fold(seen);
			for (const form of forms) if (folded.includes(form)) return true;
			const parts = folded.split(CUT);
			if (parts.slice(0, -1).some(endsInKey) || parts.slice(1).some(beginsInKey)) return true;
			const next = unescape(seen);
			if (next === seen) return false;
			seen = next;
		}
		return false;
	};

	const halfOf = (form: string) => Math.max(MIN_CHARS, Math.floor(form.length / 2));
	/** Returns whether a text whose end was cut off ends in at least the first half of a key. */
	const endsInKey = (text: string): boolean =>
		[...forms].some((form) => {
			const at = text.lastIndexOf(form.slice(0, halfOf(form)));
			return at >= 0 && text.length - at < form.length + OPEN_ESCAPE_CHARS;
		});
	/** Returns whether a text whose start was cut off begins with at least the last half of a key. */
	const beginsInKey = (text: string): boolean =>
		[...forms].some((form) => {
			const at = text.indexOf(form.slice(-halfOf(form)));
			return at >= 0 && at + halfOf(form) < form.length + OPEN_ESCAPE_CHARS;
		});

	/** Returns a text without the keys: replaces each whole run of characters that holds one. */
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

	/** Redacts a text that comes in pieces; holds back its last run, in which a key may be cut. */
	const redactPieces = () => {
		let held = '';
		return {
			/** Returns the text that may be shown by now. */
			add(piece: string): string {
				let open = piece.length;
				while (forms.size > 0 && open > 0 && isInRun(piece[open - 1])) open--;
				const shown = open > 0 ? redact(held + piece.slice(0, open)) : '';
				held = open > 0 ? piece.slice(open) : held + piece;
				return shown;
			},
			end: () => redact(held),
		};
	};

	/** Hides keys that are spread over several texts; returns whether there were any. */
	const hideCut = (places: Array<{ text: string }>): boolean => {
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

	/**
	 * Returns a copy of any JSON that may be shown: it contains no key, and n8n can store it.
	 *
	 * @throws if it is nested too deeply
	 */
	const show = <Value>(value: Value): Value => {
		const places: Array<{ text: string }> = [];
		const byName = new Map<string, typeof places>();
		const note = (given: string, name: string) => {
			const place = { text: redact(given) };
			const sameName = byName.get(name) ?? [];
			byName.set(name, sameName);
			sameName.push(place);
			places.push(place);
			return place.text;
		};
		const copy = mapTexts(value, note, redact);
		const groups = [places, ...byName.values()].filter(({ length }) => length > 1);
		const wereCut = groups.filter(hideCut).length > 0;
		let next = 0;
		return (wereCut ? mapTexts(value, () => places[next++].text, redact) : copy) as Value;
	};

	return { learn, redact, redactPieces, show };
}
