import type { Clock } from '../lib/time';

/** Bytes of one piece for n8n's storage: each piece costs it a turn of its own. */
export const PIECE_BYTES = 512 * 1024;
/**
 * Bytes that came are held for no longer, in milliseconds, where a server is slow: n8n's
 * storages in a database and in S3 give a file up that brings nothing for five minutes.
 */
const MAX_HELD_MS = 10_000;

/**
 * The small chunks of an answer as large pieces, and then what is left. A piece is never used again
 * once it is handed over, because storages other than the file system keep all of them to the end.
 * What throws in between takes the bytes since the last piece along.
 */
export async function* gather(
	first: IteratorResult<Uint8Array, void>,
	rest: AsyncGenerator<Uint8Array, void>,
	{ now }: Pick<Clock, 'now'>,
): AsyncGenerator<Uint8Array, void> {
	let piece: Buffer | undefined;
	let used = 0;
	let sinceMs = now();
	for (let next = first; !next.done; next = await rest.next()) {
		const chunk = next.value;
		for (let at = 0; at < chunk.length;) {
			// Not from the pool, which others write into.
			piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
			const part = chunk.subarray(at, at + PIECE_BYTES - used);
			piece.set(part, used);
			used += part.length;
			at += part.length;
			if (used < PIECE_BYTES && now() - sinceMs < MAX_HELD_MS) continue;
			const whole = piece.subarray(0, used);
			[piece, used] = [undefined, 0];
			yield whole;
			sinceMs = now();
		}
		giveBack(chunk);
	}
	if (piece) yield piece.subarray(0, used);
}

/**
 * Frees the memory of a chunk that has been copied at once: left to the garbage collector, chunks
 * pile up by the hundred, and freeing them holds up n8n's one thread. Only where no other view is on
 * the same memory; Node.js before 22 cannot.
 */
function giveBack({ buffer, byteLength }: Uint8Array): void {
	if (byteLength !== buffer.byteLength) return;
	(buffer as { transfer?: (bytes: number) => unknown }).transfer?.(0);
}
