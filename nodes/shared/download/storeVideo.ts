import type { IBinaryData } from 'n8n-workflow';

import type { DownloadOptions } from '../item/downloadOptions';
import type { Run } from '../item/run';
import type { Clock } from '../lib/time';
import type { Address, Connection } from '../service/connection';
import type { Readable } from '../service/http';
import type { Trouble } from '../service/trouble';
import type { DownloadTrouble } from './openVideo';
import { type Reading, readVideo } from './readVideo';
import { countRetries } from './resume';

export interface VideoFile {
	binary: IBinaryData;
	file_name: string;
	mime_type: string;
	size_bytes: number;
}

/**
 * Stores the video at one address in n8n's storage. A file that begins anew gets no new retries. The
 * storage is opened only after the first bytes of an MP4, MOV or the like prove to be one; its stream
 * ends normally only when the file is complete, so nothing else is stored.
 *
 * @param task_id the file's name if the options give none
 * @param isInVain asked after the first failed try; resolves to whether another one is pointless
 */
export async function storeVideo(
	address: Address,
	task_id = '',
	options: DownloadOptions,
	run: Run,
	connection: Connection,
	isInVain?: (met: Trouble) => Promise<boolean>,
): Promise<VideoFile | DownloadTrouble> {
	const { redact } = connection;
	const tryAgain = countRetries(options, run, isInVain);
	for (;;) {
		const reading: Reading = { address, options };
		const chunks = readVideo(reading, tryAgain, run, connection);
		try {
			const first = await chunks.next();
			const { check, mimeType } = reading.begun!;
			const mime_type = redact(mimeType) === mimeType ? mimeType : 'video/mp4';
			// Redact first: once `toFileName` replaces characters, a key is no longer recognised. Redact
			// last, because replacing may also make a key.
			const wanted = redact(options.fileName ?? '');
			const file_name = redact(toFileName(wanted, redact(task_id), mime_type));
			const stream = toStream(gather(first, chunks, run.clock), reading.stream!);
			const { helpers } = run.context;
			const binary = await helpers.prepareBinaryData(stream, file_name, mime_type);
			return { binary, file_name, mime_type, size_bytes: check.size() };
		} catch (error) {
			if (!reading.end?.startsOver) return reading.end ?? notStored(error);
		} finally {
			await chunks.return();
		}
	}
}

/** n8n's storage failed, for example because the disk is full: another try would only cost time. */
const notStored = (reason: unknown): DownloadTrouble => ({
	trouble: {
		message: 'n8n could not store the video',
		description: reason instanceof Error ? reason.message : undefined,
		retryable: false,
	},
	everywhere: true,
});

/**
 * Turns pieces into a stream of the same class as `like`. n8n's storages in memory, in a database
 * and in S3 listen to a stream's events, so they accept no other iterable. Nodes may not import the
 * class `Readable`, but the class of every stream inherits its `from`.
 */
function toStream(pieces: AsyncIterable<Uint8Array>, like: Readable): Readable {
	type From = (pieces: AsyncIterable<Uint8Array>, options: { highWaterMark: number }) => Readable;
	const { from } = like.constructor as unknown as { from: From };
	// One piece is buffered while the storage writes.
	return from(pieces, { highWaterMark: 1 });
}

/** Bytes per piece: each piece costs the storage one turn of the event loop. */
export const PIECE_BYTES = 512 * 1024;
/** Bytes wait no longer for a full piece: n8n's database and S3 give up after five idle minutes. */
const MAX_HELD_MS = 10_000;

/**
 * Gathers the small chunks of an answer into large pieces. A piece is never reused once it is
 * handed over, because every storage except the file system keeps all pieces to the end.
 */
export async function* gather(
	first: IteratorResult<Uint8Array, void>,
	chunks: AsyncGenerator<Uint8Array, void>,
	{ now }: Pick<Clock, 'now'>,
): AsyncGenerator<Uint8Array, void> {
	let piece: Buffer | undefined;
	let used = 0;
	let sinceMs = now();
	for (let next = first; !next.done; next = await chunks.next()) {
		const chunk = next.value;
		for (let at = 0; at < chunk.length;) {
			// Unpooled, because Node.js writes other data into pooled memory.
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
 * Frees a copied chunk's memory immediately, if the chunk is its whole buffer. Left to the garbage
 * collector, chunks pile up by the hundred, and freeing them holds up n8n's one thread. Does
 * nothing before Node.js 22.
 */
function giveBack({ buffer, byteLength }: Uint8Array): void {
	if (byteLength !== buffer.byteLength) return;
	(buffer as { transfer?: (bytes: number) => unknown }).transfer?.(0);
}

const MAX_NAME_CHARS = 150;

/** The extension of any other type is `mp4`. */
const EXTENSIONS = new Map([
	['video/quicktime', 'mov'],
	['video/webm', 'webm'],
	['video/x-matroska', 'mkv'],
]);

/**
 * Returns a plain file name: no path, no control or reserved characters, no dots or white space at
 * its edges. Adds the extension of the MIME type if the wanted name has none.
 */
export function toFileName(wanted: string, task_id: string, mimeType: string): string {
	const name = clean(wanted);
	const extension = EXTENSIONS.get(mimeType) ?? 'mp4';
	const hasExtension = /\.[a-z0-9]{2,4}$/i.test(name);
	const named = hasExtension ? name : `${name || clean(task_id) || 'video'}.${extension}`;
	const dot = named.lastIndexOf('.');
	const short = named.slice(0, Math.min(dot, MAX_NAME_CHARS - (named.length - dot)));
	// The cut may leave half a character, which n8n cannot encode into the file's header.
	return short.replace(/\p{Surrogate}$/u, '') + named.slice(dot);
}

const clean = (name: string) =>
	name
		.slice(0, 4 * MAX_NAME_CHARS)
		.replace(/[\p{Cc}\p{Cf}\p{Surrogate}<>:"/\\|?*]+/gu, '_')
		// File systems hide or strip these characters at the edges of a name.
		.replace(/^[.\s]+|[.\s]+$/g, '');
