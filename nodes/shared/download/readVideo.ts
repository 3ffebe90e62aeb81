import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_S, type DownloadOptions } from '../item/downloadOptions';
import type { Run } from '../item/run';
import { createIdleTimeout, createTimeLimit } from '../lib/time';
import { createMp4Check } from '../mp4/mp4Check';
import { hasBoxes, sniffVideo, type VideoType } from '../mp4/videoFormat';
import type { Connection } from '../service/connection';
import type { StreamAnswer } from '../service/http';
import { delayMs } from '../service/later';
import { openVideo } from './openVideo';
import { type AddressFailure, addressFailure } from '../item/failure';
import { isFailure } from '../service/reason';

/** One file, as far as it has come; it may take several answers. */
export interface Reading {
	address: string;
	options: DownloadOptions;
	/** Set once bytes were handed on, which cannot be taken back. */
	file?: VideoFacts & {
		/** By its bytes: servers have names of their own, and call a page of theirs a video, too. */
		mimeType: VideoType;
	};
	/** The file cannot be continued: it must be read from its beginning. */
	mustStartOver?: boolean;
	/** Why no try is left. */
	failure?: AddressFailure;
}

/** What its bytes so far, and the answers, say of a file. */
interface VideoFacts {
	check: ReturnType<typeof createMp4Check>;
	facts: FileFacts;
}

/** The longest time that one answer may take, in milliseconds; then the file is resumed. */
const MAX_ANSWER_MS = 6 * 3_600_000;
/** Slower data counts as no data; the speed is averaged over a time-out. */
const MIN_BYTES_PER_SECOND = 1024;

/**
 * Yields the bytes of one file, and resumes it if an answer ends early. Ends normally only after a
 * whole file; otherwise it throws, so that n8n's storage keeps nothing, and `reading` says why.
 */
export async function* readVideo(
	reading: Reading,
	mayRetry: ReturnType<typeof countRetries>,
	run: Run,
	connection: Connection,
): AsyncGenerator<Uint8Array, void> {
	for (;;) {
		const failure = yield* readOneAnswer(reading, run, connection);
		if (!failure) return;
		const { file } = reading;
		const size = file?.check.size() ?? 0;
		if (file && failure === ANOTHER_PART) reading.mustStartOver = true;
		else if (!(await mayRetry(failure, size))) {
			reading.failure = run.signal.aborted ? STOPPED : failure;
		} else reading.mustStartOver = file && !askToResume(file.facts, size);
		if (reading.mustStartOver || reading.failure) throw new Error(failure.message);
	}
}

