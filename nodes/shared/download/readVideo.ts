import { createIdleTimeout, createTimeLimit, type IdleTimeout } from '../lib/time';
import type { Address, Connection } from '../service/connection';
import type { AddressRule } from './addressRule';
import type { OpenedVideo } from './contentAnswer';
import { ANOTHER_PART, CHANGED, connectionCut, type DownloadTrouble, NO_ANSWER, stalled, STOPPED } from './downloadTrouble';
import { rangeHeaders } from './fileParts';
import { createSkip } from './fingerprint';
import { openVideo } from './openVideo';
import { findTrouble, judge, type Reading, startAnew, take } from './reading';
import type { TryAgain } from './tries';

/** What reading asks of the world. */
interface ReadingFrom {
	connection: Connection;
	signal: AbortSignal;
	tryAgain: TryAgain;
	mayAsk: AddressRule;
}

interface ReadLimits {
	timeoutMs: number;
	maxBytes: number;
}

/** No answer takes longer in all, in milliseconds; the rest of its file is asked for anew. */
const MAX_ANSWER_MS = 6 * 3_600_000;
/** What comes more slowly, on the average of a time-out, is taken for nothing. */
const MIN_BYTES_PER_SECOND = 1024;

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

/** The server offers parts and sends something else: ask for the whole file, at once. */
const WITHOUT_PARTS = 'withoutParts';

/**
 * The bytes of one file. Where an answer ends early the rest is asked for, and n8n's storage, which
 * reads on at the other end, notices a pause at most. It comes to its end only after a whole file;
 * else it throws, with `reading.end` saying why: a storage that sees a stream fail keeps nothing
 * of it, or as little as it can.
 */
export async function* readVideo(
	address: Address,
	reading: Reading,
	limits: ReadLimits,
	from: ReadingFrom,
): AsyncGenerator<Uint8Array, void> {
	for (;;) {
		const met = yield* readAnswer(address, reading, limits, from);
		if (!met) return;
		if (met === WITHOUT_PARTS) {
			reading.parts = false;
			continue;
		}
		const anotherTry = !met.changed && (await from.tryAgain(met, reading.check.size()));
		if (!anotherTry) {
			reading.end = from.signal.aborted ? STOPPED : met;
			throw new Error(reading.end.trouble.message);
		}
		if (!reading.begun) startAnew(reading);
	}
}

/** The bytes of one answer that follow those before; what is wrong, if anything is. */
async function* readAnswer(
	address: Address,
	reading: Reading,
	limits: ReadLimits,
	{ connection, mayAsk, signal: stop }: ReadingFrom,
): AsyncGenerator<Uint8Array, DownloadTrouble | typeof WITHOUT_PARTS | undefined> {
	const end = new AbortController();
	const idle = createIdleTimeout(limits.timeoutMs, () => end.abort());
	const total = createTimeLimit(MAX_ANSWER_MS, () => end.abort());
	try {
		const asked = reading.parts ? rangeHeaders(reading.known, reading.check.size()) : {};
		const options = {
			mayAsk,
			timeoutMs: limits.timeoutMs,
			signal: AbortSignal.any([stop, end.signal]),
			// A video does not get smaller, and lengths and parts are those of the file itself.
			headers: { 'Accept-Encoding': 'identity', ...asked },
		};
		const opened = await idle.during(openVideo(connection, address, options));
		const isPart = asked.Range !== undefined;
		if (opened.kind === 'failed') {
			if (idle.gaveUp()) return NO_ANSWER;
			return isPart && opened.trouble.httpCode === 416 ? WITHOUT_PARTS : opened;
		}
		const unfit = judge(opened, reading, limits.maxBytes);
		if (unfit) return isPart && unfit === ANOTHER_PART ? WITHOUT_PARTS : unfit;
		return yield* readBody(opened, reading, limits, idle);
	} finally {
		idle.close();
		total.close();
		// n8n 2 wraps the stream so that destroying it ends nothing: the signal closes the socket.
		end.abort();
	}
}

async function* readBody(
	{ stream, status }: OpenedVideo,
	reading: Reading,
	{ timeoutMs, maxBytes }: ReadLimits,
	idle: IdleTimeout,
): AsyncGenerator<Uint8Array, DownloadTrouble | undefined> {
	const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	const isMoving = createPace(timeoutMs);
	const skip = status === 206 ? undefined : createSkip(reading.check.size(), reading.fingerprint);
	for (;;) {
		const next = await idle.during(
			chunks.next().catch(() => undefined),
			(came) => isMoving(came?.value?.length ?? 0),
		);
		const size = reading.check.size();
		if (!next) return idle.gaveUp() ? stalled(size, timeoutMs) : connectionCut(size);
		if (next.done) return skip?.left() ? connectionCut(size) : findTrouble(reading);
		const fresh = skip ? skip(next.value) : next.value;
		if (!fresh) return CHANGED;
		if (fresh.length === 0) continue;
		const taken = take(reading, fresh, maxBytes);
		if ('trouble' in taken) return taken;
		// Outside of every `catch`: what is thrown here comes from the other end.
		yield* taken;
	}
}
