import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { createTimeLimit, MAX_TIMER_MS } from '../lib/time';
import {
	CANCELED,
	isNoAnswer,
	type NoAnswer,
	type Readable,
	readWhole,
	type ServiceAnswer,
	type StreamAnswer,
	TIMED_OUT,
	toNoAnswer,
	uploadMs,
} from './answer';
import type { Body } from './body';

export type HttpContext = IExecuteFunctions | ILoadOptionsFunctions;

/** How a request is limited. */
export interface Limits {
	/** The most milliseconds for the whole request, not counting the time to send a large body. */
	timeoutMs: number;
	/** The most milliseconds for everything, the body included, if that is less. */
	limitMs?: number;
	/** The most bytes of the answer, counted after decompression. */
	maxBytes: number;
	/** Ends the request instead of n8n's own signal, which fires the moment somebody stops the run. */
	signal?: AbortSignal;
}

export type Method = 'DELETE' | 'POST' | 'PUT';

interface RequestOptions {
	/** The caller fires `signal` after so many ms without an answer, not counting a large upload. */
	timeoutMs: number;
	/** Ends the request and, later, the stream with its socket; also fires on Stop. */
	signal: AbortSignal;
	headers?: Record<string, string>;
	/** Makes the request a POST; a text is JSON. */
	body?: string | Body;
	method?: Method;
	/** `false` sends no key. */
	withKey?: boolean;
}

export type StreamOptions = Omit<RequestOptions, 'body'> & { body?: Body };

/** Returns the ways to send requests with a credential of n8n. */
export function createRequests(context: HttpContext, credential: string) {
	const request = createRequest(context, credential);

	/**
	 * Sends a request with the key, and reads its answer into memory, as far as the limits allow. The
	 * answer comes as it was sent, even if it quotes the key. Never throws for anything that the
	 * service or the network does.
	 *
	 * @param body makes it a POST
	 * @param how another method, or without the key
	 */
	const send = async (
		url: string,
		body: IDataObject | Body | undefined,
		{ timeoutMs, limitMs = Infinity, maxBytes, signal: given }: Limits,
		how: Pick<RequestOptions, 'method' | 'withKey'> = {},
	): Promise<ServiceAnswer | NoAnswer> => {
		const { getExecutionCancelSignal: cancelSignal } = context as Partial<IExecuteFunctions>;
		const stop = given ?? cancelSignal?.call(context);
		const sent = isBytes(body) ? body : body && JSON.stringify(body);
		const limit = createTimeLimit(Math.min(timeoutMs + uploadMs(sizeOf(body)), limitMs), stop);
		const { signal } = limit;
		const chunks: Uint8Array[] = [];
		const options = { timeoutMs, signal, headers: JSON_ONLY, body: sent, ...how };
		const asking = request(url, options).then(async (begun) =>
			isNoAnswer(begun) ? begun : await readWhole(begun, maxBytes, chunks),
		);
		try {
			const answer = (await limit.within(asking)) ?? TIMED_OUT;
			if (!isNoAnswer(answer)) return answer;
			const ended = limit.isUp() ? TIMED_OUT : answer;
			const reason = stop?.aborted ? CANCELED : ended;
			if (chunks.length === 0) return reason;
			return { ...reason, begin: new TextDecoder().decode(Buffer.concat(chunks)) };
		} finally {
			limit.close();
		}
	};

	/** Sends a request, and resolves once its answer begins. Never throws, like `send`. */
	const open = async (url: string, options: StreamOptions): Promise<StreamAnswer | NoAnswer> => {
		// Callers have a shorter time-out of their own.
		const timeoutMs = 2 * (options.timeoutMs + uploadMs(sizeOf(options.body)));
		return await request(url, { ...options, timeoutMs });
	};

	return { send, open };
}

/** Returns the only function that calls n8n's HTTP helper. */
const createRequest =
	(context: HttpContext, credential: string) =>
	async (url: string, options: RequestOptions): Promise<StreamAnswer | NoAnswer> => {
		// Each request has its own signal: Node.js warns of a leak if many listen to the same one.
		const ownSignal = AbortSignal.any([options.signal]);
		// n8n's helper takes its signal only from the context that it is called with.
		const caller = Object.create(context, {
			getExecutionCancelSignal: { value: () => ownSignal },
		}) as HttpContext;
		const { helpers } = caller;
		const wanted = toHttpOptions(url, options);
		try {
			const answer = (
				options.withKey === false
					? await helpers.httpRequest(wanted)
					: await helpers.httpRequestWithAuthentication.call(caller, credential, wanted)
			) as IN8nHttpFullResponse;
			const stream = answer.body as Readable;
			// An aborted stream emits an error even if nobody reads it any more.
			stream.on('error', () => {});
			const headers = answer.headers as Record<string, string>;
			return { status: answer.statusCode, headers, stream };
		} catch (error) {
			return toNoAnswer(error, url);
		}
	};

const isBytes = (body: IDataObject | Body | undefined): body is Body =>
	body !== undefined && Buffer.isBuffer(body.bytes);

/** Returns how many bytes a body has, or characters of JSON. */
export function sizeOf(body: IDataObject | Body | undefined): number {
	if (body === undefined) return 0;
	return isBytes(body) ? body.bytes.length : JSON.stringify(body).length;
}

const JSON_ONLY = { Accept: 'application/json' };

/**
 * Returns what n8n's HTTP helper is asked. Any status counts as an answer: n8n's own handling would
 * send a request with status 401 a second time and replace the service's words. Redirects are not
 * followed, because the key would go to another host. Bodies come as streams, because the helper has
 * no limit on what it reads into memory.
 */
function toHttpOptions(
	url: string,
	{ timeoutMs, signal, headers, body, method }: RequestOptions,
): IHttpRequestOptions {
	const isText = typeof body === 'string';
	return {
		method: method ?? (body === undefined ? 'GET' : 'POST'),
		url,
		// n8n writes the key into the object it is given, so the next request must not share it.
		headers: {
			...headers,
			...(body !== undefined && {
				'Content-Type': isText ? 'application/json' : body.contentType,
				// LiteLLM sends what costs money again by itself: a vendor's 500 is three submits (1.108, tried).
				'x-litellm-num-retries': '0',
			}),
		},
		// Given an object, n8n's client would drop fields with names such as `constructor`.
		...(body !== undefined && { body: isText ? body : body.bytes }),
		abortSignal: signal,
		encoding: 'stream',
		timeout: Math.min(timeoutMs, MAX_TIMER_MS),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}
