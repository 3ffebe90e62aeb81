import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	ISupplyDataFunctions,
} from 'n8n-workflow';

import { isObject } from '../lib/json';
import { createTimeLimit, MAX_TIMER_MS } from '../lib/time';
import { withMark } from './credentialReading';
import { isNoAnswer, type NoAnswer, STOPPED, TIMED_OUT, toNoAnswer } from './noAnswer';
import { type Readable, readWhole, type WholeAnswer, withBegin } from './wholeAnswer';

export type { Readable, WholeAnswer };

export type HttpContext = IExecuteFunctions | ILoadOptionsFunctions | ISupplyDataFunctions;

/** An answer whose body is still on the wire. Whoever takes it reads it to the end or destroys it. */
export interface StreamAnswer {
	status: number;
	headers: Record<string, string>;
	stream: Readable;
}

export interface StreamOptions {
	/** Milliseconds without an answer after which `signal` fires. */
	timeoutMs: number;
	/** Ends the request and, later, the stream with its socket; fires on Stop, too. */
	signal: AbortSignal;
	headers?: Record<string, string>;
	/** Makes it a POST. */
	body?: IDataObject;
}

/** Whose key a request carries, and of which reading of the credential its address was made. */
export interface Key {
	credential: string;
	mark: string;
}

/** Opens a stream; with `key` undefined the key stays at home. */
export async function openStream(
	context: HttpContext,
	key: Key | undefined,
	url: string,
	{ timeoutMs, signal, headers, body }: StreamOptions,
): Promise<StreamAnswer | NoAnswer> {
	const options: IHttpRequestOptions = {
		method: body ? 'POST' : 'GET',
		url,
		headers: { ...headers },
		...(body && { body }),
		// A last resort: where it fires, the client of n8n 1 leaves the socket open. The signal does not.
		timeout: 2 * timeoutMs,
		abortSignal: signal,
	};
	const answer = await send(context, key, options, signal);
	if (isNoAnswer(answer)) return answer;
	const stream = answer.body as Readable;
	// An aborted stream emits an error even where nobody reads it any more.
	stream.on('error', () => {});
	return {
		status: answer.statusCode,
		headers: answer.headers as Record<string, string>,
		stream,
	};
}

export interface RequestLimits {
	/** Milliseconds from the first byte of the request to the last one of the answer. */
	totalMs: number;
	/** Bytes of the answer after decompression. */
	maxBytes: number;
	/** Ends the request in place of n8n's own signal, which fires the moment somebody stops the run. */
	signal?: AbortSignal;
}

/** Sends a request and reads its answer into memory, as far as the limits allow. */
export async function request(
	context: HttpContext,
	key: Key,
	options: IHttpRequestOptions,
	{ totalMs, maxBytes, signal: given }: RequestLimits,
): Promise<WholeAnswer | NoAnswer> {
	const stop = given ?? runSignalOf(context);
	const end = new AbortController();
	const signal = stop ? AbortSignal.any([stop, end.signal]) : end.signal;
	const limit = createTimeLimit(totalMs, () => end.abort());
	const chunks: Uint8Array[] = [];
	const ask = async () => {
		const answer = await send(context, key, { ...options, abortSignal: signal }, signal);
		return isNoAnswer(answer) ? answer : await readWhole(answer, maxBytes, chunks);
	};
	try {
		const answer = (await limit.within(ask())) ?? TIMED_OUT;
		if (!isNoAnswer(answer)) return answer;
		const end = limit.isUp() ? TIMED_OUT : answer;
		return withBegin(stop?.aborted ? STOPPED : end, chunks);
	} finally {
		limit.close();
		// n8n 2 wraps the stream so that destroying it ends nothing: the signal closes the socket.
		end.abort();
	}
}

/**
 * The one place that calls n8n's HTTP helper. Any status is an answer: n8n's own handling would send
 * a request with status 401 a second time and replace the words of the service. Redirects are not
 * followed, since the key would go along to another host. Bodies come as streams: the helper knows
 * no limit for what it reads into memory.
 */
async function send(
	context: HttpContext,
	key: Key | undefined,
	options: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse | NoAnswer> {
	const caller = withSignal(context, signal);
	const whole: IHttpRequestOptions = {
		...options,
		// n8n writes the key into the object that it is given: the next request must not share it.
		headers: key ? withMark(options.headers, key.mark) : { ...options.headers },
		encoding: 'stream',
		timeout: Math.min(options.timeout ?? MAX_TIMER_MS, MAX_TIMER_MS),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		if (hasLostNames(whole.body)) {
			whole.body = JSON.stringify(whole.body);
			whole.headers = { ...whole.headers, 'Content-Type': 'application/json' };
		}
		if (key === undefined) return await caller.helpers.httpRequest(whole);
		const { credential } = key;
		return await caller.helpers.httpRequestWithAuthentication.call(caller, credential, whole);
	} catch (error) {
		return toNoAnswer(error);
	}
}

/** n8n's client leaves out fields of these names, at any depth; in a text it does not look for them. */
const LOST_NAMES = /"(?:__proto__|constructor|prototype)":/;

const hasLostNames = (body: IHttpRequestOptions['body']): boolean =>
	isObject(body) && LOST_NAMES.test(JSON.stringify(body));

const runSignalOf = (context: HttpContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/**
 * n8n's helper takes its signal from the context that it is called with, and no other. Each request
 * gets one of its own: Node.js warns of a leak where many listen to the same signal.
 */
function withSignal(context: HttpContext, given: AbortSignal): HttpContext {
	const signal = AbortSignal.any([given]);
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as HttpContext;
}
