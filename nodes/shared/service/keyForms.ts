/** People copy a key with the word that stands before it in a header. */
const TYPED_SCHEME = /^Bearer\s+/i;

/** What stands before the key itself; gateways take it, and quote it, without. */
const KIND = /^(?:sk|pk|rk|ak)[-_]/i;

/** Whatever is shorter stands in ordinary words, too. */
const MIN_CHARS = 8;
/** Shorter numbers are times, counts and ids of something else. */
const MIN_DIGITS = 16;

export const toKey = (typed: string) => typed.trim().replace(TYPED_SCHEME, '');

/** Whether a key can be told from the words and numbers around it. */
export const isTellable = (key: string) =>
	key.length >= (/^\d*$/.test(key) ? MIN_DIGITS : MIN_CHARS);

/**
 * All that a key can be told from, apart from case and from the escapes of JSON, HTML and addresses:
 * itself, without its kind, in hexadecimal digits, and in base64 wherever it begins in it. Empty for
 * a key that cannot be told from words.
 */
export function formsOf(key: string): string[] {
	const bare = key.replace(KIND, '');
	const keys = bare === key ? [key] : [key, bare];
	const forms = keys.filter(isTellable).flatMap((form) => {
		const bytes = Buffer.from(form, 'utf8');
		const encoded = [0, 1, 2].flatMap((skipped) => base64Inside(bytes, skipped));
		// The escapes of an address are bytes.
		return [form, bytes.toString('latin1'), bytes.toString('hex'), ...encoded];
	});
	return [...new Set(forms)];
}

/** The characters that the bytes make by themselves, behind `skipped` others; in both alphabets. */
function base64Inside(bytes: Buffer, skipped: number): string[] {
	const text = Buffer.concat([Buffer.alloc(skipped), bytes]).toString('base64');
	const from = skipped === 0 ? 0 : skipped + 1;
	const inside = text.slice(from, Math.floor(((skipped + bytes.length) * 8) / 6));
	return [inside, inside.replaceAll('+', '-').replaceAll('/', '_')];
}
