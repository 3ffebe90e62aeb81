import type { IDataObject } from 'n8n-workflow';

import type { IdleTimeout } from '../lib/time';
import { answerTooLarge, createAnswerLimit, MAX_TEXT_BYTES, type StreamAnswer, TIMED_OUT, toNoAnswer } from '../service/http';
import { toTrouble, type Trouble } from '../service/trouble';
import { bringsSomething, isGenerated, tellsTrouble } from './chunk';
import type { StreamReader } from './eventStream';
import { toProtocolNames } from './spelling';

/** How the body of an answer came to its end. */
export interface Ending {
	/** What the service told instead of going on, as it came. */
	toldTrouble?: IDataObject;
	/** The stream broke, or was given up. */
	trouble?: Trouble;
	/** The other side broke it off. */
	isCut?: boolean;
}

export type OnChunk = (chunk: IDataObject) => Promise<void>;

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
		return { trouble: toTrouble(toNoAnswer(error)), isCut: true };
	}
}

interface Piece {
	done?: true;
	objects?: IDataObject[];
	/** Proxies keep a connection alive by comments and empty lines. */
	hasLine?: boolean;
}

const isProgress = ({ objects = [], hasLine }: Piece) => objects.length > 0 || hasLine === true;

const TOO_MUCH = toTrouble(answerTooLarge(MAX_TEXT_BYTES));
const TOO_LONG = toTrouble(TIMED_OUT);

/** Stops at what says that no chunk will come; what came beside it counts. */
export async function handOn(
	objects: IDataObject[],
	take: OnChunk,
): Promise<IDataObject | undefined> {
	for (const came of objects) {
		const object = toProtocolNames(came);
		const isLast = tellsTrouble(object);
		if (isLast ? bringsSomething(object) : isGenerated(object)) await take(object);
		if (isLast) return object;
	}
	return undefined;
}
