import type { IBinaryData } from 'n8n-workflow';

import type { DownloadWishes } from '../item/downloadWishes';
import type { Run } from '../item/run';
import type { Clock } from '../lib/time';
import type { Address, Connection } from '../service/connection';
import type { Readable } from '../service/http';
import type { Trouble } from '../service/trouble';
import type { DownloadTrouble } from './openVideo';
import { countTries, readVideo, startReading } from './readVideo';

export interface VideoFile {
	binary: IBinaryData;
	file_name: string;
	mime_type: string;
	size_bytes: number;
}

interface Source {
	address: Address;
	/** Names the file where the wishes do not. */
	task_id?: string;
	/** Whether no further try of the address can help after what the first one met. */
	isInVain?: (met: Trouble) => Promise<boolean>;
}

/**
 * Stores the video at one address in n8n's storage; tries are counted over all its answers. The
 * storage is opened only when the first bytes are known to be those of a video, and its stream ends
 * only when the file is whole: what is no video leaves nothing behind.
 */
export async function storeVideo(
	{ address, task_id = '', isInVain }: Source,
	wishes: DownloadWishes,
	run: Run,
	connection: Connection,
): Promise<VideoFile | DownloadTrouble> {
	const { redact } = connection;
	const tryAgain = countTries(wishes, run, isInVain);
	for (;;) {
		const reading = startReading(address, wishes);
		const chunks = readVideo(reading, tryAgain, run, connection);
		try {
			const first = await chunks.next();
			const { mimeType, source, check } = reading;
			const mime_type = redact(mimeType) === mimeType ? mimeType : 'video/mp4';
			// A key could no longer be told in a name whose signs are replaced.
			const file_name = toFileName(redact(wishes.fileName ?? ''), redact(task_id), mime_type);
			const stream = toStream(gather(first, chunks, run.clock), source as Readable);
			const { helpers } = run.context;
			const binary = await helpers.prepareBinaryData(stream, file_name, mime_type);
			return { binary, file_name, mime_type, size_bytes: check.size() };
		} catch (error) {
			if (!reading.startsOver) return reading.end ?? notStored(error);
		} finally {
			await chunks.return();
		}
	}
}

/** n8n's own storage said no, say for want of space: another try would only cost time. */
const notStored = (reason: unknown): DownloadTrouble => ({
	trouble: {
		message: 'n8n could not store the video',
		description: reason instanceof Error ? reason.message : undefined,
		retryable: false,
	},
	everywhere: true,
});

/** Pieces that are read while n8n's storage writes the one before. */
const READ_AHEAD = 1;

/**
 * Returns pieces as a stream of the kind of another one. n8n's storages in memory, in a database and
 * in S3 listen to a stream's events, so they take no other iterable; nodes may not import the class
 * `Readable`, but every stream inherits its `from`.
 */
function toStream(pieces: AsyncIterable<Uint8Array>, like: Readable): Readable {
	const { from } = like.constructor as unknown as {
		from: (pieces: AsyncIterable<Uint8Array>, options: { highWaterMark: number }) => Readable;
	};
	return from(pieces, { highWaterMark: READ_AHEAD });
}

/** The bytes of one piece for n8n's storage: each piece costs it a turn of its own. */
export const PIECE_BYTES = 512 * 1024;
/**
 * Milliseconds for which bytes are held at most where a server is slow: n8n's storages in a database
 * and in S3 give a file up that brings nothing for five minutes.
 */
const MAX_HELD_MS = 10_000;

/**
 * Gathers the small chunks of an answer into large pieces. A piece is never used again once it is
 * handed over, because storages other than the file system keep all of them to the end.
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

const MAX_NAME_CHARS = 150;

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
	['video/mp4', 'mp4'],
	['video/quicktime', 'mov'],
	['video/webm', 'webm'],
	['video/x-matroska', 'mkv'],
]);

/**
 * Returns a plain file name: no path, no control characters, no name that a file system treats
 * specially, and with an extension that fits the MIME type.
 */
export function toFileName(wanted: string, task_id: string, mimeType: string): string {
	const extension = EXTENSIONS.get(mimeType) ?? 'mp4';
	const base = clean(wanted) || clean(task_id) || 'video';
	const named = /\.[a-z0-9]{2,4}$/i.test(base) && wanted ? base : `${base}.${extension}`;
	if (named.length <= MAX_NAME_CHARS) return named;
	const dot = named.lastIndexOf('.');
	const short = named.slice(0, MAX_NAME_CHARS - (named.length - dot));
	// Half a character at the end has no encoding, and n8n's own header for the file would throw.
	return short.replace(/\p{Surrogate}$/u, '') + named.slice(dot);
}

function clean(name: string): string {
	const plain = name.replace(/[\p{Cc}\p{Cf}\p{Surrogate}<>:"/\\|?*]{1,1000}/gu, '_');
	let from = 0;
	let to = plain.length;
	while (from < to && isEdge(plain[from])) from++;
	while (to > from && isEdge(plain[to - 1])) to--;
	return plain.slice(from, to);
}

/** File systems hide such a sign at the edges of a name, or cut it off. */
const isEdge = (sign: string) => sign === '.' || sign.trim() === '';
