import { mapTexts } from './json';

/** A file that was read and checked, and is loaded again for each submit, so that it takes no memory meanwhile. */
export interface HeldFile {
	mimeType: string;
	sizeBytes: number;
	/** SHA-256, in hexadecimal. */
	hash: string;
}

const REFERENCE = /^held-file:([\w.+-]+\/[\w.+-]+);(\d+);([0-9a-f]{64})(;bare)?$/;

/**
 * Returns the text that stands in a request for a file until the request is sent.
 *
 * @param bare the file goes as base64 alone, and not as a data URI
 */
export const toReference = ({ mimeType, sizeBytes, hash }: HeldFile, bare?: boolean): string =>
	`held-file:${mimeType};${sizeBytes};${hash}${bare ? ';bare' : ''}`;

/** Returns the file that a text stands for; `undefined` for any other text. */
export function readReference(text: string): (HeldFile & { bare: boolean }) | undefined {
	const [, mimeType, size, hash, bare] = REFERENCE.exec(text) ?? [];
	if (mimeType === undefined) return undefined;
	return { mimeType, sizeBytes: Number(size), hash, bare: bare !== undefined };
}

/** Returns what stands before the base64 of a file. */
export const beforeBase64 = (mimeType: string, bare: boolean): string =>
	bare ? '' : `data:${mimeType};base64,`;

/** Returns the references of a request, each once. */
export function referencesIn(request: object): string[] {
	const found = new Set<string>();
	mapTexts(request, (text) => {
		if (readReference(text)) found.add(text);
		return text;
	});
	return [...found];
}

/** Returns the bytes of all files in a request, each as often as it stands there. */
export function fileBytesOf(request: object): number {
	let sum = 0;
	mapTexts(request, (text) => {
		sum += readReference(text)?.sizeBytes ?? 0;
		return text;
	});
	return sum;
}
