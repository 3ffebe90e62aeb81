import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import { createAnswerLimit, MAX_RECORD_BYTES } from './answerLimit';
import { toNoAnswer, tooLarge, type NoAnswer } from './noAnswer';

/** Node's readable stream, by the way n8n's own types name it: nodes may not import built-ins. */
export type Readable = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

export interface WholeAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/**
 * The body as text. Of a refusal that is larger than the limit, whose status says enough, the
 * beginning is taken.
 */
export async function readWhole(
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	maxBytes: number,
	chunks: Uint8Array[],
): Promise<WholeAnswer | NoAnswer> {
	const whole = { status, headers: headers as Record<string, string> };
	const isWithin = createAnswerLimit(maxBytes);
	try {
		for await (const chunk of toPieces(body)) {
			if (!isWithin(chunk as Uint8Array)) {
				if (status < 300) return tooLarge(maxBytes);
				break;
			}
			chunks.push(chunk as Uint8Array);
		}
	} catch (error) {
		return toNoAnswer(error);
	}
	return { ...whole, body: toBody(chunks) };
}

const toBody = (chunks: Uint8Array[]) => new TextDecoder().decode(Buffer.concat(chunks));

/** Half an answer may hold what a person looks for; as much of it as a record has is enough. */
export function withBegin(end: NoAnswer, chunks: Uint8Array[]): NoAnswer {
	if (chunks.length === 0) return end;
	const whole = Buffer.concat(chunks);
	return { ...end, begin: toBody([whole.subarray(0, MAX_RECORD_BYTES)]) };
}

/** n8n's evaluations answer in place of the service, with what they hold in memory. */
function toPieces(body: unknown): AsyncIterable<unknown> | Uint8Array[] {
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) {
		return [Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''))];
	}
	// An aborted stream emits an error even where nobody reads it any more.
	(body as Readable).on('error', () => {});
	return body as Readable;
}
