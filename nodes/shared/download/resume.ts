import type { DownloadOptions } from '../item/downloadOptions';
import type { Run } from '../item/run';
import type { StreamAnswer } from '../service/http';
import { delayMs } from '../service/paid';
import type { Trouble } from '../service/trouble';
import type { DownloadTrouble } from './openVideo';

/** Returns what an answer, with all of a file or a part, says of the file (RFC 9110, section 14). */
export function readFacts({ status, headers }: Omit<StreamAnswer, 'stream'>) {
	const facts = {
		etag: headers.etag,
		lastModified: headers['last-modified'],
		/** Whether the server says that it sends parts; many say nothing and send them all the same. */
		acceptRanges: headers['accept-ranges']?.toLowerCase(),
	};
	// The length of an encoded body is not that of the file.
	const length = headers['content-encoding'] ? undefined : headers['content-length'];
	if (status !== 206) return { ...facts, from: 0, total: toCount(length) };
	const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
	/** `from` is `NaN` if the answer does not say where its part begins. */
	return { ...facts, from: Number(from), total: toCount(total) };
}

export type FileFacts = ReturnType<typeof readFacts>;

const toCount = (digits: string | undefined) =>
	/^\d+$/.test(digits ?? '') ? Number(digits) : undefined;

/**
 * Returns the headers that ask for a file from byte `size` on, if possible on condition that the
 * file is unchanged; `undefined` if the server says that it sends no parts, or if it neither offers
 * parts nor gives a condition. A weak ETag cannot be a condition.
 */
export function askToResume(
	{ etag, lastModified, acceptRanges }: FileFacts,
	size: number,
): Record<string, string> | undefined {
	const condition = etag?.startsWith('"') ? etag : lastModified;
	const range = { Range: `bytes=${size}-` };
	if (acceptRanges === 'none') return undefined;
	if (condition !== undefined) return { ...range, 'If-Range': condition };
	return acceptRanges === 'bytes' ? range : undefined;
}

/** Returns whether a part starts where the file has ended so far and contradicts no known fact. */
export const isContinuation = (part: FileFacts, known: FileFacts, size: number) =>
	part.from === size &&
	(['total', 'etag', 'lastModified'] as const).every(
		(fact) => known[fact] === undefined || part[fact] === undefined || known[fact] === part[fact],
	);

/** The default of Retries in Video Download; Download Video in Video Generate always uses it. */
export const DEFAULT_RETRIES = 5;
/** Fewer new bytes are no progress: a server that sends one per answer would get all 1000 retries. */
const MIN_PROGRESS_BYTES = 64 * 1024;
/** The most retries of one address, with or without progress. */
const MAX_RETRIES_IN_ALL = 1000;

/**
 * Returns a function that waits for the next retry of one address, whose file has `size` bytes so
 * far; it resolves to `false` if there is none. It counts the retries since the last one that made
 * progress, so a proxy that cuts every transfer after a minute does not stop a file that grows.
 *
 * @param isInVain called once, before the first retry; resolves to whether to give up
 */
export function countRetries(
	{ retries = DEFAULT_RETRIES }: Pick<DownloadOptions, 'retries'>,
	{ clock, signal, maxPauseMs }: Run,
	isInVain?: (met: Trouble) => Promise<boolean>,
) {
	let inVain = 0;
	let inAll = 0;
	// A file that begins anew makes no progress until it is longer than ever before.
	let longest = 0;
	return async ({ trouble, retryAfterMs }: DownloadTrouble, size: number): Promise<boolean> => {
		if (size >= longest + MIN_PROGRESS_BYTES) inVain = 0;
		longest = Math.max(longest, size);
		const isOver = inVain >= retries || inAll >= MAX_RETRIES_IN_ALL || signal.aborted;
		if (!trouble.retryable || isOver) return false;
		if (inAll === 0 && (await isInVain?.(trouble))) return false;
		inVain++;
		inAll++;
		const pauseMs = retryAfterMs ?? delayMs(inVain, clock.random());
		if (pauseMs > maxPauseMs) return false;
		await clock.pause(pauseMs);
		return !signal.aborted;
	};
}
