import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { MAX_TIMER_MS } from '../lib/clock';
import { isNoAnswer, toNoAnswer, type NoAnswer } from './noAnswer';

export type HttpContext = IExecuteFunctions | ILoadOptionsFunctions;

/** Node's readable stream, by the way n8n's own types name it: nodes may not import built-ins. */
export type Readable = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

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

/** Opens a stream; with `credential` undefined the key stays at home. */
export async function openStream(
	context: HttpContext,
	credential: string | undefined,
	url: string,
	{ timeoutMs, signal, headers, body }: StreamOptions,
): Promise<StreamAnswer | NoAnswer> {
	const options: IHttpRequestOptions = {
		method: body ? 'POST' : 'GET',
		url,
		// n8n writes the key into the object that it is given: the next request must not share it.
		headers: { ...headers },
		...(body && { body }),
		encoding: 'stream',
		// A last resort: where it fires, the client of n8n 1 leaves the socket open. The signal does not.
		timeout: 2 * timeoutMs,
		abortSignal: signal,
	};
	const answer = await request(context, credential, options, signal);
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

/**
 * The one place that calls n8n's HTTP helper. Any status is an answer: n8n's own handling would send
 * a request with status 401 a second time and replace the words of the service. Redirects are not
 * followed, since the key would go along to another host.
 */
export async function request(
	context: HttpContext,
	credential: string | undefined,
	options: IHttpRequestOptions,
	signal?: AbortSignal,
): Promise<IN8nHttpFullResponse | NoAnswer> {
	const caller = withSignal(context, signal);
	const whole: IHttpRequestOptions = {
		...options,
		timeout: Math.min(options.timeout ?? MAX_TIMER_MS, MAX_TIMER_MS),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		if (credential === undefined) return await caller.helpers.httpRequest(whole);
		return await caller.helpers.httpRequestWithAuthentication.call(caller, credential, whole);
	} catch (error) {
		return toNoAnswer(error);
	}
}

/**
 * n8n's helper takes its signal from the context that it is called with, and no other. Each request
 * gets one of its own: Node.js warns of a leak where many listen to the same signal.
 */
function withSignal(context: HttpContext, given?: AbortSignal): HttpContext {
	const runSignal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const parent = given ?? runSignal;
	if (!parent) return context;
	const signal = AbortSignal.any([parent]);
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as HttpContext;
}
