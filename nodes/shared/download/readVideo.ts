import type { DownloadWishes } from '../item/downloadWishes';
import type { Run } from '../item/run';
import { createIdleTimeout, createTimeLimit } from '../lib/time';
import type { Address, Connection } from '../service/connection';
import type { Readable, StreamAnswer } from '../service/http';
import { delayMs } from '../service/paid';
import type { Trouble } from '../service/trouble';
import { createMp4Check } from './mp4';
import { type DownloadTrouble, openVideo } from './openVideo';

/** One file, as far as it has come; it may take several answers. */
export interface Reading {
	address: Address;
	wishes: DownloadWishes;
	check: ReturnType<typeof createMp4Check>;
	/** Bytes held back until the first box shows what they are. */
	held: Uint8Array[];
	/** Whether bytes were handed on; they cannot be taken back. */
	begun: boolean;
	mimeType: string;
	/** The facts that the answers have told so far. */
	known?: FileFacts;
	/** The last stream that was opened. */
	source?: Readable;
	/** Why the reading ended without a whole file. */
	end?: DownloadTrouble;
	/** The rest is not available: the file must be read again from its beginning. */
	startsOver?: boolean;
}

/** The defaults of Video Download's options; Download Video always uses them. */
export const DEFAULT_TIMEOUT_MS = 120_000;
export const DEFAULT_RETRIES = 5;

/** The bytes of a box's length and type: enough to tell a video from a page. */
const FIRST_BYTES = 8;
/** The longest time that one answer may take, in milliseconds; a new request then asks for the rest. */
const MAX_ANSWER_MS = 6 * 3_600_000;
/** Slower data counts as no data; the speed is averaged over a time-out. */
const MIN_BYTES_PER_SECOND = 1024;

export const startReading = (address: Address, wishes: DownloadWishes): Reading => ({
	address,
	wishes,
	check: createMp4Check(),
	held: [],
	begun: false,
	mimeType: 'video/mp4',
});

/**
 * Yields the bytes of one file. If an answer ends early, asks for the rest; n8n's storage, which
 * reads these bytes, notices at most a pause. Ends normally only after a whole file. Otherwise it
 * throws, and `reading.end` says why, or `reading.startsOver` is set: a storage whose stream fails
 * keeps nothing of it, or as little as it can.
 */
export async function* readVideo(
	reading: Reading,
	tryAgain: TryAgain,
	run: Run,
	connection: Connection,
): AsyncGenerator<Uint8Array, void> {
	for (;;) {
		const met = yield* readAnswer(reading, run, connection);
		if (!met) return;
		if (!met.noRest && !(await tryAgain(met, reading.check.size()))) {
			reading.end = run.signal.aborted ? STOPPED : met;
			throw new Error(reading.end.trouble.message);
		}
		if (!reading.begun) {
			// Nothing was handed on yet, so the reading can start afresh.
			const { address, wishes } = reading;
			Object.assign(reading, startReading(address, wishes), { known: undefined });
		} else if (met.noRest || !askForRest(reading)) {
			reading.startsOver = true;
			throw new Error(met.trouble.message);
		}
	}
}

