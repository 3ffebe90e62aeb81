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
 * Asks a text model once: for a streamed answer if `onWords` is given, otherwise for a whole one.
 * Some deployments send a whole answer in stream form, or the other way round, so both are read by
 * the same rules.
 *
 * @param onWords receives the words of the answer as they arrive, without thoughts
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
		// Once a request is under way, its answer may have been billed.
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
	// The answer was cut off or given up; what had arrived of it is paid for.
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
		// After a time-out, the HTTP client knows only that the request was ended.
		if (isNoAnswer(opened)) return toPaidTrouble(idle.gaveUp() ? TIMED_OUT : opened);
		// The body of a refusal contains no words of the model.
		const reading = createReading(opened.status < 300 ? onWords : undefined);
		const trouble = await readStream(opened, reading, idle, timeoutMs);
		const { status, headers } = opened;
		return judge(reading, { status, headers, body: reading.reader.start() }, trouble);
	} finally {
		idle.close();
		// Nothing is read from here on, so the request is closed even if the service has more to say.
		end.abort();
	}
}

type Reading = ReturnType<typeof createReading>;

/** Returns a reader for one answer, in whatever pieces it comes. */
function createReading(onWords: OnWords = () => {}) {
	const reader = createStreamReader();
	const merge = createMerge();
	const found: { told?: IDataObject; isDeep?: boolean } = {};
	/** Adds objects until one reports trouble or is nested too deeply; its content still counts. */
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
 * Returns whether an object is a chunk of an answer, or a whole answer. A blocked prompt has no
 * candidates; an empty answer has at most a usage record.
 */
function isGenerated({ candidates, promptFeedback, usageMetadata }: IDataObject): boolean {
	if (Array.isArray(candidates) || isObject(promptFeedback)) return true;
	return isObject(usageMetadata) && (candidates === undefined || candidates === null);
}

/** Returns whether a chunk has more than the empty fields of an answer that has not begun. */
const bringsSomething = ({ candidates, promptFeedback }: IDataObject) =>
	saysSomething(candidates) || saysSomething(promptFeedback);

/**
 * Returns whether an object has one of the two shapes of an error. A converter adds the field
 * `error` with nothing filled in, which is no error. An object of unknown shape may be a vendor's
 * sign of life.
 */
function tellsTrouble({ error, code, message, ...rest }: IDataObject): boolean {
	const isFilled = isObject(error)
		? Object.values(error).some((value) => saysSomething(value) && value !== 0 && value !== false)
		: typeof error === 'string' && error !== '';
	return isFilled || (code !== undefined && typeof message === 'string' && !isGenerated(rest));
}

/** Returns the texts of a chunk that is nested too deeply to be kept whole. */
const onlyTexts = (chunk: IDataObject): IDataObject => ({
	candidates: readAnswer(chunk).candidates.map(({ text }) => ({ content: { parts: [{ text }] } })),
});

/** A stream may take this many time-outs, or `MIN_TOTAL_MS` if that is longer. */
const MAX_TIMEOUTS = 20;
const MIN_TOTAL_MS = 600_000;
/** Bytes read from the stream of a refusal. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * Each is a sign of progress: proxies keep a connection alive with comments and empty lines, and
 * JSON may come on a single line.
 */
const SIGNS_OF_LIFE = ['\n', '\r', '}'].map((sign) => sign.charCodeAt(0));

/**
 * Reads a stream until it ends in any way.
 *
 * @param idle ends the request behind the stream once it is silent for `idleTimeoutMs`
 * @returns the trouble that interrupted the stream, if any
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
	// Other bytes are not progress: a server that sends one now and then would never be given up.
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
 * Judges an answer whose body has ended in any way.
 *
 * @param answer holds the body as text, as far as it is known
 * @param trouble says why the stream was not read to its end
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
	// No chunk came: the body says no, or is a page, empty, or anything else.
	if (!told) return trouble ? { kind: 'unclear', trouble } : toPaidTrouble(answer);
	const said = toReportedTrouble(told);
	const { httpCode } = said;
	// A report without a status means the same as the body of any other answer.
	if (httpCode === undefined) return toPaidTrouble({ ...answer, body: toJson(told) });
	// The service has begun to answer, so it has begun to work, unless its status blames the asker.
	const isRefused = httpCode < 500 && !GAVE_UP_WAITING.has(httpCode);
	return { kind: isRefused ? 'refused' : 'unclear', trouble: said };
}

/** Returns why the answer so far is not the whole one; `undefined` if it is. */
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
	// Nothing comes after a block.
	if (isBlock(blockReason)) return undefined;
	const allSaidWhy =
		candidates.length > 0 && candidates.every(({ finishReason }) => saysWhy(finishReason));
	// Nothing comes after a finish reason either, if only the last chunk has one.
	const isOver = allSaidWhy && !reader.isBroken() && merge.reasonCameLast();
	if (isOver) return undefined;
	if (trouble) return trouble;
	if (reader.isBroken() || reader.isCutOff()) {
		return { message: 'A part of the answer cannot be read', retryable: true };
	}
	if (allSaidWhy || candidates.length === 0 || reader.isClosed()) return undefined;
	return { message: 'The stream ended before the answer was complete', retryable: true };
}
