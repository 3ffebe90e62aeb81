import type { IBinaryData } from 'n8n-workflow';

import type { Clock } from '../lib/time';
import type { Address, Connection } from '../service/connection';
import type { Readable } from '../service/http';
import type { Trouble } from '../service/trouble';
import { createAddressRule, type LookUp } from './addressRule';
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_S } from './defaults';
import { type DownloadTrouble, notStored } from './downloadTrouble';
import { toFileName } from './fileName';
import { gather } from './gather';
import type { Linking } from './link';
import { readVideo } from './readVideo';
import { type Reading, startReading } from './reading';
import { countTries } from './tries';

export interface StoreRequest {
	/** Without one, the file is named after the task. */
	fileName?: string;
	task_id?: string;
	/** Bytes; more than that ends the download. */
	maxSizeBytes?: number;
	/** Time without a byte. */
	timeoutMs?: number;
	/** Further tries after the first without progress, for each address. */
	retries?: number;
	/** Whether addresses that no credential names may be inside the network. */
	allowPrivate?: boolean;
	/** Whether no further try of the address can help after what the first one met. */
	isInVain?: (met: Trouble) => Promise<boolean>;
}

export interface VideoFile {
	binary: IBinaryData;
	file_name: string;
	mime_type: string;
	size_bytes: number;
}

/** What downloading asks of the world. */
export interface Downloading {
	connection: Connection;
	clock: Clock;
	signal: AbortSignal;
	/** Whoever does not wait longer than this for another try is not made to, in milliseconds. */
	maxPauseMs: number;
	lookUp: LookUp;
	/** n8n's storage, which reads the stream to its end. */
	store: (stream: Readable, fileName: string, mimeType: string) => Promise<IBinaryData>;
	linking?: Linking;
}

/** The video at one address, in n8n's storage; tries are counted over all its answers. */
export async function storeVideo(
	address: Address,
	request: StoreRequest,
	downloading: Downloading,
): Promise<{ file: VideoFile } | DownloadTrouble> {
	const { timeoutMs = DEFAULT_TIMEOUT_S * 1000, retries = DEFAULT_RETRIES } = request;
	const { allowPrivate = false } = request;
	const maxBytes = request.maxSizeBytes ?? Infinity;
	const tryAgain = countTries(retries, { ...downloading, isInVain: request.isInVain });
	const mayAsk = createAddressRule({ ...downloading, allowPrivate });
	for (;;) {
		const reading = startReading();
		const from = { ...downloading, tryAgain, mayAsk };
		const chunks = readVideo(address, reading, { timeoutMs, maxBytes }, from);
		const file = await store(chunks, reading, request, downloading);
		if (file) return { file };
		const { end = notStored(undefined) } = reading;
		if (!end.changed || !(await tryAgain(end, reading.check.size()))) return end;
	}
}

/**
 * n8n's storage is opened only when the first bytes are known to be those of a video, and its
 * stream ends only when the file is whole: what is no video leaves nothing behind.
 */
async function store(
	chunks: AsyncGenerator<Uint8Array, void>,
	reading: Reading,
	request: StoreRequest,
	downloading: Downloading,
): Promise<VideoFile | undefined> {
	try {
		const first = await chunks.next();
		const { source, check } = reading;
		const { redact } = downloading.connection;
		const mime_type =
			redact(reading.mimeType) === reading.mimeType ? reading.mimeType : 'video/mp4';
		// Before its signs are replaced, by which a key could no longer be told.
		const [fileName, named] = [redact(request.fileName ?? ''), redact(request.task_id ?? '')];
		const file_name = toFileName(fileName, named, mime_type);
		const stream = toStream(gather(first, chunks, downloading.clock), source as Readable);
		const binary = await downloading.store(stream, file_name, mime_type);
		return { binary, file_name, mime_type, size_bytes: check.size() };
	} catch (error) {
		reading.end ??= notStored(error);
		return undefined;
	} finally {
		await chunks.return();
	}
}

/** Pieces that are read while n8n's storage writes the one before. */
const READ_AHEAD = 1;

/**
 * Pieces as a stream of the kind that n8n takes. Nodes may not import built-ins, but every stream's
 * class inherits `from` of Node's `Readable`.
 */
function toStream(pieces: AsyncIterable<Uint8Array>, like: Readable): Readable {
	const { from } = like.constructor as unknown as {
		from: (pieces: AsyncIterable<Uint8Array>, options: { highWaterMark: number }) => Readable;
	};
	return from(pieces, { highWaterMark: READ_AHEAD });
}
