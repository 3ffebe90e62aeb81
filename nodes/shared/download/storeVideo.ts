import { isReason } from '../failure/reason';
import { createIdleTimeout } from '../lib/time';
import type { Run } from '../n8n/run';
import type { Connection } from '../services/connection';
import { DEFAULT_TIMEOUT_S, type DownloadOptions } from './downloadOptions';
import { type AddressReason, addressReason } from './fileFailed';
import { openVideo } from './openVideo';
import { NoVideo, readVideo } from './readVideo';
import { type StoredFile, storeFile, toFileName } from './storeFile';

/**
 * Stores the video at one address, in one try.
 *
 * @param task_id the file's name if the options give none
 */
export async function storeVideo(
	address: string,
	task_id: string | undefined,
	options: DownloadOptions,
	run: Run,
	connection: Connection,
): Promise<StoredFile | AddressReason> {
	const { fileName = '', maxSizeBytes = Infinity, timeoutMs = DEFAULT_TIMEOUT_S * 1000 } = options;
	if (run.signal.aborted) return STOPPED;
	const end = new AbortController();
	const signal = AbortSignal.any([run.signal, end.signal]);
	const idle = createIdleTimeout(timeoutMs, () => end.abort());
	// Compression makes no video smaller, and the length must be that of the file.
	const headers = { 'Accept-Encoding': 'identity' };
	try {
		const request = { timeoutMs, signal, headers };
		const answer = await idle.during(openVideo(address, request, connection));
		if (isReason(answer)) throw new NoVideo(idle.gaveUp() ? FILE_NOT_ANSWERED : answer);
		const { mimeType, chunks } = await readVideo(answer, idle, { maxSizeBytes, timeoutMs });
		// Once `toFileName` replaces characters, a key is no longer recognised.
		const [name, id] = [fileName, task_id ?? ''].map(connection.redact);
		const file_name = toFileName(name, id, mimeType);
		return await storeFile(run, chunks, { file_name, mime_type: mimeType });
	} catch (error) {
		if (run.signal.aborted) return STOPPED;
		return error instanceof NoVideo ? error.reason : notStored(error);
	} finally {
		idle.close();
		// In n8n 2, nothing else closes the socket of an answer that is not read to its end.
		end.abort();
	}
}

const FILE_NOT_ANSWERED = addressReason('There was no answer in time', { passes: true });
export const STOPPED = addressReason('The download was stopped', {
	passes: true,
	everywhere: true,
});

/** n8n's storage failed, for example because the disk is full: another try would only cost time. */
const notStored = (reason: unknown) =>
	addressReason('n8n could not store the video', {
		description: reason instanceof Error ? reason.message : undefined,
		everywhere: true,
	});
