import { mapTexts } from '../lib/json';

const SHOWN_INSTEAD = '[API key]';

/** People copy a key with the word that precedes it in a header. */
const TYPED_SCHEME = /^(Bearer|Key)\s+/i;
/** Other words that a header of Custom Paths may have before the key. */
const OTHER_SCHEME = /^(Basic|Token|Api-?Key)\s+/i;
/** New API issues keys with this prefix, and takes and stores them without it. */
const PREFIX = /^sk-/;
/**
 * Local services take any key, and people enter `none` or `1234`: it is no secret, and replacing it would
 * garble IDs and texts (https://github.com/turbot/flowpipe/issues/402). LiteLLM's example is `sk-1234`.
 */
const MIN_KEY_CHARS = 7;
const REGEX_SIGNS = /[\\^$.*+?()[\]{}|]/g;

export const toKey = (typed: string) => typed.trim().replace(TYPED_SCHEME, '');

/** Returns how a service may quote a key: as it is, without its prefix or scheme, and each of them in an address. */
function formsOf(key: string): string[] {
	const bare = key.replace(OTHER_SCHEME, '');
	const forms = [key, bare, bare.replace(PREFIX, '')];
	return [...forms, ...forms.map(encodeURIComponent)].filter(
		({ length }) => length >= MIN_KEY_CHARS,
	);
}

/**
 * Returns functions that keep keys out of what is shown: some services quote them. What is
 * still to be parsed is not redacted.
 */
export function createRedaction(...typedKeys: string[]) {
	/** The longest first: one key may begin with another. */
	let forms: string[] = [];
	let anyForm = /(?!)/g;

	/** Learns a key, as it was typed; it must not be shown from now on. */
	const learn = (typedKey: string) => {
		const all = new Set([...forms, ...formsOf(toKey(typedKey))]);
		forms = [...all].sort((one, other) => other.length - one.length);
		const patterns = forms.map((form) => form.replace(REGEX_SIGNS, '\\$&'));
		if (forms.length > 0) anyForm = new RegExp(patterns.join('|'), 'g');
	};
	typedKeys.forEach(learn);

	const redact = (text: string): string => text.replace(anyForm, SHOWN_INSTEAD);

	/** Returns how many characters at the end of a text may be the beginning of a key. */
	const countBegun = (text: string): number => {
		let count = Math.min(text.length, (forms[0]?.length ?? 1) - 1);
		while (count > 0 && !forms.some((form) => form.startsWith(text.slice(-count)))) count--;
		return count;
	};

	/** Redacts a text that comes in pieces; holds back its end where that may be the beginning of a key. */
	const redactPieces = () => {
		let held = '';
		return {
			/** Returns the text that may be shown by now. */
			add(piece: string): string {
				const text = redact(held + piece);
				const end = text.length - countBegun(text);
				held = text.slice(end);
				return text.slice(0, end);
			},
			end: () => held,
		};
	};

	/** Returns a copy of any JSON that may be shown. */
	const show = <Value>(value: Value): Value => mapTexts(value, redact, redact) as Value;

	return { learn, redact, redactPieces, show };
}
