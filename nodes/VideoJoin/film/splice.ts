import type { Cursor } from './clipFile';

/** Types of pictures at which decoding can begin (ITU-T H.265, table 7-1). */
const CRA = 21;
const BLA = 16;
/** A picture has one for each of its slices, at most 600 (table A.8), and some about itself. */
const MAX_UNITS = 1000;
/** Its length, and the first byte of its header. */
const HEAD_BYTES = 5;

/**
 * Copies a picture of H.265 up to an offset so that it may follow another clip. x265 and its like make
 * pictures (CRA) that go on with the numbers of those before them. A clip that was cut without encoding
 * begins with one, and behind another clip, decoders would take its pictures for those of that clip. The
 * other type (BLA) is for this: it says that a stream was put together here, and nothing else differs.
 */
export async function* spliced(cursor: Cursor, end: number): AsyncGenerator<Uint8Array, void> {
	for (let units = 0; units < MAX_UNITS && end - cursor.position() >= HEAD_BYTES; units++) {
		const next = cursor.position() + 4;
		const head = await cursor.read(HEAD_BYTES);
		if (((head[4] >> 1) & 0x3f) === CRA) head[4] = (head[4] & 0x81) | (BLA << 1);
		yield head;
		yield* cursor.passTo(Math.min(next + head.readUInt32BE(0), end));
	}
	yield* cursor.passTo(end);
}