/** Yields the bytes of one answer, which follow the earlier ones; returns the trouble, if any. */
async function* readAnswer(
	reading: Reading,
	run: Run,
	connection: Connection,
): AsyncGenerator<Uint8Array, DownloadTrouble | undefined> {
	const { check, address, wishes } = reading;
	const { timeoutMs = DEFAULT_TIMEOUT_MS, maxSizeBytes = Infinity, allowPrivate = false } = wishes;
	const end = new AbortController();
	const idle = createIdleTimeout(timeoutMs, () => end.abort());
	const total = createTimeLimit(MAX_ANSWER_MS, () => end.abort());
	const rest = askForRest(reading);
	try {
		const options = {
			allowPrivate,
			timeoutMs,
			signal: AbortSignal.any([run.signal, end.signal]),
			// Compression makes no video smaller, and lengths and parts must be those of the file.
			headers: { 'Accept-Encoding': 'identity', ...rest },
		};
		const answer = await idle.during(openVideo(address, options, run, connection));
		if ('trouble' in answer) {
			if (idle.gaveUp()) return NO_ANSWER;
			return rest && answer.trouble.httpCode === 416 ? { ...answer, noRest: true } : answer;
		}
		const facts = readFacts(answer);
		const isPart = answer.status === 206;
		if (reading.begun ? !isPart || !isRestOf(reading, facts) : isPart) {
			return { ...ANOTHER_PART, noRest: reading.begun };
		}
		if ((facts.total ?? 0) > maxSizeBytes) return tooLarge(maxSizeBytes);
		reading.known = { ...facts, ...reading.known, total: facts.total ?? reading.known?.total };
		reading.source = answer.stream;
		if (!reading.begun) reading.mimeType = toMimeType(answer.headers['content-type']);

		const chunks = (answer.stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
		const isMoving = createPace(timeoutMs);
		for (;;) {
			const next = await idle.during(
				chunks.next().catch(() => undefined),
				(came) => isMoving(came?.value?.length ?? 0),
			);
			if (!next) return idle.gaveUp() ? stalled(check.size(), timeoutMs) : cut(check.size());
			if (next.done) return findTrouble(reading);
			const chunk = next.value;
			check.feed(chunk);
			if (check.size() > maxSizeBytes) return tooLarge(maxSizeBytes);
			if (!reading.begun) {
				reading.held.push(chunk);
				if (check.size() < FIRST_BYTES) continue;
				if (reading.mimeType === 'video/mp4' && !check.isVideo()) return NO_MP4;
				reading.begun = true;
			}
			// Yields outside every `catch`: an error thrown here comes from the storage.
			if (reading.held.length > 0) yield* reading.held.splice(0);
			else yield chunk;
		}
	} finally {
		idle.close();
		total.close();
		// n8n 2 wraps the stream, so destroying it closes nothing; the signal closes the socket.
		end.abort();
	}
}

function toMimeType(contentType: string | undefined): string {
	const type = contentType?.split(';')[0].trim().toLowerCase() ?? '';
	return /^video\/[\w.+-]+$/.test(type) ? type : 'video/mp4';
}

/**
 * Returns a function that takes the bytes of each chunk; it returns whether enough has come, since
 * it last returned `true`, to keep waiting.
 */
function createPace(timeoutMs: number) {
	const enough = (timeoutMs / 1000) * MIN_BYTES_PER_SECOND;
	let bytes = 0;
	return (more: number): boolean => {
		bytes += more;
		if (bytes < enough) return false;
		bytes = 0;
		return true;
	};
}

/** The facts in an answer about its file, whole or in part (RFC 9110, section 14). */
interface FileFacts {
	/** The first byte in the answer; `NaN` if a part does not say which it is. */
	from: number;
	/** Bytes of the whole file, if told. */
	total?: number;
	etag?: string;
	lastModified?: string;
	/** Whether the server says that it sends parts; many say nothing and send them all the same. */
	acceptRanges?: string;
}

export function readFacts({ status, headers }: Omit<StreamAnswer, 'stream'>): FileFacts {
	const facts = {
		etag: headers.etag,
		lastModified: headers['last-modified'],
		acceptRanges: headers['accept-ranges']?.toLowerCase(),
	};
	if (status !== 206) {
		// The length of an encoded body is not that of the file.
		const length = headers['content-encoding'] ? undefined : headers['content-length'];
		return { ...facts, from: 0, total: toCount(length) };
	}
	const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
	return { ...facts, from: Number(from ?? NaN), total: toCount(total) };
}

const toCount = (digits: string | undefined) =>
	/^\d+$/.test(digits ?? '') ? Number(digits) : undefined;

/**
 * Returns the headers that ask for the rest of a file, if possible on condition that the file is
 * unchanged. Returns `undefined` if no byte has come yet, if the server says that it sends no
 * parts, or if it neither offers parts nor gives a condition. A weak ETag cannot be a condition.
 */
export function askForRest({
	known,
	check,
}: Pick<Reading, 'known' | 'check'>): Record<string, string> | undefined {
	if (!known || check.size() === 0 || known.acceptRanges === 'none') return undefined;
	const { etag, lastModified, acceptRanges } = known;
	const condition = etag?.startsWith('"') ? etag : lastModified;
	if (acceptRanges !== 'bytes' && condition === undefined) return undefined;
	const range = { Range: `bytes=${check.size()}-` };
	return condition === undefined ? range : { ...range, 'If-Range': condition };
}

/** Returns whether a part starts where the file has ended so far and contradicts no known fact. */
export const isRestOf = ({ known, check }: Pick<Reading, 'known' | 'check'>, part: FileFacts) =>
	part.from === check.size() &&
	(['total', 'etag', 'lastModified'] as const).every(
		(fact) => known?.[fact] === undefined || part[fact] === undefined || known[fact] === part[fact],
	);

/** Returns the trouble with a file that has come to its end; `undefined` if it is whole. */
function findTrouble({ check, known, mimeType }: Reading): DownloadTrouble | undefined {
	const size = check.size();
	if (size === 0) return again('The service sent an empty file');
	// A body that is longer than announced was decoded by n8n on the way.
	if (known?.total !== undefined && size < known.total) {
		return endedEarly(`Only ${size} of ${known.total} bytes arrived`);
	}
	if (mimeType !== 'video/mp4') return undefined;
	if (!check.isVideo()) return NO_MP4;
	return check.isWhole()
		? undefined
		: endedEarly(`The MP4 file ends inside a box after ${size} bytes`);
}

const again = (message: string, description?: string): DownloadTrouble => ({
	trouble: { message, description, retryable: true },
});
const endedEarly = (description: string) => again('The download ended early', description);
const cut = (size: number) => endedEarly(`The connection was cut after ${size} bytes`);
const stalled = (size: number, timeoutMs: number) =>
	endedEarly(`No data arrived for ${timeoutMs / 1000} seconds after ${size} bytes`);

const NO_ANSWER = again('The service did not answer in time');
const NO_MP4 = again('The file is not an MP4');
const ANOTHER_PART = again('The service sent a different part of the video than requested');
const STOPPED = { ...again('The download was stopped'), everywhere: true };

const tooLarge = (maxBytes: number): DownloadTrouble => ({
	trouble: {
		message: `The video is larger than the ${Math.round(maxBytes / 1024 ** 2)} MB that Max Size allows`,
		description: 'Raise Max Size in the options.',
		retryable: false,
	},
	everywhere: true,
});

/** Waits for the next try of a file that has `size` bytes; resolves to `false` if there is none. */
export type TryAgain = (met: DownloadTrouble, size: number) => Promise<boolean>;

/** Fewer new bytes are no progress: a server that sends one at a time would be asked forever. */
const MIN_PROGRESS_BYTES = 64 * 1024;
/** The most tries of one address, with or without progress. */
const MAX_TRIES = 1000;

/**
 * Counts the tries of one address since the last one that made progress. A proxy that cuts every
 * transfer after a minute thus stops only a file that grows no further.
 *
 * @param isInVain called once, before the second try
 */
export function countTries(
	{ retries = DEFAULT_RETRIES }: Pick<DownloadWishes, 'retries'>,
	{ clock, signal, maxPauseMs }: Pick<Run, 'clock' | 'signal' | 'maxPauseMs'>,
	isInVain?: (met: Trouble) => Promise<boolean>,
): TryAgain {
	let inVain = 0;
	let inAll = 0;
	// A file that is begun again and again makes no progress.
	let longest = 0;
	return async ({ trouble, retryAfterMs }, size) => {
		if (size >= longest + MIN_PROGRESS_BYTES) inVain = 0;
		longest = Math.max(longest, size);
		const isOver = inVain >= retries || inAll >= MAX_TRIES || signal.aborted;
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
