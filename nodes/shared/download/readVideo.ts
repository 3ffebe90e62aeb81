import type { DownloadOptions } from '../item/downloadOptions';
import type { Run } from '../item/run';
import { createIdleTimeout, createTimeLimit } from '../lib/time';
import { createMp4Check } from '../mp4/mp4Check';
import type { Address, Connection } from '../service/connection';
import { type DownloadTrouble, openVideo } from './openVideo';
import {
	askToResume,
	type countRetries,
	type FileFacts,
	isContinuation,
	readFacts,
} from './resume';

/** One file, as far as it has come; it may take several answers. */
export interface Reading {
	address: Address;
	options: DownloadOptions;
	/** Set once bytes were handed on, which cannot be taken back. */
	begun?: { check: ReturnType<typeof createMp4Check>; facts: FileFacts; mimeType: string };
	/** Why the reading ended without a whole file. */
	end?: DownloadTrouble;
}

/** The default of Timeout in Video Download; Download Video in Video Generate always uses it. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** The bytes of a box's length and type: enough to tell a video from a page. */
const FIRST_BYTES = 8;
/** The longest time that one answer may take, in milliseconds; then the file is resumed. */
const MAX_ANSWER_MS = 6 * 3_600_000;
/** Slower data counts as no data; the speed is averaged over a time-out. */
const MIN_BYTES_PER_SECOND = 1024;

/**
 * Yields the bytes of one file, and resumes it if an answer ends early. Ends normally only after a
 * whole file; otherwise it throws, so that n8n's storage keeps nothing, and `reading.end` says why.
 */
export async function* readVideo(
	reading: Reading,
	tryAgain: ReturnType<typeof countRetries>,
	run: Run,
	connection: Connection,
): AsyncGenerator<Uint8Array, void> {
	for (;;) {
		const met = yield* readAnswer(reading, run, connection);
		if (!met) return;
		const { begun } = reading;
		const size = begun?.check.size() ?? 0;
		if (!met.startsOver && !(await tryAgain(met, size))) {
			reading.end = run.signal.aborted ? STOPPED : met;
		} else if (begun && (met.startsOver || !askToResume(begun.facts, size))) {
			reading.end = { ...met, startsOver: true };
		}
		if (reading.end) throw new Error(reading.end.trouble.message);
	}
}

/** Yields the bytes of one answer, which follow the earlier ones; returns the trouble, if any. */
async function* readAnswer(
	reading: Reading,
	run: Run,
	connection: Connection,
): AsyncGenerator<Uint8Array, DownloadTrouble | undefined> {
	const { address, options, begun } = reading;
	const { timeoutMs = DEFAULT_TIMEOUT_MS, maxSizeBytes = Infinity } = options;
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
		const answer = await idle.during(openVideo(address, request, run, connection));
		if ('trouble' in answer) {
			if (idle.gaveUp()) return NO_ANSWER;
			return begun && answer.trouble.httpCode === 416 ? { ...answer, startsOver: true } : answer;
		}
		const facts = readFacts(answer);
		const isPart = answer.status === 206;
		if (begun ? !isPart || !isContinuation(facts, begun.facts, begun.check.size()) : isPart) {
			return { ...ANOTHER_PART, startsOver: begun !== undefined };
		}
		if ((facts.total ?? 0) > maxSizeBytes) return tooLarge(maxSizeBytes);
		const mimeType = toMimeType(answer.headers['content-type']);
		const file = begun ?? { check: createMp4Check(), facts, mimeType };
		file.facts.total ??= facts.total;

		const { check } = file;
		const chunks = (answer.stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
		const held: Uint8Array[] = [];
		let newBytes = 0;
		const isProgress = (came?: IteratorResult<Uint8Array>) => {
			newBytes += came?.value?.length ?? 0;
			if (newBytes < (timeoutMs / 1000) * MIN_BYTES_PER_SECOND) return false;
			newBytes = 0;
			return true;
		};
		for (;;) {
			const coming = chunks.next().catch(() => undefined);
			const next = await idle.during(coming, isProgress);
			if (!next) {
				const why = idle.gaveUp() ? tooSlow(timeoutMs) : WAS_CUT;
				return endedEarly(`${why} after ${check.size()} bytes`);
			}
			if (next.done) return findTrouble(reading, file);
			held.push(next.value);
			check.feed(next.value);
			if (check.size() > maxSizeBytes) return tooLarge(maxSizeBytes);
			if (!reading.begun) {
				if (check.size() < FIRST_BYTES) continue;
				if (HAS_BOXES.test(file.mimeType) && !check.isVideo()) return NOT_A_VIDEO;
				reading.begun = file;
			}
			// If the storage fails, the reading ends at this `yield`, and `finally` closes the answer.
			for (const bytes of held.splice(0)) yield bytes;
		}
	} finally {
		idle.close();
		limit.close();
	}
}

/** Types of files that consist of the boxes of ISO/IEC 14496-12. */
const HAS_BOXES = /^video\/(mp4|quicktime|x-m4v|3gpp2?)$/;

function toMimeType(contentType: string | undefined): string {
	const type = contentType?.split(';')[0].trim().toLowerCase() ?? '';
	return /^video\/[\w.+-]+$/.test(type) ? type : 'video/mp4';
}

/** Returns the trouble with a file whose answer has ended; `undefined` if the file is whole. */
function findTrouble(
	{ begun }: Reading,
	{ check, facts: { total } }: NonNullable<Reading['begun']>,
): DownloadTrouble | undefined {
	const size = check.size();
	if (size === 0) return again('The file is empty');
	// A body that is longer than announced was decoded by n8n on the way.
	if (total !== undefined && size < total) {
		return endedEarly(`Only ${size} of ${total} bytes arrived`);
	}
	if (!begun) return NOT_A_VIDEO;
	if (!HAS_BOXES.test(begun.mimeType) || check.isWhole()) return undefined;
	return endedEarly(`The video file is not complete after ${size} bytes`);
}

const again = (message: string, description?: string): DownloadTrouble => ({
	trouble: { message, description, retryable: true },
});
const endedEarly = (description: string) => again('The download ended early', description);

const tooSlow = (ms: number) => `Less than 1 KB per second arrived for ${ms / 1000} seconds`;
const WAS_CUT = 'The connection was cut';
const NO_ANSWER = again('There was no answer in time');
const NOT_A_VIDEO = again('The file is not a video');
const ANOTHER_PART = again('Another part of the video was sent than requested');
const STOPPED = { ...again('The download was stopped'), everywhere: true };

const tooLarge = (maxBytes: number): DownloadTrouble => ({
	trouble: {
		message: `The video is larger than the ${Math.round(maxBytes / 1024 ** 2)} MB that Max Size allows`,
		description: 'Raise Max Size in the options.',
		retryable: false,
	},
	everywhere: true,
});
