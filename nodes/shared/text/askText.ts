import type { IDataObject } from 'n8n-workflow';

import { isDeep, isObject, MAX_DEPTH, toJson } from '../lib/json';
import { createIdleTimeout } from '../lib/time';
import type { Connection } from '../service/connection';
import {
	answerTooLarge,
	createAnswerLimit,
	isNoAnswer,
	MAX_TEXT_BYTES,
	type ServiceAnswer,
	TIMED_OUT,
	toNoAnswer,
	uploadMs,
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

/** Receives the words of an answer as they arrive, without thoughts. */
type OnWords = (words: string) => Promise<void> | void;

/** A stream may last as long as this many time-outs, or ten minutes if that is longer. */
const MAX_TIMEOUTS = 20;
const MIN_TOTAL_MS = 600_000;
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * Asks a text model once: for a streamed answer if `onWords` is given, otherwise for a whole one.
 * Some deployments send a whole answer in stream form, or the other way round, so both are read by
 * the same rules.
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
		// The request may have been sent, so its answer may have been billed.
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
	await reading.read((isNoAnswer(answer) ? answer.begin : answer.body) ?? '');
	await reading.end();
	if (!isNoAnswer(answer)) return judge(reading, answer);
	// What arrived before the answer was cut off or given up is paid for, so it is kept.
	const { merge } = reading;
	return { ...toPaidTrouble(answer), ...(!merge.isEmpty() && { partial: merge.answer() }) };
}

async function streamText(
	connection: Pick<Connection, 'open'>,
	question: TextQuestion,
	onWords: OnWords,
): Promise<GenerateResult> {
	const { timeoutMs } = question;
	const end = new AbortController();
	const giveUp = () => end.abort();
	const signal = AbortSignal.any([question.signal, end.signal]);
	const openingMs = timeoutMs + uploadMs(JSON.stringify(question.body));
	const opening = createIdleTimeout(openingMs, giveUp);
	const opened = await opening
		.during(streamGenerateContent(connection, { ...question, signal }))
		.finally(opening.close);
	// After a time-out, the HTTP client knows only that the request was ended.
	if (isNoAnswer(opened)) return toPaidTrouble(opening.gaveUp() ? TIMED_OUT : opened);
	const idle = createIdleTimeout(timeoutMs, giveUp);
	try {
		const { status, headers, stream } = opened;
		// The body of a refusal contains no words of the model.
		const reading = createReading(status < 300 ? onWords : undefined);
		const isWithin = createAnswerLimit(status < 300 ? MAX_TEXT_BYTES : MAX_REFUSAL_BYTES);
		const endMs = Date.now() + Math.max(MAX_TIMEOUTS * timeoutMs, MIN_TOTAL_MS);
		const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
		let trouble: Trouble | undefined;
		while (!trouble && !reading.found.told && !reading.found.isDeep) {
			const next = await idle.during(pieces.next(), isProgress).catch((error: unknown) => {
				trouble = idle.gaveUp() ? toSilence(timeoutMs) : toTrouble(toNoAnswer(error));
			});
			if (!next || next.done) break;
			const bytes = Buffer.from(next.value);
			if (!isWithin(bytes)) trouble = toTrouble(answerTooLarge(MAX_TEXT_BYTES));
			else await reading.read(bytes);
			if (Date.now() > endMs) trouble ??= toTrouble(TIMED_OUT);
		}
		await reading.end();
		return judge(reading, { status, headers, body: reading.reader.body.start }, trouble);
	} finally {
		idle.close();
		// The service may have more to say.
		end.abort();
	}
}

/**
 * Signs of progress: line ends, which proxies send to keep a connection alive, and ends of objects,
 * which may all be on one line. If any byte counted, a server that drips would never be given up.
 */
const SIGNS_OF_LIFE = ['\n', '\r', '}'].map((sign) => sign.charCodeAt(0));
const isProgress = ({ done, value }: IteratorResult<Uint8Array>) =>
	done === true || SIGNS_OF_LIFE.some((sign) => value.includes(sign));

const toSilence = (idleTimeoutMs: number): Trouble => ({
	message: `The service sent nothing more for ${idleTimeoutMs / 1000} s (Timeout)`,
	retryable: true,
});

function createReading(onWords: OnWords = () => {}) {
	const reader = createStreamReader();
	const merge = createMerge();
	const found: { told?: IDataObject; isDeep?: boolean } = {};
	/** Adds objects, up to and including the first that reports trouble or is nested too deeply. */
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

/** Returns whether an object is an answer or a chunk; if blocked or empty, it has no candidates. */
function isGenerated({ candidates, promptFeedback, usageMetadata }: IDataObject): boolean {
	if (Array.isArray(candidates) || isObject(promptFeedback)) return true;
	return isObject(usageMetadata) && (candidates ?? null) === null;
}

const bringsSomething = ({ candidates, promptFeedback }: IDataObject) =>
	saysSomething(candidates) || saysSomething(promptFeedback);

/**
 * Returns whether an object reports trouble: in a field `error`, or by `code` and `message` without
 * an answer. Some gateways add an `error` with nothing filled in, which reports nothing. An object
 * of any other shape may be a vendor's sign of life.
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

/** @param trouble says why the stream was not read to its end */
function judge(
	reading: ReturnType<typeof createReading>,
	answer: ServiceAnswer,
	trouble?: Trouble,
): GenerateResult {
	const { reader, merge, found } = reading;
	const { told, isDeep: isTooDeep } = found;
	const body = told ? toJson(told) : answer.body;
	if (answer.status >= 300) return toPaidTrouble({ ...answer, body });
	const said = told && toReportedTrouble(told);
	if (!merge.isEmpty()) {
		const whole = merge.answer();
		const tooDeep = { message: `It is nested deeper than ${MAX_DEPTH} levels`, retryable: false };
		const whyNot = said ?? (isTooDeep ? tooDeep : findGap(reader.body, merge, trouble));
		if (whyNot) return { kind: 'unclear', trouble: whyNot, partial: whole };
		return { kind: 'answered', answer: whole };
	}
	// No part of an answer came: the body is a refusal, a web page, empty, or anything else.
	if (!said && trouble) return { kind: 'unclear', trouble };
	// Without a report that has a status, the body is judged like that of any paid request.
	if (said?.httpCode === undefined) return toPaidTrouble({ ...answer, body });
	// The answer began with success, so work had begun unless the report's status blames the request.
	const isRefused = said.httpCode < 500 && !GAVE_UP_WAITING.has(said.httpCode);
	return { kind: isRefused ? 'refused' : 'unclear', trouble: said };
}

/** Returns why the answer so far is not the whole one; `undefined` if it is. */
function findGap(
	body: ReturnType<typeof createStreamReader>['body'],
	merge: ReturnType<typeof createMerge>,
	trouble?: Trouble,
): Trouble | undefined {
	const { candidates, blockReason } = readAnswer(merge.answer());
	// Nothing comes after a block.
	if (isBlock(blockReason)) return undefined;
	const allSaidWhy =
		candidates.length > 0 && candidates.every(({ finishReason }) => saysWhy(finishReason));
	// Nothing comes after a finish reason either, if it marks the end.
	if (allSaidWhy && !body.isBroken && merge.reasonCameLast()) return undefined;
	if (trouble) return trouble;
	if (body.isBroken || body.isCutOff) {
		return { message: 'A part of the answer cannot be read', retryable: true };
	}
	if (allSaidWhy || candidates.length === 0 || body.hasEnd) return undefined;
	return { message: 'The stream ended before the answer was complete', retryable: true };
}
