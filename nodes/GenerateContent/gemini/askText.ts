import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../../shared/failure/failure';
import { type Reason, readReason } from '../../shared/failure/reason';
import {
	answerTooLarge,
	createAnswerLimit,
	isNoAnswer,
	MAX_BYTES_WITH_FILES,
	type NoAnswer,
	type Readable,
	readWhole,
	type ServiceAnswer,
	TIMED_OUT,
	toNoAnswer,
	uploadMs,
} from '../../shared/http/answer';
import type { Body } from '../../shared/http/body';
import { isFilled, isObject, toObject } from '../../shared/lib/json';
import { createIdleTimeout } from '../../shared/lib/time';
import type { Connection } from '../../shared/services/connection';
import { isOfNewApi } from '../../shared/services/newApi';
import { candidateOf, readAnswer, wordsIn } from './answer';
import { createChunkReader } from './chunkReader';
import { createPictureFilter } from './files';
import { textFailed, textRefused } from './textFailed';

interface Question {
	model: string;
	body: Body;
	/** The most milliseconds to wait for a whole answer, or for the next piece of a stream. */
	timeoutMs: number;
	/** Ends the request. */
	signal: AbortSignal;
}

/** Receives the words of an answer as they arrive, without thoughts and pictures. */
type OnWords = (words: string) => void;

/**
 * Asks a text model once: for a streamed answer if `onWords` is given, otherwise for a whole one.
 *
 * @returns the chunks of an answer that came to its end, one if it was not streamed; or why none did
 */
export async function askText(
	{ baseUrl, open }: Pick<Connection, 'baseUrl' | 'open'>,
	{ model, body, timeoutMs, signal: stop }: Question,
	onWords?: OnWords,
): Promise<{ chunks: IDataObject[] } | Failure> {
	const reading = createReading(onWords);
	const end = new AbortController();
	const signal = AbortSignal.any([stop, end.signal]);
	const waitMs = timeoutMs + uploadMs(body.bytes.length);
	const timeout = createIdleTimeout(waitMs, () => end.abort());
	const within = async <T>(work: Promise<T>) => (onWords ? await timeout.during(work) : await work);
	const action = onWords ? 'streamGenerateContent?alt=sse' : 'generateContent';
	const path = `/v1beta/models/${encodeURIComponent(model)}:${action}`;
	const headers = { Accept: onWords ? 'text/event-stream, application/json' : 'application/json' };

	const ask = async (): Promise<Reason | undefined> => {
		const opened = await within(open(baseUrl + path, { headers, body, timeoutMs, signal }));
		if (isNoAnswer(opened)) return toReason(opened);
		if (opened.status >= 300) {
			return toReason(await within(readWhole(opened, MAX_BYTES_WITH_FILES, [])));
		}
		const { stream, ...answer } = opened;
		const broke = await readStream(stream);
		return findGap(reading, { ...answer, body: reading.body.start }, broke && toReason(broke));
	};
	/** Reads to the end, or to an object that reports a failure; returns why the answer broke off. */
	const readStream = async (stream: Readable): Promise<NoAnswer | undefined> => {
		const isWithin = createAnswerLimit(MAX_BYTES_WITH_FILES);
		const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
		try {
			while (!reading.report()) {
				const { done, value } = await within(pieces.next());
				if (done) break;
				if (!isWithin(value)) return answerTooLarge(MAX_BYTES_WITH_FILES);
				reading.add(value);
			}
			return undefined;
		} catch (error) {
			return toNoAnswer(error);
		} finally {
			reading.end();
		}
	};
	/** After a time-out, the HTTP client knows only that the request was ended. */
	const toReason = (answer: ServiceAnswer | NoAnswer) =>
		toTextReason(isNoAnswer(answer) && timeout.gaveUp() ? TIMED_OUT : answer);

	try {
		const reason = await (onWords ? ask() : timeout.during(ask()));
		if (!reason) return { chunks: reading.chunks };
		if (reason.refused) return textRefused(reason);
		// What arrived may be paid for.
		const how = reading.chunks.length === 0 ? 'missing' : 'cut';
		return textFailed(readAnswer(reading.chunks), { how }, reason);
	} finally {
		timeout.close();
		// The service may have more to say.
		end.abort();
	}
}

type Reading = ReturnType<typeof createReading>;

/** Collects the chunks of an answer, up to the first object that reports a failure. */
function createReading(onWords: OnWords = () => {}) {
	const reader = createChunkReader();
	const filter = createPictureFilter();
	const chunks: IDataObject[] = [];
	let report: IDataObject | undefined;
	const say = (words: string) => {
		if (words !== '') onWords(words);
	};
	const take = (objects: IDataObject[]) => {
		for (const object of objects) {
			if (report) return;
			if (isChunk(object)) {
				chunks.push(object);
				say(filter.add(wordsIn(object)));
			} else if (isReport(object)) report = object;
		}
	};
	return {
		body: reader.body,
		chunks,
		/** Returns the object that reports a failure, if one came. */
		report: () => report,
		add: (bytes: Uint8Array) => take(reader.read(bytes)),
		end() {
			take(reader.end());
			say(filter.end());
		},
	};
}

/** Returns whether an object is a part of an answer. */
const isChunk = ({ candidates, promptFeedback, usageMetadata }: IDataObject) =>
	isFilled(candidates) || isFilled(promptFeedback) || isObject(usageMetadata);

/** Returns whether an object reports a failure: `{error: {code, message}}`, or New API's `{code, message}`. */
const isReport = ({ error, code, message }: IDataObject) =>
	isFilled(error) || (code !== undefined && typeof message === 'string');

/**
 * Reads an error object that came with a status of success: its code is the status that it would have
 * had. Work had begun by then, unless the code blames the request.
 */
function readReport(report: IDataObject, answer: ServiceAnswer, hasChunk: boolean): Reason {
	const code = Number(toObject(report.error).code ?? report.code);
	const status = code >= 400 && code < 600 ? code : answer.status;
	const reason = toTextReason({ ...answer, status, body: JSON.stringify(report) });
	return hasChunk || status >= 500 ? { ...reason, refused: false } : reason;
}

/** Returns why an answer with a status of success is not whole; `undefined` if it is. */
function findGap(reading: Reading, answer: ServiceAnswer, broke?: Reason): Reason | undefined {
	const { chunks, body } = reading;
	const report = reading.report();
	if (report && !endsWithReason(chunks)) return readReport(report, answer, chunks.length > 0);
	// It is a web page, empty, or anything else.
	if (chunks.length === 0) return broke ?? toTextReason(answer);
	if (body.isBroken) return unclear('A part of it cannot be read');
	const { finishReason, blockReason } = readAnswer(chunks);
	if (blockReason || (broke ? endsWithReason(chunks) : finishReason)) return undefined;
	return broke ?? unclear('It has no finishReason');
}

/**
 * Returns whether a finish reason marks the end of what came. It does not if the first chunk has one,
 * too: vendors and relays have written `STOP` into every chunk
 * (https://github.com/BerriAI/litellm/issues/2195, https://github.com/MartialBE/one-hub/issues/402).
 */
function endsWithReason(chunks: IDataObject[]): boolean {
	const reasons = chunks.flatMap(candidateOf).map(({ finishReason }) => isFilled(finishReason));
	return reasons.at(-1) === true && !reasons[0];
}

/** New API answers for the models of others, too. */
const toTextReason = (answer: ServiceAnswer | NoAnswer): Reason =>
	readReason('text', answer, { isOfNewApi: isOfNewApi(answer) });

const unclear = (message: string): Reason => ({ message, passes: false });
