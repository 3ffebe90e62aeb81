import type { IDataObject } from 'n8n-workflow';

import type { IdleTimeout } from '../lib/idleTimeout';
import { isObject } from '../lib/json';
import type { StreamAnswer } from '../service/http';
import { createAnswerLimit, MAX_TEXT_BYTES } from '../service/answerLimit';
import { TIMED_OUT, toNoAnswer, tooLarge } from '../service/noAnswer';
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

/** A whole answer takes no longer than so many time-outs, and is given so long at least. */
const MAX_TIMEOUTS = 20;
const MIN_TOTAL_MS = 600_000;
/** One chunk is a word or more, and a model's answer has fewer. */
const MAX_CHUNKS = 200_000;
/** A refusal is read this far, in bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

const LINE_END = '\n'.charCodeAt(0);

/**
 * Hands the chunks of a stream on, one after the other, until it ends in whatever way.
 *
 * @param idle ends the request behind the stream once it is silent for too long
 * @param idleTimeoutMs its time
 */
export async function readChunks(
	{ status, stream }: StreamAnswer,
	reader: StreamReader,
	onChunk: OnChunk,
	{ idle, idleTimeoutMs }: { idle: IdleTimeout; idleTimeoutMs: number },
): Promise<Ending> {
	const maxBytes = status < 300 ? MAX_TEXT_BYTES : MAX_REFUSAL_BYTES;
	const isWithin = createAnswerLimit(maxBytes);
	const endMs = Date.now() + Math.max(MAX_TIMEOUTS * idleTimeoutMs, MIN_TOTAL_MS);
	let count = 0;
	const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	// Nothing in the body of a refusal is a chunk.
	const take = status < 300 ? onChunk : async () => {};
	const readNext = async (): Promise<Piece> => {
		const { done, value } = await pieces.next();
		if (done) return { done, objects: reader.end() };
		const bytes = Buffer.from(value);
		if (!isWithin(bytes)) return {};
		return { objects: reader.read(bytes), hasLine: bytes.includes(LINE_END) };
	};
	try {
		for (;;) {
			// A byte alone is no progress: one now and then would never be given up.
			const next = await idle.during(readNext(), isProgress);
			if (!next.objects) return status < 300 ? { trouble: TOO_MUCH } : {};
			const toldTrouble = await handOn(next.objects, take);
			if (toldTrouble || next.done) return { toldTrouble };
			count += next.objects.length;
			if (count > MAX_CHUNKS) return { trouble: TOO_MUCH };
			if (Date.now() > endMs) return { trouble: TOO_LONG };
		}
	} catch (error) {
		return { trouble: toTrouble(toNoAnswer(error)) };
	}
}

interface Piece {
	done?: true;
	objects?: IDataObject[];
	/** Proxies keep a connection alive by comments and empty lines. */
	hasLine?: boolean;
}

const isProgress = ({ objects = [], hasLine }: Piece) => objects.length > 0 || hasLine === true;

const TOO_MUCH = toTrouble(tooLarge(MAX_TEXT_BYTES));
const TOO_LONG = toTrouble(TIMED_OUT);

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
