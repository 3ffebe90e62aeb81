import { isBase64 } from './json';

const SIGNATURES: Array<[mimeType: string, pattern: RegExp]> = [
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF[^]{4}WEBP/],
	['image/avif', /^[^]{4}ftypavi[fs]/],
	['image/heic', /^[^]{4}ftyp(heic|heix|mif1|msf1)/],
];

/** Returns the MIME type by the first bytes; `undefined` if they are no image. */
export function sniffImage(bytes: Uint8Array): string | undefined {
	const start = String.fromCharCode(...bytes.subarray(0, 16));
	return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
}

/** Returns the base64 in a text or data URI, without white space; `undefined` if there is none. */
export function toBase64(text: string): string | undefined {
	const base64 = text.replace(/^\s*data:[^,]{0,1000};\s?base64\s?,/, '').replace(/\s/g, '');
	return isBase64(base64) ? base64 : undefined;
}
