import type { IExecuteFunctions } from 'n8n-workflow';

import { rangeHeaders } from './fileParts';
import type { Connection } from '../service/http';
import type { OpenedVideo } from './contentAnswer';
import { watchIdle, type IdleWatch } from '../lib/idleTimeout';
import { openVideo } from './openVideo';
import { findFault, judge, startAnew, take, type Reading } from './reading';
import { createSkip } from './skip';
import {
	ANOTHER_PART,
	connectionCut,
	NO_ANSWER,
	stalled,
	STOPPED,
	type DownloadFault,
} from './downloadTrouble';

/** Waits for the next try; `false` where there is none. */
export type TryAgain = (fault: DownloadFault) => Promise<boolean>;

export interface ReadTools {
	context: IExecuteFunctions;
	connection: Connection;
	signal: AbortSignal;
}

export interface ReadLimits {
	timeoutMs: number;
	maxBytes: number;
}

/** The server offers parts and sends something else: ask for the whole file, at once. */
const WITHOUT_PARTS = 'withoutParts';

/**
 * The bytes of one file. Where an answer ends early the rest is asked for, and n8n's storage, which
 * reads on at the other end, notices a pause at most. It comes to its end only after a whole file;
 * else it throws, with `reading.fault` saying why: a storage that sees a stream fail keeps nothing
 * of it, or as little as it can.
 */
export async function* readVideo(
	address: string,
	reading: Reading,
	limits: ReadLimits,
	tools: ReadTools,
	tryAgain: TryAgain,
): AsyncGenerator<Uint8Array, void> {
	for (;;) {
		const fault = yield* readAnswer(address, reading, limits, tools);
		if (!fault) return;
		if (fault === WITHOUT_PARTS) {
			reading.parts = false;
			continue;
		}
		const goesOn = !fault.changed && (await tryAgain(fault));
		if (!goesOn) {
			reading.fault = tools.signal.aborted ? STOPPED : fault;
			throw new Error(reading.fault.error.message);
		}
		if (!reading.begun) startAnew(reading);
	}
}

/** The bytes of one answer that follow those before; what is wrong, if anything is. */
async function* readAnswer(
	address: string,
	reading: Reading,
	limits: ReadLimits,
	{ context, connection, signal: stop }: ReadTools,
): AsyncGenerator<Uint8Array, DownloadFault | typeof WITHOUT_PARTS | undefined> {
	const end = new AbortController();
	const watch = watchIdle(limits.timeoutMs, () => end.abort());
	try {
		const asked = reading.parts ? rangeHeaders(reading.known, reading.check.size()) : {};
		const options = {
			timeoutMs: limits.timeoutMs,
			signal: AbortSignal.any([stop, end.signal]),
			// A video does not get smaller, and lengths and parts are those of the file itself.
			headers: { 'Accept-Encoding': 'identity', ...asked },
		};
		const opened = await watch.during(openVideo(context, connection, address, options));
		const isPart = asked.Range !== undefined;
		if (opened.kind === 'failed') {
			if (watch.gaveUp()) return NO_ANSWER;
			return isPart && opened.error.httpCode === 416 ? WITHOUT_PARTS : opened;
		}
		const unfit = judge(opened, reading, limits.maxBytes);
		if (unfit) return isPart && unfit === ANOTHER_PART ? WITHOUT_PARTS : unfit;
		return yield* readBody(opened, reading, limits, watch);
	} finally {
		watch.close();
		// n8n 2 wraps the stream so that destroying it ends nothing: the signal closes the socket.
		end.abort();
	}
}

async function* readBody(
	{ stream, status }: OpenedVideo,
	reading: Reading,
	{ timeoutMs, maxBytes }: ReadLimits,
	watch: IdleWatch,
): AsyncGenerator<Uint8Array, DownloadFault | undefined> {
	const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	const skip = status === 206 ? undefined : createSkip(reading);
	for (;;) {
		const next = await watch.during(chunks.next().catch(() => undefined));
		const size = reading.check.size();
		if (!next) return watch.gaveUp() ? stalled(size, timeoutMs) : connectionCut(size);
		if (next.done) return skip?.left() ? connectionCut(size) : findFault(reading);
		const fresh = skip ? skip(next.value) : next.value;
		if ('error' in fresh) return fresh;
		if (fresh.length === 0) continue;
		const taken = take(reading, fresh, maxBytes);
		if ('error' in taken) return taken;
		// Outside of every `catch`: what is thrown here comes from the other end.
		yield* taken;
	}
}