/** Yields the bytes of one answer, which follow the earlier ones; returns the failure, if any. */
async function* readOneAnswer(
	reading: Reading,
	run: Run,
	connection: Connection,
): AsyncGenerator<Uint8Array, AddressFailure | undefined> {
	const { address, options, file: begun } = reading;
	const { timeoutMs = DEFAULT_TIMEOUT_S * 1000, maxSizeBytes = Infinity } = options;
	const limit = createTimeLimit(MAX_ANSWER_MS, run.signal);
	const idle = createIdleTimeout(timeoutMs, limit.close);
	try {
		const resume = begun && askToResume(begun.facts, begun.check.size());
		const request = {
			timeoutMs,
			signal: limit.signal,
			// Compression makes no video smaller, and lengths and parts must be those of the file.
			headers: { 'Accept-Encoding': 'identity', ...resume },
		};
		const answer = await idle.during(openVideo(address, request, connection));
		if (isFailure(answer)) {
			if (idle.gaveUp()) return NO_ANSWER;
			return begun && answer.httpCode === 416 ? ANOTHER_PART : answer;
		}
		const file = matchAnswer(answer, begun, maxSizeBytes);
		if (isFailure(file)) return file;
		const { check } = file;
		const chunks = (answer.stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
		const unsent: Uint8Array[] = [];
		let newBytes = 0;
		const isProgress = (next?: IteratorResult<Uint8Array>) => {
			newBytes += next?.value?.length ?? 0;
			if (newBytes < (timeoutMs / 1000) * MIN_BYTES_PER_SECOND) return false;
			newBytes = 0;
			return true;
		};
		for (;;) {
			const coming = chunks.next().catch(() => undefined);
			const next = await idle.during(coming, isProgress);
			if (!next) {
				const why = idle.gaveUp() ? tooSlow(timeoutMs) : 'The connection was cut';
				return endedEarly(`${why} after ${check.size()} bytes`);
			}
			if (next.done) return findGap(file, reading.file?.mimeType);
			unsent.push(next.value);
			check.feed(next.value);
			if (check.size() > maxSizeBytes) return tooLarge(maxSizeBytes);
			if (!reading.file) {
				const mimeType = sniffVideo(Buffer.concat(unsent));
				if (mimeType === 'more') continue;
				if (!mimeType) return NOT_A_VIDEO;
				reading.file = { ...file, mimeType };
			}
			// If the storage fails, the reading ends at this `yield`, and `finally` closes the answer.
			for (const bytes of unsent.splice(0)) yield bytes;
		}
	} finally {
		idle.close();
		limit.close();
	}
}

/** Returns the file that an answer begins or goes on with, or why its bytes are not taken. */
function matchAnswer(
	answer: StreamAnswer,
	begun: VideoFacts | undefined,
	maxSizeBytes: number,
): VideoFacts | AddressFailure {
	const facts = readFacts(answer);
	const isPart = answer.status === 206;
	const isNext = isPart && begun && isContinuation(facts, begun.facts, begun.check.size());
	if (begun ? !isNext : isPart && facts.from !== 0) return ANOTHER_PART;
	if ((facts.total ?? 0) > maxSizeBytes) return tooLarge(maxSizeBytes);
	if (!begun) return { check: createMp4Check(), facts };
	begun.facts.total ??= facts.total;
	return begun;
}

/** Returns what is wrong with a file whose answer has ended; `undefined` if the file is whole. */
function findGap({ check, facts }: VideoFacts, mimeType?: VideoType): AddressFailure | undefined {
	const { total } = facts;
	const size = check.size();
	if (size === 0) return again('The file is empty');
	// A body that is longer than announced was decoded by n8n on the way.
	if (total !== undefined && size < total) {
		return endedEarly(`Only ${size} of ${total} bytes arrived`);
	}
	if (!mimeType) return NOT_A_VIDEO;
	if (!hasBoxes(mimeType) || check.isWhole()) return undefined;
	return endedEarly(`The video file is not complete after ${size} bytes`);
}

const again = (message: string, description?: string) =>
	addressFailure(message, { description, passes: true });
const endedEarly = (description: string) => again('The download ended early', description);

const tooSlow = (ms: number) => `Less than 1 KB per second arrived for ${ms / 1000} seconds`;
const NO_ANSWER = again('There was no answer in time');
const NOT_A_VIDEO = again('The file is not a video');
const ANOTHER_PART = again('Another part of the video was sent than requested');
const STOPPED = addressFailure('The download was stopped', { passes: true, everywhere: true });

function tooLarge(maxBytes: number): AddressFailure {
	const megabytes = maxBytes / 1024 ** 2;
	const shown = megabytes < 1 ? Number(megabytes.toPrecision(2)) : Math.round(megabytes);
	return addressFailure(`The video is larger than the ${shown} MB that Max Size allows`, {
		description: 'Raise Max Size in the options.',
		everywhere: true,
	});
}

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

type FileFacts = ReturnType<typeof readFacts>;

const toCount = (digits: string | undefined) =>
	/^\d+$/.test(digits ?? '') ? Number(digits) : undefined;

/**
 * Returns the headers that ask for a file from byte `size` on, if possible on condition that the file
 * is unchanged; `undefined` if it cannot be had in parts. A weak ETag cannot be a condition.
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
export const isContinuation = (part: FileFacts, file: FileFacts, size: number) =>
	part.from === size &&
	(['total', 'etag', 'lastModified'] as const).every(
		(fact) => file[fact] === undefined || part[fact] === undefined || file[fact] === part[fact],
	);

/** Fewer new bytes are no progress: a server that sends one per answer would get all 1000 retries. */
const MIN_PROGRESS_BYTES = 64 * 1024;
/** The most retries of one address, with or without progress. */
const MAX_RETRIES = 1000;

/**
 * Returns a function that waits for the next retry of one address, whose file has `size` bytes so
 * far; it resolves to `false` if there is none. Progress sets the count of retries back to zero.
 *
 * @param isPointless called once, before the first retry; resolves to whether to give up
 */
export function countRetries(
	{ retries = DEFAULT_RETRIES }: Pick<DownloadOptions, 'retries'>,
	{ clock, signal, maxPauseMs }: Run,
	isPointless?: (failure: AddressFailure) => Promise<boolean>,
) {
	let count = 0;
	let withoutProgress = 0;
	// A file that begins anew makes no progress until it is longer than ever before.
	let longest = 0;
	return async (failure: AddressFailure, size: number): Promise<boolean> => {
		if (size >= longest + MIN_PROGRESS_BYTES) withoutProgress = 0;
		longest = Math.max(longest, size);
		const isOver = withoutProgress >= retries || count >= MAX_RETRIES || signal.aborted;
		if (!failure.passes || isOver) return false;
		if (count === 0 && (await isPointless?.(failure))) return false;
		count++;
		withoutProgress++;
		const pauseMs = failure.retryAfterMs ?? delayMs(withoutProgress, clock.random());
		if (pauseMs > maxPauseMs) return false;
		await clock.pause(pauseMs);
		return !signal.aborted;
	};
}
