import type { IDataObject } from 'n8n-workflow';

import { isDeep, isObject, MAX_DEPTH, toJson } from '../lib/json';
import { createIdleTimeout } from '../lib/time';
import type { Connection } from '../service/connection';
import { toPathSegment } from '../service/credential';
import { type Failure, readFailure, readReport } from '../service/failure';
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
import { isBlock, isSpecified } from '../service/finishReason';
import { errorOf } from '../service/serviceWords';
import { createStreamReader } from './eventStream';
import { createMerge } from './mergeChunks';
import { isFilled, toProtocolNames } from './names';
import { readAnswer, toTextFailure } from './response';

/** A turn. A part is `{text}`, `{inlineData: {mimeType, data}}` or anything else in the protocol. */
export interface Turn {
	role: 'user' | 'model';
	parts: IDataObject[];
}

/** The body of `:generateContent`. `contents` is documented; the rest is the native protocol's. */
export interface GenerateRequest extends IDataObject {
	contents: Turn[];
}

interface Question {
	model: string;
	body: GenerateRequest;
	/** The most milliseconds to wait for a whole answer, or for the next piece of a stream. */
	timeoutMs: number;
	/** Ends the request, instead of n8n's own signal, and later the stream. */
	signal: AbortSignal;
}

/** A record of the documented form, which may still hold no text; or why there is none. */
type GenerateResult = { answer: IDataObject } | Failure;

/** Receives the words of an answer as they arrive, without thoughts. */
type OnWords = (words: string) => Promise<void> | void;

/** A stream may last as long as this many time-outs, or ten minutes if that is longer. */
const MAX_TIMEOUTS = 20;
const MIN_TOTAL_MS = 600_000;

/**
 * Asks a text model once: for a streamed answer if `onWords` is given, otherwise for a whole one. Both
 * are read by the same rules, because some deployments send the other form.
 */
export async function askText(
	connection: Pick<Connection, 'baseUrl' | 'send' | 'open'>,
	question: Question,
	onWords?: OnWords,
): Promise<GenerateResult> {
	const reading = createReading(onWords);
	const ask = onWords ? askStreamed : askWhole;
	const failure = await ask(connection, question, reading).catch((error: unknown) =>
		// The request may have been sent, so its answer may have been billed.
		unclear('The answer could not be read', error instanceof Error ? error.message : undefined),
	);
	const { merge } = reading;
	if (!failure) return { answer: merge.answer() };
	if (failure.certainty === 'refused') return failure;
	// What arrived may be paid for.
	const how = merge.isEmpty() ? 'missing' : 'cut';
	return toTextFailure(readAnswer(merge.answer()), { how }, { ...failure, certainty: 'unclear' });
}

const toPath = (model: string, action: string) =>
	`/v1beta/models/${toPathSegment(model)}:${action}`;

/** Returns why the answer is not whole; `undefined` if it is. */
async function askWhole(
	{ send }: Pick<Connection, 'send'>,
	{ model, ...question }: Question,
	reading: Reading,
): Promise<Failure | undefined> {
	const path = toPath(model, 'generateContent');
	const answer = await send({ path, ...question, maxBytes: MAX_TEXT_BYTES });
	await reading.add((isNoAnswer(answer) ? answer.begin : answer.body) ?? '');
	await reading.end();
	return isNoAnswer(answer) ? readFailure('text', answer) : findFailure(reading, answer);
}

/** Does the same for a streamed answer. */
async function askStreamed(
	{ baseUrl, open }: Pick<Connection, 'baseUrl' | 'open'>,
	{ model, ...question }: Question,
	reading: Reading,
): Promise<Failure | undefined> {
	const { timeoutMs } = question;
	const end = new AbortController();
	const signal = AbortSignal.any([question.signal, end.signal]);
	const idleMs = timeoutMs + uploadMs(JSON.stringify(question.body).length);
	const idle = createIdleTimeout(idleMs, () => end.abort());
	// The format that really comes differs between deployments; without `alt=sse`, even between vendors.
	const path = `${toPath(model, 'streamGenerateContent')}?alt=sse`;
	const headers = { Accept: 'text/event-stream, application/json' };
	try {
		const opened = await idle.during(open(baseUrl + path, { headers, ...question, signal }));
		// After a time-out, the HTTP client knows only that the request was ended.
		if (isNoAnswer(opened)) return readFailure('text', idle.gaveUp() ? TIMED_OUT : opened);
		const { stream, ...answer } = opened;
		const isWithin = createAnswerLimit(MAX_TEXT_BYTES);
		const endMs = Date.now() + Math.max(MAX_TIMEOUTS * timeoutMs, MIN_TOTAL_MS);
		const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
		let failure: Failure | undefined;
		while (!failure && !reading.report()) {
			const next = await idle.during(pieces.next()).catch((error: unknown) => {
				const silence = `The service sent nothing more for ${Math.round(idleMs / 1000)} s (Timeout)`;
				failure = idle.gaveUp() ? unclear(silence) : readFailure('text', toNoAnswer(error));
			});
			if (!next || next.done) break;
			const bytes = Buffer.from(next.value);
			if (!isWithin(bytes)) failure = readFailure('text', answerTooLarge(MAX_TEXT_BYTES));
			else await reading.add(bytes);
			if (Date.now() > endMs) failure ??= readFailure('text', TIMED_OUT);
		}
		await reading.end();
		return findFailure(reading, { ...answer, body: reading.body.start }, failure);
	} finally {
		idle.close();
		// The service may have more to say.
		end.abort();
	}
}

