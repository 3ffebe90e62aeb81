import type { IDataObject } from 'n8n-workflow';

import { toJson } from '../lib/bounded';
import { createIdleTimeout } from '../lib/idleTimeout';
import type { StreamAnswer } from '../service/http';
import { isNoAnswer, toNoAnswer, type NoAnswer } from '../service/noAnswer';
import { toPaidTrouble } from '../service/paid';
import type { GenerateResult } from '../service/textApi';
import { toReportedTrouble, type Trouble } from '../service/trouble';
import { createStreamReader, type StreamReader } from './eventStream';
import { createMerge } from './mergeChunks';
import { readChunks, type Ending } from './readChunks';
import { UNSPECIFIED } from './reasons';
import { readAnswer } from './response';

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
		if (isNoAnswer(opened)) return toPaidTrouble(idle.gaveUp() ? TIMED_OUT : opened);
		const reader = createStreamReader();
		const merge = createMerge();
		let count = 0;
		const onChunk = async (chunk: IDataObject) => {
			count++;
			const words = merge.add(chunk);
			if (words !== '') await onWords(words);
		};
		const ending = await readChunks(opened, reader, onChunk, { idle, idleTimeoutMs });
		const told = {
			...ending,
			trouble: ending.trouble && idle.gaveUp() ? toSilence(idleTimeoutMs) : ending.trouble,
		};
		if (count === 0) return toNothing(told, opened, reader.start());
		const answer = merge.answer();
		const trouble = findTrouble(told, reader, answer);
		return trouble ? { kind: 'unclear', trouble, partial: answer } : { kind: 'answered', answer };
	} finally {
		idle.close();
		// Nothing reads on from here, also where the service has more to say.
		end.abort();
	}
}

/** What HTTP clients say where nothing comes; ours only knows that it was ended. */
const TIMED_OUT = toNoAnswer({ code: 'ETIMEDOUT' });

const toSilence = (idleTimeoutMs: number): Trouble => ({
	message: `The service sent nothing more for ${idleTimeoutMs / 1000} s (Timeout)`,
	retryable: true,
});

/** Not one chunk came: the body is a refusal, a page, empty, or anything else. */
function toNothing(
	{ trouble, toldTrouble }: Ending,
	{ status, headers }: StreamAnswer,
	body: string,
): GenerateResult {
	if (status >= 300) return toPaidTrouble({ status, headers, body });
	if (trouble) return { kind: 'unclear', trouble };
	if (!toldTrouble) return toPaidTrouble({ status, headers, body });
	const said = toReportedTrouble(toldTrouble);
	const { httpCode } = said;
	// Without a status of its own it means what it means in an answer that is not streamed.
	if (httpCode === undefined) {
		return toPaidTrouble({ status, headers, body: toJson(toldTrouble) });
	}
	// The work has begun where a stream has; only what the asker did wrong stopped it before.
	return { kind: httpCode < 500 && httpCode !== 408 ? 'refused' : 'unclear', trouble: said };
}

/** Why the chunks that came are not the whole answer. */
function findTrouble(
	{ trouble, toldTrouble }: Ending,
	reader: StreamReader,
	answer: IDataObject,
): Trouble | undefined {
	if (toldTrouble) return toReportedTrouble(toldTrouble);
	const { candidates, blockReason } = readAnswer(answer);
	const reasons = candidates.map(({ finishReason }) => finishReason);
	const allSaidWhy = reasons.length > 0 && !reasons.includes(UNSPECIFIED);
	// Nothing comes behind a reason, so it does not matter how the stream ended then.
	if (trouble) return allSaidWhy || blockReason !== undefined ? undefined : trouble;
	if (reader.isBroken()) {
		return { message: 'A part of the answer cannot be read', retryable: true };
	}
	if (allSaidWhy || reasons.length === 0 || reader.isClosed()) return undefined;
	return { message: 'The stream ended before the answer was complete', retryable: true };
}
