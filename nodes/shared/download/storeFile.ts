import type { IBinaryData } from 'n8n-workflow';

import type { Run } from '../item/run';
import type { Readable } from '../service/http';

/**
 * Stores a file while its chunks come. n8n's file system takes any iterable. Its other storages
 * (memory, database, S3, Azure) hold a file whole and listen to a stream, whose class nodes may not
 * import; they reject an iterable before they read it, and are given the whole file instead.
 */
export async function storeFile(
	{ context: { helpers } }: Run,
	chunks: AsyncIterable<Uint8Array>,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	const store = async (content: Buffer | Readable) =>
		await helpers.prepareBinaryData(content, fileName, mimeType);
	let read: number | undefined;
	async function* pieces() {
		read = 0;
		for await (const piece of readAhead(gather(chunks))) {
			read += piece.length;
			yield piece;
		}
	}
	const binary = await store(pieces() as unknown as Readable).catch(async (error: unknown) => {
		if (read !== undefined || !(error instanceof TypeError)) throw error;
		const whole: Uint8Array[] = [];
		for await (const chunk of chunks) whole.push(chunk);
		return await store(Buffer.concat(whole));
	});
	// A storage that kept the pieces would have written less.
	const { bytes: written = read } = binary;
	if (read !== undefined && written !== read)
		throw new Error(`It wrote ${written} of ${read} bytes`);
	return binary;
}

/** Asks for the next piece while the storage writes the last one, which is done when it asks for more. */
async function* readAhead(pieces: AsyncGenerator<Uint8Array, void>) {
	try {
		for (let next = await pieces.next(); !next.done;) {
			const following = pieces.next();
			// It is awaited below, unless the storage fails first.
			following.catch(() => {});
			yield next.value;
			giveBack(next.value);
			next = await following;
		}
	} finally {
		await pieces.return();
	}
}

/** Bytes per piece: each piece costs the storage one turn of the event loop. */
export const PIECE_BYTES = 512 * 1024;

/** Gathers small chunks into large pieces, none of which is ever reused. */
export async function* gather(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
	let piece: Buffer | undefined;
	let used = 0;
	for await (const chunk of chunks) {
		for (let at = 0; at < chunk.length;) {
			// Unpooled, because Node.js writes other data into pooled memory.
			piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
			const part = chunk.subarray(at, at + PIECE_BYTES - used);
			piece.set(part, used);
			used += part.length;
			at += part.length;
			if (used < PIECE_BYTES) continue;
			yield piece;
			[piece, used] = [undefined, 0];
		}
		giveBack(chunk);
	}
	if (piece) yield piece.subarray(0, used);
}

/**
 * Frees the memory of bytes immediately, if they are their whole buffer. Each 50 MB left to the garbage
 * collector have it look through all of n8n's memory. Does nothing before Node.js 22.
 */
function giveBack({ buffer, byteLength }: Uint8Array): void {
	if (byteLength !== buffer.byteLength) return;
	(buffer as { transfer?: (bytes: number) => unknown }).transfer?.(0);
}
