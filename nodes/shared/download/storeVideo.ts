import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Connection, Readable } from '../service/http';
import { delayMs } from '../service/retry';
import { toFileName } from './fileName';
import { startReading, type Reading } from './reading';
import { readVideo, type TryAgain } from './readVideo';
import { notStored, type DownloadFault } from './downloadTrouble';
import type { Wait } from '../lib/pause';

export interface StoreRequest {
	/** Without one, the file is named after the task. */
	fileName?: string;
	task_id?: string;
	/** Bytes; more than that ends the download. */
	maxSizeBytes?: number;
	timeoutMs: number;
	/** Further tries after the first, for each address. */
	retries: number;
}

export interface VideoFile {
	binary: IBinaryData;
	file_name: string;
	mime_type: string;
	size_bytes: number;
}

export interface StoreTools {
	context: IExecuteFunctions;
	connection: Connection;
	wait: Wait;
	signal: AbortSignal;
	random: () => number;
}

/** The video at one address, in n8n's storage; tries are counted over all its answers. */
export async function storeVideo(
	address: string,
	request: StoreRequest,
	tools: StoreTools,
): Promise<{ file: VideoFile } | DownloadFault> {
	const tryAgain = countTries(request.retries, tools);
	for (;;) {
		const reading = startReading();
		const file = await store(address, request, reading, tools, tryAgain);
		if (file) return { file };
		const { fault = notStored(undefined) } = reading;
		if (!fault.changed || !(await tryAgain(fault))) return fault;
	}
}

function countTries(retries: number, { wait, signal, random }: StoreTools): TryAgain {
	let used = 0;
	return async ({ error, retryAfterMs }) => {
		if (!error.retryable || used >= retries || signal.aborted) return false;
		used++;
		await wait(retryAfterMs ?? delayMs(used, random()));
		return !signal.aborted;
	};
}

/**
 * n8n's storage is opened only when the first bytes are known to be those of a video, and its
 * stream ends only when the file is whole: what is no video leaves nothing behind.
 */
async function store(
	address: string,
	request: StoreRequest,
	reading: Reading,
	tools: StoreTools,
	tryAgain: TryAgain,
): Promise<VideoFile | undefined> {
	const { timeoutMs, maxSizeBytes: maxBytes = Infinity } = request;
	const chunks = readVideo(address, reading, { timeoutMs, maxBytes }, tools, tryAgain);
	try {
		const first = await chunks.next();
		const { mimeType: mime_type, source, check } = reading;
		const file_name = toFileName(request.fileName, request.task_id, mime_type);
		const stream = toStream(startWith(first, chunks), source as Readable);
		const binary = await tools.context.helpers.prepareBinaryData(stream, file_name, mime_type);
		return { binary, file_name, mime_type, size_bytes: check.size() };
	} catch (error) {
		reading.fault ??= notStored(error);
		return undefined;
	} finally {
		await chunks.return();
	}
}

/** Chunks that are read while n8n's storage writes the one before: half a MiB at most. */
const READ_AHEAD = 8;

/**
 * Chunks as a stream of the kind that n8n takes. Nodes may not import built-ins, but every stream's
 * class inherits `from` of Node's `Readable`.
 */
function toStream(chunks: AsyncIterable<Uint8Array>, like: Readable): Readable {
	const { from } = like.constructor as unknown as {
		from: (chunks: AsyncIterable<Uint8Array>, options: { highWaterMark: number }) => Readable;
	};
	return from(chunks, { highWaterMark: READ_AHEAD });
}

async function* startWith(
	first: IteratorResult<Uint8Array, void>,
	rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
	if (!first.done) yield first.value;
	yield* rest;
}
