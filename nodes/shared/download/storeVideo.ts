import type { IBinaryData } from 'n8n-workflow';

import type { DownloadOptions } from '../item/downloadOptions';
import type { Run } from '../item/run';
import type { Address, Connection } from '../service/connection';
import type { Trouble } from '../service/trouble';
import type { DownloadTrouble } from './openVideo';
import { type Reading, readVideo } from './readVideo';
import { countRetries } from './resume';
import { storeFile } from './storeFile';

export interface VideoFile {
	binary: IBinaryData;
	file_name: string;
	mime_type: string;
	size_bytes: number;
}

/**
 * Stores the video at one address in n8n's storage. A file that begins anew gets no new retries. The
 * storage is opened only after the first bytes of an MP4, MOV or the like prove to be one, and what it
 * reads ends normally only when the file is complete, so nothing else is stored.
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
			const binary = await storeFile(run, startWith(first, chunks), file_name, mime_type);
			return { binary, file_name, mime_type, size_bytes: check.size() };
		} catch (error) {
			if (!reading.end?.startsOver) return reading.end ?? notStored(error);
		} finally {
			await chunks.return();
		}
	}
}

async function* startWith(
	first: IteratorResult<Uint8Array, void>,
	rest: AsyncIterable<Uint8Array>,
) {
	if (!first.done) yield first.value;
	yield* rest;
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
