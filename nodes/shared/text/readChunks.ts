import type { IDataObject } from 'n8n-workflow';

import { watchIdle } from '../lib/idleTimeout';
import { toFaultError, type ServiceError } from '../service/trouble';
import type { StreamAnswer } from '../service/http';
import { isObject } from '../lib/json';
import { toNetworkFault } from '../service/noAnswer';
import { isGenerated } from '../service/textApi';
import type { StreamReader } from './eventStream';

/** How the body of an answer came to its end. */
export interface Ending {
	/** The service said so instead of going on. */
	reported?: IDataObject;
	/** The stream broke. */
	fault?: ServiceError;
}

export interface ReadLimits {
	/** Milliseconds without a byte after which the stream is given up. */
	idleTimeoutMs: number;
	/** Ends the request behind the stream. */
	end: () => void;
}

type OnChunk = (chunk: IDataObject) => Promise<void>;

/** Hands the chunks of a stream on, one after the other, until it ends in whatever way. */
export async function readChunks(
	{ status, stream }: StreamAnswer,
	reader: StreamReader,
	onChunk: OnChunk,
	{ idleTimeoutMs, end }: ReadLimits,
): Promise<Ending> {
	const watch = watchIdle(idleTimeoutMs, end);
	const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	// Nothing in the body of a refusal is a chunk.
	const take = status < 300 ? onChunk : async () => {};
	try {
		for (;;) {
			const { done, value } = await watch.during(pieces.next());
			const reported = await handOn(done ? reader.end() : reader.read(value), take);
			if (reported || done) return { reported };
		}
	} catch (error) {
		const fault = watch.gaveUp() ? toSilence(idleTimeoutMs) : toFaultError(toNetworkFault(error));
		return { fault };
	} finally {
		watch.close();
	}
}

/** Stops at what is no chunk but says that none will come. */
async function handOn(objects: IDataObject[], take: OnChunk): Promise<IDataObject | undefined> {
	for (const object of objects) {
		if (isReport(object)) return object;
		if (isGenerated(object)) await take(object);
	}
	return undefined;
}

/** Both shapes of an error; objects of no known shape may be a vendor's sign of life. */
function isReport({ error, code, message, ...rest }: IDataObject): boolean {
	if (isObject(error) || (typeof error === 'string' && error !== '')) return true;
	return code !== undefined && typeof message === 'string' && !isGenerated(rest);
}

const toSilence = (idleTimeoutMs: number): ServiceError => ({
	message: `The service sent nothing more for ${idleTimeoutMs / 1000} s (Timeout)`,
	retryable: true,
});
