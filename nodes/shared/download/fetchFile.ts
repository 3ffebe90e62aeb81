import { isReason } from '../failure/reason';
import type { MediaKind } from '../lib/mediaType';
import { createIdleTimeout } from '../lib/time';
import type { Run } from '../n8n/run';
import type { Connection } from '../services/connection';
import { DEFAULT_TIMEOUT_S, type DownloadOptions } from './downloadOptions';
import { type AddressReason, addressReason } from './fileFailed';
import { openInline, openFile } from './openFile';
import { NoFile, readFile } from './readFile';
import { type StoredFile, storeFile, toFileName } from './storeFile';

/** Of which task a file is, which names it if the options do not, which one of its files, and of what kind. */
interface Which {
	task_id?: string;
	index?: number;
	kind?: MediaKind;
}

/** Stores the file at one address, in one try. */
export async function fetchFile(
	address: string,
	{ task_id, index, kind = 'video' }: Which,
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
		const answer =
			openInline(address) ??
			(await idle.during(openFile(address, { ...request, what: `The ${kind}'s URL` }, connection)));
		if (isReason(answer)) throw new NoFile(idle.gaveUp() ? FILE_NOT_ANSWERED : answer);
		const expected = { kind, address, maxSizeBytes, timeoutMs };
		const { mimeType, chunks } = await readFile(answer, idle, expected);
		// Once `toFileName` replaces characters, a key is no longer recognised.
		const [name, id] = [fileName, task_id ?? ''].map(connection.redact);
		const file_name = toFileName(name, id, mimeType, index);
		return await storeFile(run, chunks, { file_name, mime_type: mimeType });
	} catch (error) {
		if (run.signal.aborted) return STOPPED;
		return error instanceof NoFile ? error.reason : notStored(kind, error);
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
const notStored = (kind: MediaKind, reason: unknown) =>
	addressReason(`n8n could not store the ${kind}`, {
		description: reason instanceof Error ? reason.message : undefined,
		everywhere: true,
	});
