import type { IDataObject } from 'n8n-workflow';

import type { IdleTimeout } from '../lib/idleTimeout';
import { isObject } from '../lib/json';
import type { StreamAnswer } from '../service/http';
import { toNoAnswer } from '../service/noAnswer';
import { isGenerated } from '../service/textApi';
import { toTrouble, type Trouble } from '../service/trouble';
import type { StreamReader } from './eventStream';

/** How the body of an answer came to its end. */
export interface Ending {
	/** What the service told instead of going on, as it came. */
	toldTrouble?: IDataObject;
	/** The stream broke. */
	trouble?: Trouble;
}

type OnChunk = (chunk: IDataObject) => Promise<void>;

/**
 * Hands the chunks of a stream on, one after the other, until it ends in whatever way.
 *
 * @param idle ends the request behind the stream once it is silent for too long
 */
export async function readChunks(
	{ status, stream }: StreamAnswer,
	reader: StreamReader,
	onChunk: OnChunk,
	idle: IdleTimeout,
): Promise<Ending> {
	const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	// Nothing in the body of a refusal is a chunk.
	const take = status < 300 ? onChunk : async () => {};
	try {
		for (;;) {
			const { done, value } = await idle.during(pieces.next());
			const toldTrouble = await handOn(done ? reader.end() : reader.read(value), take);
			if (toldTrouble || done) return { toldTrouble };
		}
	} catch (error) {
		return { trouble: toTrouble(toNoAnswer(error)) };
	}
}

/** Stops at what is no chunk but says that none will come. */
async function handOn(objects: IDataObject[], take: OnChunk): Promise<IDataObject | undefined> {
	for (const object of objects) {
		if (tellsTrouble(object)) return object;
		if (isGenerated(object)) await take(object);
	}
	return undefined;
}

/** Both shapes of an error; objects of no known shape may be a vendor's sign of life. */
function tellsTrouble({ error, code, message, ...rest }: IDataObject): boolean {
	if (isObject(error) || (typeof error === 'string' && error !== '')) return true;
	return code !== undefined && typeof message === 'string' && !isGenerated(rest);
}
