import type { IDataObject } from 'n8n-workflow';

import { isDeep, isObject, MAX_DEPTH, toJson } from '../lib/json';
import { createIdleTimeout, type IdleTimeout } from '../lib/time';
import type { Connection } from '../service/connection';
import {
	answerTooLarge,
	createAnswerLimit,
	isNoAnswer,
	MAX_TEXT_BYTES,
	type ServiceAnswer,
	type StreamAnswer,
	TIMED_OUT,
	toNoAnswer,
} from '../service/http';
import { GAVE_UP_WAITING, toPaidTrouble } from '../service/paid';
import {
	generateContent,
	type GenerateResult,
	streamGenerateContent,
	type TextQuestion,
} from '../service/textApi';
import { toReportedTrouble, toTrouble, type Trouble } from '../service/trouble';
import { createStreamReader } from './eventStream';
import { createMerge } from './mergeChunks';
import { saysSomething, toProtocolNames } from './names';
import { isBlock, saysWhy } from './reasons';
import { readAnswer } from './response';

type OnWords = (words: string) => Promise<void> | void;

/**
 * Asks a text model once: for an answer in pieces where somebody hears them, else for a whole one.
 * Some deployments send a whole answer as they would stream it, and the other way round, so both are
 * read by the same rules.
 *
 * @param onWords hears the words of the answer as they come, without thoughts
 */
export async function askText(
	connection: Pick<Connection, 'send' | 'open'>,
	question: TextQuestion,
	onWords?: OnWords,
): Promise<GenerateResult> {
	try {
		return onWords
			? await streamText(connection, question, onWords)
			: await wholeText(connection, question);
	} catch (error) {
		// Once a request is under way, the answer to it may have been billed.
		const trouble: Trouble = {
			message: 'The answer could not be read',
			description: error instanceof Error ? error.message : undefined,
			retryable: false,
		};
		return { kind: 'unclear', trouble };
	}
}

async function wholeText(
	connection: Pick<Connection, 'send'>,
	question: TextQuestion,
): Promise<GenerateResult> {
	const answer = await generateContent(connection, question);
	const reading = createReading();
	if (!isNoAnswer(answer)) {
		await reading.read(answer.body);
		await reading.end();
		return judge(reading, answer);
	}
	const paidTrouble = toPaidTrouble(answer);
	if (answer.begin === undefined) return paidTrouble;
	// Cut off or given up: what had come of it is paid for.
	await reading.read(answer.begin);
	await reading.end();
	const { merge } = reading;
	return { ...paidTrouble, ...(!merge.isEmpty() && { partial: merge.answer() }) };
}

async function streamText(
	connection: Pick<Connection, 'open'>,
	question: TextQuestion,
	onWords: OnWords,
): Promise<GenerateResult> {
	const { timeoutMs, signal } = question;
	const end = new AbortController();
	const idle = createIdleTimeout(timeoutMs, () => end.abort());
	try {
		const ended = { ...question, signal: AbortSignal.any([signal, end.signal]) };
		const opened = await idle.during(streamGenerateContent(connection, ended));
		// The client knows no more of a request that was given up than that it was ended.
		if (isNoAnswer(opened)) return toPaidTrouble(idle.gaveUp() ? TIMED_OUT : opened);
		// Nothing in the body of a refusal is a word of the model.
		const reading = createReading(opened.status < 300 ? onWords : undefined);
		const trouble = await readStream(opened, reading, idle, timeoutMs);
		const { status, headers } = opened;
		return judge(reading, { status, headers, body: reading.reader.start() }, trouble);
	} finally {
		idle.close();
		// Nothing reads on from here, also where the service has more to say.
		end.abort();
	}
}

type Reading = ReturnType<typeof createReading>;

/** Reads one answer, in whatever pieces it comes. */
function createReading(onWords: OnWords = () => {}) {
	const reader = createStreamReader();
	const merge = createMerge();
	const found: { told?: IDataObject; isDeep?: boolean } = {};
	/** Stops at what says that no chunk will come; what came beside it counts. */
	const take = async (objects: IDataObject[]) => {
		for (const object of objects) {
			if (found.told || found.isDeep) return;
			found.isDeep = isDeep(object);
			const chunk = toProtocolNames(object);
			if (tellsTrouble(chunk)) found.told = chunk;
			if (found.told ? !bringsSomething(chunk) : !isGenerated(chunk)) continue;
			const words = merge.add(found.isDeep ? onlyTexts(chunk) : chunk);
			if (words !== '') await onWords(words);
		}
	};
	return {
		reader,
		merge,
		found,
		read: async (bytes: Uint8Array | string) => await take(reader.read(bytes)),
		end: async () => await take(reader.end()),
	};
}

/**
 * Whether an object is a chunk of an answer, or a whole one. A blocked prompt has no candidates; an
 * empty answer has a usage record at most.
 */
function isGenerated({ candidates, promptFeedback, usageMetadata }: IDataObject): boolean {
	if (Array.isArray(candidates) || isObject(promptFeedback)) return true;
	return isObject(usageMetadata) && (candidates === undefined || candidates === null);
}

/** Whether there is more in it than the fields of an answer that has not begun. */
const bringsSomething = ({ candidates, promptFeedback }: IDataObject) =>
	saysSomething(candidates) || saysSomething(promptFeedback);

/**
 * Whether it is one of the two shapes of an error. An error in which nothing is filled in is a field of
 * a converter; objects of no known shape may be a vendor's sign of life.
 */
