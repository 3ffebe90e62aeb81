import { isBase64 } from '../lib/json';

const SIGNATURES: Array<[mimeType: string, pattern: RegExp]> = [
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF[^]{4}WEBP/],
	['image/avif', /^[^]{4}ftypavi[fs]/],
	['image/heic', /^[^]{4}ftyp(heic|heix|mif1|msf1)/],
];

/** The type and encoding of a data URI take no more characters than this. */
const MAX_HEAD_CHARS = 1_000;

/** Returns the MIME type by the first bytes; `undefined` if they are no image. */
export function sniffImage(bytes: Uint8Array): string | undefined {
	const start = String.fromCharCode(...bytes.subarray(0, 16));
	return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
}

/**
 * Returns a data URI's base64 part, or the text itself, without white space; `undefined` if not
 * base64.
 */
export function toBase64(text: string): string | undefined {
	const trimmed = text.trim();
	const isUri = trimmed.startsWith('data:');
	const comma = isUri ? trimmed.slice(0, MAX_HEAD_CHARS).indexOf(',') : -1;
	if (isUri && !/;[^,]*base64/.test(trimmed.slice(0, Math.max(comma, 0)))) return undefined;
	const base64 = trimmed.slice(comma + 1).replace(/\s/g, '');
	return isBase64(base64) ? base64 : undefined;
}
