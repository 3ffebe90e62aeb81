/** Bytes of an answer after decompression, by what it is for: so much is held in memory. */
export const MAX_RECORD_BYTES = 1024 ** 2;
export const MAX_LISTING_BYTES = 4 * 1024 ** 2;
/** The protocol's answers hold files: a picture of 4096 pixels is 30 MB as base64. */
export const MAX_TEXT_BYTES = 64 * 1024 ** 2;

/** The code of an answer that was given up because of its size. */
export const TOO_LARGE = 'ANSWER_TOO_LARGE';

/**
 * Lists, objects and texts in an answer. Three bytes of "[]," become forty in memory, so that the
 * length of an answer says little of what it takes; texts and files have few of these.
 */
const MAX_PARTS = 2_000_000;
const [LIST, OBJECT, TEXT] = Buffer.from('[{"');

/** Counts what comes of an answer; `false` once it is more than may be held. */
export type AnswerLimit = (bytes: Uint8Array) => boolean;

export function createAnswerLimit(maxBytes: number): AnswerLimit {
	let size = 0;
	let parts = 0;
	return (bytes) => {
		size += bytes.length;
		if (size > maxBytes) return false;
		for (const byte of bytes) if (byte === TEXT || byte === LIST || byte === OBJECT) parts++;
		return parts <= MAX_PARTS;
	};
}

/** A limit for people: whole megabytes. */
export const inMegabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
