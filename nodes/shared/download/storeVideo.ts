import { DEFAULT_TIMEOUT_S, type DownloadOptions } from '../item/downloadOptions';
import { type AddressFailure, addressFailure } from '../item/failure';
import type { Run } from '../item/run';
import { createIdleTimeout } from '../lib/time';
import type { Connection } from '../service/connection';
import { isFailure } from '../service/reason';
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
): Promise<StoredFile | AddressFailure> {
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
		if (isFailure(answer)) throw new NoVideo(idle.gaveUp() ? NO_ANSWER : answer);
		const { mimeType, chunks } = await readVideo(answer, idle, { maxSizeBytes, timeoutMs });
		// Once `toFileName` replaces characters, a key is no longer recognised.
		const [name, id] = [fileName, task_id ?? ''].map(connection.redact);
		const file_name = toFileName(name, id, mimeType);
		return await storeFile(run, chunks, { file_name, mime_type: mimeType });
	} catch (error) {
		if (run.signal.aborted) return STOPPED;
		return error instanceof NoVideo ? error.failure : notStored(error);
	} finally {
		idle.close();
		// In n8n 2, nothing else closes the socket of an answer that is not read to its end.
		end.abort();
	}
}

const NO_ANSWER = addressFailure('There was no answer in time', { passes: true });
export const STOPPED = addressFailure('The download was stopped', {
	passes: true,
	everywhere: true,
});

/** n8n's storage failed, for example because the disk is full: another try would only cost time. */
const notStored = (reason: unknown) =>
	addressFailure('n8n could not store the video', {
		description: reason instanceof Error ? reason.message : undefined,
		everywhere: true,
	});
