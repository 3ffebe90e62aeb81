const SIGNATURES: Array<[mimeType: string, pattern: RegExp]> = [
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF[^]{4}WEBP/],
	['image/avif', /^[^]{4}ftypavi[fs]/],
	['image/heic', /^[^]{4}ftyp(heic|heix|mif1|msf1)/],
];

const DATA_URI = /^data:([^;,]*)((?:;[^;,]*)*),(.*)$/s;

/** MIME type by the first bytes; `undefined` for what is no image. */
export function sniffImage(bytes: Uint8Array): string | undefined {
	const start = String.fromCharCode(...bytes.subarray(0, 16));
	return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
}

/** The base64 part of a data URI, or the text itself; white space is taken out. */
export function toBase64(text: string): string | undefined {
	const uri = DATA_URI.exec(text.trim());
	if (uri && !uri[2].includes('base64')) return undefined;
	const base64 = (uri ? uri[3] : text).replace(/\s+/g, '');
	return base64 !== '' && /^[A-Za-z0-9+/_-]+={0,2}$/.test(base64) ? base64 : undefined;
}