function tellsTrouble({ error, code, message, ...rest }: IDataObject): boolean {
	const isFilled = isObject(error)
		? Object.values(error).some((value) => saysSomething(value) && value !== 0 && value !== false)
		: typeof error === 'string' && error !== '';
	return isFilled || (code !== undefined && typeof message === 'string' && !isGenerated(rest));
}

/** Returns a chunk that can be kept of one that is nested too deeply. */
const onlyTexts = (chunk: IDataObject): IDataObject => ({
	candidates: readAnswer(chunk).candidates.map(({ text }) => ({ content: { parts: [{ text }] } })),
});

/** A whole answer takes no longer than so many time-outs, and is given so long at least. */
const MAX_TIMEOUTS = 20;
const MIN_TOTAL_MS = 600_000;
/** A refusal is read this far, in bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Proxies keep a connection alive by comments and empty lines; JSON may come in a single line. */
const SIGNS_OF_LIFE = ['\n', '\r', '}'].map((sign) => sign.charCodeAt(0));

/**
 * Reads a stream until it ends in whatever way.
 *
 * @param idle ends the request behind the stream once it is silent for `idleTimeoutMs`
 * @returns why the stream was not read to its end
 */
async function readStream(
	{ status, stream }: StreamAnswer,
	reading: Reading,
	idle: IdleTimeout,
	idleTimeoutMs: number,
): Promise<Trouble | undefined> {
	const isWithin = createAnswerLimit(status < 300 ? MAX_TEXT_BYTES : MAX_REFUSAL_BYTES);
	const endMs = Date.now() + Math.max(MAX_TIMEOUTS * idleTimeoutMs, MIN_TOTAL_MS);
	const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	// A byte alone is no progress: one now and then would never be given up.
	const isProgress = ({ done, value }: IteratorResult<Uint8Array>) =>
		done === true || SIGNS_OF_LIFE.some((sign) => value.includes(sign));
	const readAll = async (): Promise<Trouble | undefined> => {
		while (!reading.found.told && !reading.found.isDeep) {
			let next: IteratorResult<Uint8Array>;
			try {
				next = await idle.during(pieces.next(), isProgress);
			} catch (error) {
				return idle.gaveUp() ? toSilence(idleTimeoutMs) : toTrouble(toNoAnswer(error));
			}
			if (next.done) return undefined;
			const bytes = Buffer.from(next.value);
			if (!isWithin(bytes)) return toTrouble(answerTooLarge(MAX_TEXT_BYTES));
			await reading.read(bytes);
			if (Date.now() > endMs) return toTrouble(TIMED_OUT);
		}
		return undefined;
	};
	const trouble = await readAll();
	await reading.end();
	return trouble;
}

const toSilence = (idleTimeoutMs: number): Trouble => ({
	message: `The service sent nothing more for ${idleTimeoutMs / 1000} s (Timeout)`,
	retryable: true,
});

/**
 * Judges an answer once its body is at its end in whatever way.
 *
 * @param answer its `body` is what is known of it as text
 * @param trouble why its stream was not read to its end
 */
function judge(reading: Reading, answer: ServiceAnswer, trouble?: Trouble): GenerateResult {
	const { merge, found } = reading;
	const { told } = found;
	if (answer.status >= 300) {
		return toPaidTrouble(told ? { ...answer, body: toJson(told) } : answer);
	}
	if (!merge.isEmpty()) {
		const whole = merge.answer();
		const whyNot = findTrouble(reading, whole, trouble);
		if (whyNot) return { kind: 'unclear', trouble: whyNot, partial: whole };
		return { kind: 'answered', answer: whole };
	}
	// Not one chunk came: the body says no, or is a page, empty, or anything else.
	if (!told) return trouble ? { kind: 'unclear', trouble } : toPaidTrouble(answer);
	const said = toReportedTrouble(told);
	const { httpCode } = said;
	// Without a status of its own it means what it means in any answer.
	if (httpCode === undefined) return toPaidTrouble({ ...answer, body: toJson(told) });
	// The work has begun where an answer has; only what the asker did wrong stopped it before.
	const isRefused = httpCode < 500 && !GAVE_UP_WAITING.has(httpCode);
	return { kind: isRefused ? 'refused' : 'unclear', trouble: said };
}

/** Says why what came is not the whole answer. */
function findTrouble(
	{ reader, merge, found }: Reading,
	answer: IDataObject,
	trouble?: Trouble,
): Trouble | undefined {
	if (found.told) return toReportedTrouble(found.told);
	if (found.isDeep) {
		return { message: `It is nested deeper than ${MAX_DEPTH} levels`, retryable: false };
	}
	const { candidates, blockReason } = readAnswer(answer);
	// Nothing comes behind it.
	if (isBlock(blockReason)) return undefined;
	const allSaidWhy =
		candidates.length > 0 && candidates.every(({ finishReason }) => saysWhy(finishReason));
	// Nothing comes behind a reason, either, where only the last chunk has one.
	const isOver = allSaidWhy && !reader.isBroken() && merge.reasonCameLast();
	if (isOver) return undefined;
	if (trouble) return trouble;
	if (reader.isBroken() || reader.isCutOff()) {
		return { message: 'A part of the answer cannot be read', retryable: true };
	}
	if (allSaidWhy || candidates.length === 0 || reader.isClosed()) return undefined;
	return { message: 'The stream ended before the answer was complete', retryable: true };
}
