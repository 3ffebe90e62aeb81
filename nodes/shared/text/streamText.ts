import type { IDataObject } from 'n8n-workflow';

import { toReportedError, type ServiceError } from '../service/trouble';
import { isNetworkFault, type StreamAnswer } from '../service/http';
import type { NetworkFault } from '../service/noAnswer';
import type { GenerateResult } from '../service/textApi';
import { toUnanswered } from '../service/paid';
import { createStreamReader, type StreamReader } from './eventStream';
import { createMerge } from './mergeChunks';
import { readChunks, type Ending } from './readChunks';
import { readAnswer } from './response';
import { UNSPECIFIED } from './reasons';

export interface StreamTools {
	/** Opens the answer; the signal ends its request. */
	open: (signal: AbortSignal) => Promise<StreamAnswer | NetworkFault>;
	/** Hears the words of the answer as they come, without thoughts. */
	onWords: (words: string) => Promise<void>;
	/** Milliseconds without a byte after which the answer is given up; in all it may take longer. */
	idleTimeoutMs: number;
	redact: (text: string) => string;
}

/** Reads an answer while it is being written; what comes out is what would have come at once. */
export async function streamText(tools: StreamTools): Promise<GenerateResult> {
	const halt = new AbortController();
	const end = () => halt.abort();
	try {
		const opened = await tools.open(halt.signal);
		if (isNetworkFault(opened)) return toUnanswered(opened);
		const reader = createStreamReader();
		const merge = createMerge();
		let count = 0;
		const onChunk = async (chunk: IDataObject) => {
			count++;
			const words = merge.add(chunk);
			if (words !== '') await tools.onWords(words);
		};
		const { idleTimeoutMs } = tools;
		const ending = await readChunks(opened, reader, onChunk, { idleTimeoutMs, end });
		const safe = { ...ending, reported: redactObject(ending.reported, tools.redact) };
		if (count === 0) return toNothing(safe, opened, tools.redact(reader.start()));
		const answer = redactObject(merge.answer(), tools.redact) as IDataObject;
		const error = findFault(safe, reader, answer);
		return error ? { kind: 'unclear', error, partial: answer } : { kind: 'answered', answer };
	} finally {
		// Nothing reads on from here, also where the service has more to say.
		end();
	}
}

const redactObject = (value: IDataObject | undefined, redact: (text: string) => string) =>
	value && (JSON.parse(redact(JSON.stringify(value))) as IDataObject);

/** Not one chunk came: the body is a refusal, a page, empty, or anything else. */
function toNothing(
	{ fault, reported }: Ending,
	{ status, headers }: StreamAnswer,
	body: string,
): GenerateResult {
	if (status >= 300) return toUnanswered({ status, headers, body });
	if (fault) return { kind: 'unclear', error: fault };
	if (!reported) return toUnanswered({ status, headers, body });
	const error = toReportedError(reported);
	const { httpCode } = error;
	// Without a status of its own it means what it means in an answer that is not streamed.
	if (httpCode === undefined) {
		return toUnanswered({ status, headers, body: JSON.stringify(reported) });
	}
	// The work has begun where a stream has; only what the asker did wrong stopped it before.
	return { kind: httpCode < 500 && httpCode !== 408 ? 'refused' : 'unclear', error };
}

/** Why the chunks that came are not the whole answer. */
function findFault(
	{ fault, reported }: Ending,
	reader: StreamReader,
	answer: IDataObject,
): ServiceError | undefined {
	if (reported) return toReportedError(reported);
	const { candidates, blockReason } = readAnswer(answer);
	const reasons = candidates.map(({ finishReason }) => finishReason);
	const allSaidWhy = reasons.length > 0 && !reasons.includes(UNSPECIFIED);
	// Nothing comes behind a reason, so it does not matter how the stream ended then.
	if (fault) return allSaidWhy || blockReason !== undefined ? undefined : fault;
	if (reader.isBroken()) {
		return { message: 'A part of what the service sent cannot be read', retryable: true };
	}
	if (allSaidWhy || reasons.length === 0 || reader.isClosed()) return undefined;
	return { message: 'The stream ended before the answer did', retryable: true };
}
