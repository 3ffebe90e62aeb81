import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceError } from '../service/errors';
import type { Connection } from '../service/http';
import { toNetworkFault } from '../service/networkFault';
import { delayMs } from '../service/retry';
import { toFileName } from './fileName';
import { createMp4Check, type Mp4Check } from './mp4';
import { openVideo } from './openVideo';
import type { Wait } from './wait';
import { watchStream } from './watchStream';

/** Time without a byte, and further tries, where the person sets nothing. */
export const DEFAULT_TIMEOUT_MS = 120_000;
export const DEFAULT_RETRIES = 5;

/**
 * Videos under way at once, apart from submissions and polls, which must not wait for a long file.
 * Each holds a connection, none holds its file in memory.
 */
export const CONCURRENT_DOWNLOADS = 4;

export interface DownloadRequest {
	/** Addresses to try in turn; the documented content endpoint comes first. */
	addresses: string[];
	/** Without one, the file is named after the task. */
	fileName?: string;
	task_id?: string;
	/** Bytes; more than that ends the download. */
	maxSizeBytes?: number;
	timeoutMs: number;
	/** Further tries after the first. */
	retries: number;
}

export interface VideoFile {
	binary: IBinaryData;
	file_name: string;
	mime_type: string;
	size_bytes: number;
}

export type DownloadResult =
	{ kind: 'file'; file: VideoFile } | { kind: 'failed'; error: ServiceError };

export interface DownloadTools {
	context: IExecuteFunctions;
	connection: Connection;
	wait: Wait;
	signal: AbortSignal;
	random: () => number;
}

/** Downloads one video, with retries, from the first address that gives it. */
export async function downloadVideo(
	request: DownloadRequest,
	tools: DownloadTools,
): Promise<DownloadResult> {
	let result: DownloadResult = {
		kind: 'failed',
		error: { message: 'The video has no address to download it from', retryable: false },
	};
	for (const address of request.addresses) {
		for (let attempt = 1; attempt <= request.retries + 1; attempt++) {
			result = await tryDownload(address, request, tools);
			if (result.kind === 'file' || !result.error.retryable || tools.signal.aborted) break;
			if (attempt <= request.retries) await tools.wait(delayMs(attempt, tools.random()));
		}
		if (result.kind === 'file' || tools.signal.aborted) break;
	}
	return result;
}

async function tryDownload(
	address: string,
	request: DownloadRequest,
	{ context, connection, signal: stop }: DownloadTools,
): Promise<DownloadResult> {
	const { timeoutMs } = request;
	const end = new AbortController();
	const signal = AbortSignal.any([stop, end.signal]);
	const opened = await openVideo(context, connection, address, { timeoutMs, signal });
	if (opened.kind === 'failed') return opened;
	const { stream, headers } = opened;
	const check = createMp4Check();
	const mime_type = toMimeType(headers['content-type']);
	const file_name = toFileName(request.fileName, request.task_id, mime_type);
	const watched = watchStream(stream, check.feed, {
		idleTimeoutMs: timeoutMs,
		maxBytes: request.maxSizeBytes ?? Infinity,
		end: () => end.abort(),
	});
	try {
		const binary = await context.helpers.prepareBinaryData(watched, file_name, mime_type);
		const error = findFault(check, headers, mime_type, request.maxSizeBytes);
		if (error) return { kind: 'failed', error };
		return { kind: 'file', file: { binary, file_name, mime_type, size_bytes: check.size() } };
	} catch (error) {
		return { kind: 'failed', error: toStreamError(error, check, request.maxSizeBytes) };
	} finally {
		end.abort();
	}
}

function toMimeType(contentType: string | undefined): string {
	const type = contentType?.split(';')[0].trim().toLowerCase() ?? '';
	return type.startsWith('video/') ? type : 'video/mp4';
}

function tooLarge(maxSizeBytes: number): ServiceError {
	return {
		message: `The video is larger than the ${Math.round(maxSizeBytes / 1024 / 1024)} MB that Max Size allows`,
		description: 'Raise Max Size in the options.',
		retryable: false,
	};
}

/** What is wrong with a body that came to its end. */
function findFault(
	check: Mp4Check,
	headers: Record<string, string>,
	mime_type: string,
	maxSizeBytes = Infinity,
): ServiceError | undefined {
	const announced = Number(headers['content-length'] ?? Number.NaN);
	const size = check.size();
	if (size > maxSizeBytes) return tooLarge(maxSizeBytes);
	if (size === 0) return { message: 'The service sent an empty file', retryable: true };
	if (Number.isFinite(announced) && size !== announced && !headers['content-encoding']) {
		return cutShort(`${size} of ${announced} bytes came`);
	}
	if (mime_type !== 'video/mp4') return undefined;
	if (!check.isVideo()) return { message: 'What the service sent is no MP4 file', retryable: true };
	return check.isWhole() ? undefined : cutShort(`the file ends inside a box after ${size} bytes`);
}

const cutShort = (description: string): ServiceError => ({
	message: 'The download ended early',
	description,
	retryable: true,
});

function toStreamError(error: unknown, check: Mp4Check, maxSizeBytes = Infinity): ServiceError {
	if (check.size() > maxSizeBytes) return tooLarge(maxSizeBytes);
	const { code } = toNetworkFault(error);
	return { ...cutShort(`the connection was cut after ${check.size()} bytes`), code };
}