const unclear = (message: string, description?: string): Failure => ({
	...{ during: 'text', certainty: 'unclear', message, description, passes: false },
});

type Reading = ReturnType<typeof createReading>;

/** Collects an answer; all chunks up to the first object that reports a failure belong to it. */
function createReading(onWords?: OnWords) {
	const reader = createStreamReader();
	const merge = createMerge();
	let report: IDataObject | undefined;
	const take = async (objects: IDataObject[]) => {
		for (const object of objects) {
			if (report) return;
			const chunk = toProtocolNames(object);
			if (isReport(chunk)) report = chunk;
			if (report ? !isFilledAnswer(chunk) : !isAnswer(chunk)) continue;
			if (isDeep(chunk)) throw new Error(`It is nested deeper than ${MAX_DEPTH} levels`);
			const words = merge.add(chunk);
			if (words !== '') await onWords?.(words);
		}
	};
	return {
		body: reader.body,
		merge,
		/** Returns the object that reports a failure, if one came. */
		report: () => report,
		add: async (bytes: Uint8Array | string) => await take(reader.read(bytes)),
		end: async () => await take(reader.end()),
	};
}

/** Returns whether an object is an answer or a chunk; if blocked or empty, it has no candidates. */
function isAnswer({ candidates, promptFeedback, usageMetadata }: IDataObject): boolean {
	if (Array.isArray(candidates) || isObject(promptFeedback)) return true;
	return isObject(usageMetadata) && (candidates ?? null) === null;
}

const isFilledAnswer = ({ candidates, promptFeedback }: IDataObject) =>
	isFilled(candidates) || isFilled(promptFeedback);

/**
 * Returns whether an object reports a failure: in a field `error`, which some gateways add with nothing
 * filled in, or by `code` and `message` without an answer.
 */
function isReport(object: IDataObject): boolean {
	const { error: words, code, message, ...rest } = object;
	const error = isObject(object.error) ? errorOf(object) : undefined;
	const hasError = error
		? Object.values(error).some((value) => isFilled(value) && value !== 0 && value !== false)
		: typeof words === 'string' && words !== '';
	return hasError || (code !== undefined && typeof message === 'string' && !isAnswer(rest));
}

/**
 * Returns why an answer is not whole; `undefined` if it is.
 *
 * @param failure says why the stream was not read to its end
 */
function findFailure(
	reading: Reading,
	answer: ServiceAnswer,
	failure?: Failure,
): Failure | undefined {
	const report = reading.report();
	const body = report ? toJson(report) : answer.body;
	if (answer.status < 300) {
		const hasPart = !reading.merge.isEmpty();
		const reported = report && readReport(report, hasPart);
		if (hasPart) return reported ?? findGap(reading, failure);
		if (reported ? reported.httpCode !== undefined : failure) return reported ?? failure;
	}
	// The body is a refusal, a web page, empty, or anything else: it is judged like any paid request's.
	return readFailure('text', { ...answer, body });
}

/** Returns why the answer so far is not the whole one; `undefined` if it is. */
function findGap({ body, merge }: Reading, failure?: Failure): Failure | undefined {
	const { candidate, blockReason } = readAnswer(merge.answer());
	// Nothing comes after a block.
	if (isBlock(blockReason)) return undefined;
	const hasReason = candidate !== undefined && isSpecified(candidate.finishReason);
	// Nothing comes after a finish reason either, if it marks the end.
	if (hasReason && !body.isBroken && merge.reasonCameLast()) return undefined;
	if (failure) return failure;
	if (body.isBroken || body.isCutOff) return unclear('A part of the answer cannot be read');
	if (hasReason || !candidate || body.hasEnd) return undefined;
	return unclear('The stream ended before the answer was complete');
}
