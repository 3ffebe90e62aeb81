import { kindOf, sniff, SIGNATURE_BYTES } from '../lib/mediaType';
import { createMp4Check } from '../mp4/mp4Check';

/**
 * Returns the media type of a video, an image or a sound by its first bytes, whatever its sender calls it.
 * `more`: these are too few to tell, and 64 are enough; a file that ends here is none.
 */
export function sniffFile(first: Buffer): string | undefined {
	// The longest brand ends here.
	if (first.length < 12) return 'more';
	const type = sniff(first);
	// The name of a WebM may follow.
	if (type === 'video/x-matroska' && first.length < SIGNATURE_BYTES) return 'more';
	return kindOf(type) && type;
}

/** What the ends of files are told by: their first 12 bytes, their last ones as Latin-1, and their size. */
type Ends = (head: Buffer, tail: string, size: number) => boolean;

/** So many bytes of a file's end are held: some writers add a few behind its format's own end. */
const TAIL_BYTES = 1024;
/** What a WAV tells that was written as a stream: nothing, or the most that it can (ffmpeg, SoX). */
const isUntold = (bytes: number) => bytes === 0 || bytes >= 0x7fff0000;

/** By type, whether a file has its end. Of others, only the server tells how long they are. */
const ENDS: Record<string, Ends | undefined> = {
	// The last chunk, with its check sum (PNG, section 11.2.5).
	'image/png': (_head, tail) => tail.includes('IEND\xaeB`\x82'),
	// EOI (ISO/IEC 10918-1, B.1.1.3).
	'image/jpeg': (_head, tail) => tail.includes('\xff\xd9'),
	// The trailer (GIF89a, section 27).
	'image/gif': (_head, tail) => /;\0*$/.test(tail),
	'image/webp': (head, _tail, size) => size >= head.readUInt32LE(4) + 8,
	'image/svg+xml': (_head, tail) => tail.includes('</svg>'),
	'audio/wav': (head, _tail, size) =>
		isUntold(head.readUInt32LE(4)) || size >= head.readUInt32LE(4) + 8,
	'audio/aiff': (head, _tail, size) => size >= head.readUInt32BE(4) + 8,
};

/** Files of boxes with an index of what is to be played, and of boxes alone (ISO/IEC 23008-12). */
const WITH_MOVIE = ['video/mp4', 'video/quicktime', 'audio/mp4'];
const OF_BOXES = ['image/avif', 'image/heic', 'image/heif'];

/** Returns a check of whether a file has its end. It gets the bytes as they pass, and holds the last ones. */
export function createWholeCheck(type: string): {
	feed: (chunk: Uint8Array) => void;
	isWhole: () => boolean;
} {
	if ([...WITH_MOVIE, ...OF_BOXES].includes(type)) {
		const { feed, isClosed, isWhole } = createMp4Check();
		return { feed, isWhole: OF_BOXES.includes(type) ? isClosed : isWhole };
	}
	let [head, tail, size] = [Buffer.alloc(0), Buffer.alloc(0), 0];
	return {
		feed(chunk) {
			size += chunk.length;
			if (head.length < 12) head = Buffer.concat([head, chunk.subarray(0, 12 - head.length)]);
			tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
		},
		isWhole: () => ENDS[type]?.(head, tail.toString('latin1'), size) ?? true,
	};
}
