import type { DownloadWishes } from '../item/downloadWishes';
import type { Run } from '../item/run';
import { createIdleTimeout, createTimeLimit } from '../lib/time';
import type { Address, Connection } from '../service/connection';
import type { Readable, StreamAnswer } from '../service/http';
import { delayMs } from '../service/paid';
import type { Trouble } from '../service/trouble';
import { createMp4Check } from './mp4';
import { type DownloadTrouble, openVideo } from './openVideo';

/** One file, as far as it has come, from however many answers. */
export interface Reading {
	address: Address;
	wishes: DownloadWishes;
	check: ReturnType<typeof createMp4Check>;
	/** Bytes that are not handed on before the first box tells what they are. */
	held: Uint8Array[];
	/** Whether bytes were handed on, which nobody can take back. */
	begun: boolean;
	mimeType: string;
	/** The facts that the answers have told so far. */
	known?: FileFacts;
	/** The last stream that was opened. */
	source?: Readable;
	/** Why the reading ended without a whole file. */
	end?: DownloadTrouble;
	/** The rest cannot be had: the file has to be read once more from its beginning. */
	startsOver?: boolean;
}

/** The defaults of Video Download's options, and what Download Video always has. */
export const DEFAULT_TIMEOUT_MS = 120_000;
export const DEFAULT_RETRIES = 5;

/** A box's length and type, and so what it takes to tell a video from a page. */
const FIRST_BYTES = 8;
/** No answer takes longer in all, in milliseconds; the rest of its file is asked for anew. */
const MAX_ANSWER_MS = 6 * 3_600_000;
/** Slower bytes than these, on the average of a time-out, are taken for nothing. */
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
 * Gives the bytes of one file. Where an answer ends early the rest is asked for, and n8n's storage,
 * which reads on at the other end, notices a pause at most. It comes to its end only after a whole
 * file; else it throws, with `reading.end` saying why: a storage that sees a stream fail keeps
 * nothing of it, or as little as it can.
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
			// Nobody has seen anything of it yet.
			const { address, wishes } = reading;
			Object.assign(reading, startReading(address, wishes), { known: undefined });
		} else if (met.noRest || !askForRest(reading)) {
			reading.startsOver = true;
			throw new Error(met.trouble.message);
		}
	}
}

/** Gives the bytes of one answer that follow those before; returns what is wrong, if anything is. */
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
			// A video does not get smaller, and lengths and parts are those of the file itself.
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
			// Outside of every `catch`: what is thrown here comes from the other end.
			if (reading.held.length > 0) yield* reading.held.splice(0);
			else yield chunk;
		}
	} finally {
		idle.close();
		total.close();
		// n8n 2 wraps the stream so that destroying it ends nothing: the signal closes the socket.
		end.abort();
	}
}

function toMimeType(contentType: string | undefined): string {
	const type = contentType?.split(';')[0].trim().toLowerCase() ?? '';
	return /^video\/[\w.+-]+$/.test(type) ? type : 'video/mp4';
}

/** Tells with each chunk whether, since it last said so, enough has come to go on waiting. */
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

/** The facts in an answer about the file that it brings, whole or in part (RFC 9110, section 14). */
interface FileFacts {
	/** The first byte that it brings; `NaN` where a part does not say which it is. */
	from: number;
	/** Bytes of the whole file, where told. */
	total?: number;
	etag?: string;
	lastModified?: string;
	/** The server's word on parts; many say nothing and give them all the same. */
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
 * Returns the headers that ask for the rest of a file, on condition that it is still the same;
 * `undefined` where there is no rest, or the server knows no parts. A weak ETag makes no condition.
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

/** Whether a part goes on where the file has ended so far, and nothing that both tell differs. */
export const isRestOf = ({ known, check }: Pick<Reading, 'known' | 'check'>, part: FileFacts) =>
	part.from === check.size() &&
	(['total', 'etag', 'lastModified'] as const).every(
		(fact) => known?.[fact] === undefined || part[fact] === undefined || known[fact] === part[fact],
	);

/** Says what is wrong with a file that has come to its end. */
function findTrouble({ check, known, mimeType }: Reading): DownloadTrouble | undefined {
	const size = check.size();
	if (size === 0) return again('The service sent an empty file');
	// More than was announced is a body that n8n has decoded on the way.
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

/** Waits for the next try of a file of which so many bytes are there; `false` where there is none. */
export type TryAgain = (met: DownloadTrouble, size: number) => Promise<boolean>;

/** Fewer new bytes are no progress: a server that gives one at a time would be asked for ever. */
const MIN_PROGRESS_BYTES = 64 * 1024;
/** Tries of one address in all, with or without progress. */
const MAX_TRIES = 1000;

/**
 * Counts the tries of one address since the last that brought the file on: a proxy that cuts every
 * transfer after a minute is only in the way of a file that gets no longer.
 *
 * @param isInVain is asked once, before the second try
 */
export function countTries(
	{ retries = DEFAULT_RETRIES }: Pick<DownloadWishes, 'retries'>,
	{ clock, signal, maxPauseMs }: Pick<Run, 'clock' | 'signal' | 'maxPauseMs'>,
	isInVain?: (met: Trouble) => Promise<boolean>,
): TryAgain {
	let inVain = 0;
	let inAll = 0;
	// A file that has to be begun anew again and again makes no progress.
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
