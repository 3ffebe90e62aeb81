import type { IDataObject } from 'n8n-workflow';

import { createIdleTimeout } from '../lib/time';
import { isNoAnswer, type NoAnswer, type StreamAnswer, TIMED_OUT } from '../service/http';
import { toPaidTrouble } from '../service/paid';
import type { GenerateResult } from '../service/textApi';
import type { Trouble } from '../service/trouble';
import { createStreamReader } from './eventStream';
import { judgeAnswer, toUnread } from './judgeAnswer';
import { createMerge } from './mergeChunks';
import { readChunks } from './readChunks';

/** What streaming asks of the world. */
export interface Streaming {
	/** Opens the answer; the signal ends its request. */
	open: (signal: AbortSignal) => Promise<StreamAnswer | NoAnswer>;
	/** Hears the words of the answer as they come, without thoughts. */
	onWords: (words: string) => Promise<void>;
	/** Milliseconds without a byte after which the answer is given up; in all it may take longer. */
	idleTimeoutMs: number;
}

/** Reads an answer while it is being written; what comes out is what would have come at once. */
export async function streamText({
	open,
	onWords,
	idleTimeoutMs,
}: Streaming): Promise<GenerateResult> {
	const end = new AbortController();
	const idle = createIdleTimeout(idleTimeoutMs, () => end.abort());
	try {
		const opened = await idle.during(open(end.signal));
		// Of a request that was given up, the client knows no more than that it was ended.
		if (isNoAnswer(opened)) return toPaidTrouble(idle.gaveUp() ? TIMED_OUT : opened);
		const reader = createStreamReader();
		const merge = createMerge();
		const onChunk = async (chunk: IDataObject) => {
			const words = merge.add(chunk);
			if (words !== '') await onWords(words);
		};
		const ending = await readChunks(opened, reader, onChunk, { idle, idleTimeoutMs });
		const told = ending.trouble && idle.gaveUp() ? { trouble: toSilence(idleTimeoutMs) } : ending;
		const { status, headers } = opened;
		return judgeAnswer(told, { merge, reader }, { status, headers, body: reader.start() });
	} catch (error) {
		return toUnread(error);
	} finally {
		idle.close();
		// Nothing reads on from here, also where the service has more to say.
		end.abort();
	}
}

const toSilence = (idleTimeoutMs: number): Trouble => ({
	message: `The service sent nothing more for ${idleTimeoutMs / 1000} s (Timeout)`,
	retryable: true,
});
