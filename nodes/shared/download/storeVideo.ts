import type { IBinaryData } from 'n8n-workflow';

import type { DownloadOptions } from '../item/downloadOptions';
import type { Run } from '../item/run';
import { EXTENSIONS, type VideoType } from '../mp4/videoFormat';
import type { Connection } from '../service/connection';
import type { Readable } from '../service/http';
import { countRetries, type Reading, readVideo } from './readVideo';
import { type AddressFailure, addressFailure } from '../item/failure';

export interface VideoFile {
	binary: IBinaryData;
	file_name: string;
	mime_type: string;
	size_bytes: number;
}

/**
 * Stores the video at one address in n8n's storage. A file that begins anew gets no new retries.
 *
 * @param task_id the file's name if the options give none
 * @param isPointless called after the first failed try; resolves to whether to make no other
 */
export async function storeVideo(
	address: string,
	task_id = '',
	options: DownloadOptions,
	run: Run,
	connection: Connection,
	isPointless?: (failure: AddressFailure) => Promise<boolean>,
): Promise<VideoFile | AddressFailure> {
	const { redact } = connection;
	const mayRetry = countRetries(options, run, isPointless);
	for (;;) {
		const reading: Reading = { address, options };
		const chunks = readVideo(reading, mayRetry, run, connection);
		try {
			const stored = await storeFile(run, chunks, () => {
				const { mimeType: mime_type } = reading.file!;
				// Once `toFileName` replaces characters, a key is no longer recognised.
				const name = redact(options.fileName ?? '');
				return { file_name: toFileName(name, redact(task_id), mime_type), mime_type };
			});
			const { check, facts } = reading.file!;
			if (facts.total === undefined && check.mayGoOn()) run.report.hint(MAY_BE_CUT, 'warning');
			return stored;
		} catch (error) {
			if (!reading.mustStartOver) return reading.failure ?? notStored(error);
		} finally {
			await chunks.return();
		}
	}
}

const MAY_BE_CUT =
	'A video came without its length and without a mark at its end: look whether its end is there.';

/** n8n's storage failed, for example because the disk is full: another try would only cost time. */
const notStored = (reason: unknown) =>
	addressFailure('n8n could not store the video', {
		description: reason instanceof Error ? reason.message : undefined,
		everywhere: true,
	});

/** Bytes per piece: each piece costs the storage one turn of the event loop. */
export const PIECE_BYTES = 512 * 1024;

/**
 * Stores a file while its chunks come. n8n's file system takes any iterable; its other storages
 * (memory, database, S3, Azure) reject one before they read it, and are given the whole file instead.
 *
 * @param nameFile called once the file has begun
 */
export async function storeFile(
	{ context: { helpers } }: Run,
	chunks: AsyncGenerator<Uint8Array, void>,
	nameFile: () => Pick<VideoFile, 'file_name' | 'mime_type'>,
): Promise<VideoFile> {
	let chunk = (await chunks.next()).value ?? undefined;
	const { file_name, mime_type } = nameFile();
	let at = 0;
	/** Gathers chunks into the next piece, none of which is ever reused; an empty one is the end. */
	const gather = async () => {
		// Unpooled, because Node.js writes other data into pooled memory.
		const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
		let used = 0;
		while (used < PIECE_BYTES) {
			chunk ??= (await chunks.next()).value ?? undefined;
			if (!chunk) break;
			const part = chunk.subarray(at, at + PIECE_BYTES - used);
			piece.set(part, used);
			used += part.length;
			at += part.length;
			if (at < chunk.length) continue;
			free(chunk);
			[chunk, at] = [undefined, 0];
		}
		return piece.subarray(0, used);
	};
	let size_bytes = 0;
	let isRead = false;
	async function* pieces() {
		isRead = true;
		try {
			for (let piece = await gather(); piece.length > 0;) {
				size_bytes += piece.length;
				const next = gather();
				// It is awaited below, unless the storage fails first.
				next.catch(() => {});
				yield piece;
				// The storage has written a piece when it asks for the next one.
				free(piece);
				piece = await next;
			}
		} finally {
			await chunks.return();
		}
	}
	const store = async (content: Buffer | Readable) =>
		await helpers.prepareBinaryData(content, file_name, mime_type);
	const binary = await store(pieces() as unknown as Readable).catch(async (error: unknown) => {
		if (isRead || !(error instanceof TypeError)) throw error;
		const whole: Buffer[] = [];
		for (let piece; (piece = await gather()).length > 0;) whole.push(piece);
		const content = Buffer.concat(whole);
		size_bytes = content.length;
		return await store(content);
	});
	// A storage that kept the pieces would have written less.
	const { bytes = size_bytes } = binary;
	if (bytes !== size_bytes) throw new Error(`It wrote ${bytes} of ${size_bytes} bytes`);
	return { binary, file_name, mime_type, size_bytes };
}

/**
 * Frees bytes that are their whole buffer. Each 50 MB left to the garbage collector have it look
 * through all of n8n's memory. Does nothing before Node.js 22.
 */
function free({ buffer, byteLength }: Uint8Array): void {
	if (byteLength !== buffer.byteLength) return;
	(buffer as { transfer?: (bytes: number) => unknown }).transfer?.(0);
}

const MAX_NAME_CHARS = 150;

/** What else is an extension in a name that a person gave, such as "Version 2.10". */
const OTHER_EXTENSIONS = /^(m4v|f4v|m2ts|mts|mpeg|mpe|m2v|vob|3gp|3g2|qt|asf|ogg|mxf)$/;
const VIDEO_EXTENSIONS: string[] = Object.values(EXTENSIONS);

/** Returns a file name with an extension, and without a path or characters that are reserved. */
export function toFileName(wanted: string, task_id: string, mimeType: VideoType): string {
	const name = clean(wanted);
	const extension = EXTENSIONS[mimeType];
	const ending = /[^.]+$/.exec(name)?.[0].toLowerCase() ?? '';
	const isExtension = VIDEO_EXTENSIONS.includes(ending) || OTHER_EXTENSIONS.test(ending);
	const hasExtension = name.includes('.') && isExtension;
	const named = hasExtension ? name : `${name || clean(task_id) || 'video'}.${extension}`;
	const dot = named.lastIndexOf('.');
	const short = named.slice(0, Math.min(dot, MAX_NAME_CHARS - (named.length - dot)));
	// The cut may leave half a character, which n8n cannot encode into the file's header.
	return short.replace(/\p{Surrogate}$/u, '') + named.slice(dot);
}

const clean = (name: string) =>
	name
		.slice(0, 4 * MAX_NAME_CHARS)
		// The two joiners belong to Persian and to emoji.
		.replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Surrogate}<>:"/\\|?*])+/gu, '_')
		// File systems hide or strip these characters at the edges of a name.
		.replace(/^[.\s]+|[.\s]+$/g, '');
