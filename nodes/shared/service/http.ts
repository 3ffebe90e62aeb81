import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toBaseUrl } from './baseUrl';
import { toNetworkFault, type NetworkFault } from './networkFault';
import { createRedaction, type Redaction } from './redact';

export const ANSWER_TIMEOUT_MS = 60_000;

/** One request to the service; `path` starts with `/` and is already URL-encoded. */
export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	body?: IDataObject;
	/** Time without an answer, in milliseconds. */
	timeoutMs?: number;
	/** Ends the request in place of n8n's own signal, which fires the moment somebody stops the run. */
	signal?: AbortSignal;
}

/** What came back, whatever the status; `body` is the raw text. */
export interface ServiceAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** Sends a request with the node's credential. Never throws for what the service or network does. */
export type Send = (request: ServiceRequest) => Promise<ServiceAnswer | NetworkFault>;

export const isNetworkFault = (answer: object): answer is NetworkFault => 'network' in answer;

type HttpContext = IExecuteFunctions | ILoadOptionsFunctions;

/** Node's readable stream, by the way n8n's own types name it: nodes may not import built-ins. */
export type Readable = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

/** Where requests go and what must not be shown. */
export interface Connection extends Redaction {
	credential: string;
	baseUrl: string;
}

/** Reads a credential; throws before anything is sent if its base URL is not usable. */
export async function readConnection(
	context: HttpContext,
	credential: string,
): Promise<Connection> {
	const { baseUrl: typed, apiKey } = await context.getCredentials(credential);
	const baseUrl = toBaseUrl(typed);
	if (!baseUrl) {
		throw new NodeOperationError(
			context.getNode(),
			'The Base URL in the credential is not a web address',
			{ description: 'Open the credential and enter an address such as https://api.example.com' },
		);
	}
	return { credential, baseUrl, ...createRedaction(String(apiKey ?? '').trim()) };
}

/**
 * The one place that calls n8n's HTTP helper for JSON and text answers. Any status is an answer:
 * n8n's own handling would send a request with status 401 a second time and replace the words of
 * the service. Redirects are not followed, since the key would go along to another host.
 */
export function createSend(context: HttpContext, connection: Connection): Send {
	const { credential, baseUrl, redact } = connection;
	return async ({ method, path, body, timeoutMs = ANSWER_TIMEOUT_MS, signal }) => {
		const options: IHttpRequestOptions = {
			method,
			url: `${baseUrl}${path}`,
			headers: { Accept: 'application/json' },
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
		};
		if (body) {
			options.headers = { ...options.headers, 'Content-Type': 'application/json' };
			options.body = body;
		}
		const answer = await request(withSignal(context, signal), credential, options);
		if (isNetworkFault(answer)) return answer;
		const { statusCode, headers, body: text } = answer;
		return {
			status: statusCode,
			headers: headers as Record<string, string>,
			body: redact(typeof text === 'string' ? text : JSON.stringify(text ?? '')),
		};
	};
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
	context: IExecuteFunctions,
	credential: string | undefined,
	url: string,
	{ timeoutMs, signal, headers, body }: StreamOptions,
): Promise<StreamAnswer | NetworkFault> {
	const answer = await request(withSignal(context, signal), credential, {
		method: body ? 'POST' : 'GET',
		url,
		// n8n writes the key into the object that it is given: the next request must not share it.
		headers: { ...headers },
		...(body && { body }),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		// A last resort: where it fires, the client of n8n 1 leaves the socket open. The signal does not.
		timeout: 2 * timeoutMs,
		abortSignal: signal,
	});
	if (isNetworkFault(answer)) return answer;
	const stream = answer.body as Readable;
	// An aborted stream emits an error even where nobody reads it any more.
	stream.on('error', () => {});
	return {
		status: answer.statusCode,
		headers: answer.headers as Record<string, string>,
		stream,
	};
}

async function request(
	context: HttpContext,
	credential: string | undefined,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse | NetworkFault> {
	try {
		if (credential === undefined) return await context.helpers.httpRequest(options);
		return await context.helpers.httpRequestWithAuthentication.call(context, credential, options);
	} catch (error) {
		return toNetworkFault(error);
	}
}
