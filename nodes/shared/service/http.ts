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

export type HttpContext = IExecuteFunctions | ILoadOptionsFunctions | ISupplyDataFunctions;

/** Node.js's readable stream, named through n8n's own types, because nodes may not import it. */
export type Readable = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

/** A whole answer, whatever its status; `body` is the raw text. */
export interface ServiceAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** An answer whose body is still on the wire. Whoever takes it reads it to the end or destroys it. */
export type StreamAnswer = Omit<ServiceAnswer, 'body'> & { stream: Readable };

/** The request got no whole answer. */
export interface NoAnswer {
	network: 'notSent' | 'unclear' | 'canceled';
	/** The code of the operating system or the HTTP client, such as `ECONNREFUSED`. */
	code: string;
	/** One sentence for a person. */
	message: string;
	/** The part of the answer that had come. */
	begin?: string;
}

export const isNoAnswer = (answer: object): answer is NoAnswer => 'network' in answer;

export const TIMED_OUT: NoAnswer = {
	network: 'unclear',
	code: 'ETIMEDOUT',
	message: 'The service did not answer in time',
};

export const CANCELED: NoAnswer = {
	network: 'canceled',
	code: 'ERR_CANCELED',
	message: 'The request was stopped',
};

/** The most bytes of a record's answer that are held in memory, counted after decompression. */
export const MAX_RECORD_BYTES = 1024 ** 2;
/** Answers of the text protocol hold files: a picture of 4096 pixels is 30 MB as base64. */
export const MAX_TEXT_BYTES = 64 * 1024 ** 2;

export const TOO_LARGE = 'ANSWER_TOO_LARGE';

export const answerTooLarge = (maxBytes: number): NoAnswer => ({
	network: 'unclear',
	code: TOO_LARGE,
	message: `The answer from the service is larger than the ${Math.round(maxBytes / 1024 ** 2)} MB that it can be here`,
});

/**
 * The most `[`, `{` and `"` in an answer; each list, object or text has at least one. Three bytes
 * of "[]," become forty in memory, so an answer's length says little about the memory it takes.
 */
const MAX_PARTS = 2_000_000;
const [LIST, OBJECT, TEXT] = Buffer.from('[{"');

/** Returns a function that counts an answer's bytes, and says whether it may still be held. */
export function createAnswerLimit(maxBytes: number): (bytes: Uint8Array) => boolean {
	let size = 0;
	let parts = 0;
	return (bytes) => {
		size += bytes.length;
		if (size > maxBytes) return false;
		for (const byte of bytes) if (byte === TEXT || byte === LIST || byte === OBJECT) parts++;
		return parts <= MAX_PARTS;
	};
}

/** Returns how many milliseconds a body may take to send: a second per 64 KB after the first MB. */
export const uploadMs = (json = ''): number =>
	Math.ceil((Math.max(0, json.length - 1024 ** 2) / (64 * 1024)) * 1000);

/** The credential whose key a request carries; `headers` tell which reading of it that is. */
export type Key = { credential: string; headers: Record<string, string> };

/** One request to the service; a body makes it a POST. */
export interface ServiceRequest {
	/** Starts with `/` and is already URL-encoded. */
	path: string;
	body?: IDataObject;
	/** The most milliseconds for the whole request, not counting the time to send a large body. */
	timeoutMs: number;
	/** The most milliseconds for everything, the body included, if that is less. */
	limitMs?: number;
	/** The most bytes of the answer, counted after decompression. */
	maxBytes: number;
	/** Ends the request instead of n8n's own signal, which fires the moment somebody stops the run. */
	signal?: AbortSignal;
}

/** Sends a request with a key and reads its answer into memory, as far as the limits allow. */
export async function request(
	context: HttpContext,
	baseUrl: string,
	key: Key,
	{ path, body, timeoutMs, limitMs = Infinity, maxBytes, signal }: ServiceRequest,
): Promise<ServiceAnswer | NoAnswer> {
	const run = context as Partial<IExecuteFunctions>;
	const stop = signal ?? run.getExecutionCancelSignal?.();
	const json = body && JSON.stringify(body);
	const limit = createTimeLimit(Math.min(timeoutMs + uploadMs(json), limitMs), stop);
	const chunks: Uint8Array[] = [];
	const ask = async () => {
		const headers = { Accept: 'application/json' };
		const options = { url: baseUrl + path, headers, json, timeout: timeoutMs };
		const answer = await openAnswer(context, key, options, limit.signal);
		return isNoAnswer(answer) ? answer : await readWhole(answer, maxBytes, chunks);
	};
	try {
		const answer = (await limit.within(ask())) ?? TIMED_OUT;
		if (!isNoAnswer(answer)) return answer;
		const ended = limit.isUp() ? TIMED_OUT : answer;
		const reason = stop?.aborted ? CANCELED : ended;
		if (chunks.length === 0) return reason;
		// Part of an answer may hold what a person looks for, such as a task ID; one MB of it is enough.
		const begin = Buffer.concat(chunks).subarray(0, MAX_RECORD_BYTES);
		return { ...reason, begin: new TextDecoder().decode(begin) };
	} finally {
		limit.close();
	}
}

/**
 * Reads a body as text, and adds its bytes to `chunks` as they come. If the body is over the limit,
 * its beginning is enough for a status that says no; with any other, there is no answer.
 */
export async function readWhole(
	{ status, headers, stream }: StreamAnswer,
	maxBytes: number,
	chunks: Uint8Array[],
): Promise<ServiceAnswer | NoAnswer> {
	const isWithin = createAnswerLimit(maxBytes);
	try {
		for await (const chunk of stream as AsyncIterable<Uint8Array>) {
			if (!isWithin(chunk)) {
				if (status < 300) return answerTooLarge(maxBytes);
				break;
			}
			chunks.push(chunk);
		}
	} catch (error) {
		return toNoAnswer(error);
	}
	return { status, headers, body: new TextDecoder().decode(Buffer.concat(chunks)) };
}

/**
 * The only function that calls n8n's HTTP helper. Any status counts as an answer: n8n's own
 * handling would send a request with status 401 a second time and replace the service's words.
 * Redirects are not followed, because the key would go to another host. Bodies come as streams,
 * because the helper has no limit on what it reads into memory.
 *
 * @param key `undefined` to send none
 * @param given ends the request and, later, the stream with its socket
 */
export async function openAnswer(
	context: HttpContext,
	key: Key | undefined,
	options: { url: string; headers?: Record<string, string>; json?: string; timeout: number },
	given: AbortSignal,
): Promise<StreamAnswer | NoAnswer> {
	// Each request has its own signal: Node.js warns of a leak if many listen to the same one.
	const signal = AbortSignal.any([given]);
	// n8n's helper takes its signal only from the context that it is called with.
	const caller = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as HttpContext;
	const { url, headers, json, timeout } = options;
	const asked: IHttpRequestOptions = {
		method: json === undefined ? 'GET' : 'POST',
		url,
		// n8n writes the key into the object it is given, so the next request must not share it.
		headers: { ...headers, ...key?.headers },
		abortSignal: given,
		encoding: 'stream',
		// When this time is up, n8n 1's client leaves the socket open; the signal closes it.
		timeout: Math.min(timeout, MAX_TIMER_MS),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	if (json !== undefined) {
		// Given an object, n8n's client would drop fields with names such as `constructor`.
		asked.body = json;
		asked.headers = { ...asked.headers, 'Content-Type': 'application/json' };
	}
	const { helpers } = caller;
	try {
		const answer = (
			key
				? await helpers.httpRequestWithAuthentication.call(caller, key.credential, asked)
				: await helpers.httpRequest(asked)
		) as IN8nHttpFullResponse;
		const stream = answer.body as Readable;
		// An aborted stream emits an error even if nobody reads it any more.
		stream.on('error', () => {});
		return { status: answer.statusCode, headers: answer.headers as Record<string, string>, stream };
	} catch (error) {
		return toNoAnswer(error);
	}
}

export const CREDENTIAL_CHANGED = 'ERR_CREDENTIAL_CHANGED';
/** Node's own code for a header that it refuses. */
export const UNSENDABLE_KEY = 'ERR_INVALID_CHAR';

/** Codes of errors before a request is sent: the service cannot have acted on it. */
const NOT_SENT: Record<string, string> = {
	EAI_AGAIN: 'The host name of the service cannot be looked up at the moment',
	ENOTFOUND: 'The host of the Base URL does not exist',
	ECONNREFUSED: 'Nothing answers at the Base URL: the connection was refused',
	EHOSTUNREACH: 'The host of the service cannot be reached',
	ENETUNREACH: 'The network of the service cannot be reached',
	CERT_HAS_EXPIRED: 'The certificate of the service has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the service is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the service is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the service cannot be verified',
	ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the service is for another host',
	EPROTO: 'The service does not use the scheme of the Base URL: check whether it is http or https',
	[CREDENTIAL_CHANGED]: 'The credential was changed while its API key was to be sent',
	ERR_INVALID_URL: 'The address of the request is not valid',
	[UNSENDABLE_KEY]: 'The API key contains a character that cannot be sent in a header',
};

/** Codes of errors after which nobody knows whether the service has acted. */
const UNCLEAR: Record<string, string> = {
	ECONNABORTED: TIMED_OUT.message,
	ETIMEDOUT: TIMED_OUT.message,
	ECONNRESET: 'The connection was cut before the answer was complete',
	EPIPE: 'The connection was cut while the request was being sent',
	ERR_BAD_RESPONSE: 'The answer from the service is incomplete',
	Z_BUF_ERROR: 'The answer from the service is incomplete',
	Z_DATA_ERROR: 'The answer from the service cannot be decompressed',
};

/**
 * Turns an error of n8n's HTTP helper (a NodeApiError around an axios error) into its code and a
 * sentence. n8n 1 drops the cause of a NodeApiError; its `httpCode` then holds the code.
 */
export function toNoAnswer(error: unknown): NoAnswer {
	const causes: IDataObject[] = [];
	for (let cause = error; isObject(cause) && causes.length < 5; cause = cause.cause) {
		causes.push(cause);
	}
	const code =
		causes
			.flatMap(({ code, httpCode }) => [code, httpCode])
			.find((one): one is string => /^[A-Z][A-Z0-9_]+$/.test(String(one))) ?? 'UNKNOWN';
	if (code === CANCELED.code) return CANCELED;
	// Some of these codes also occur after the request was sent. Node.js names the system call that
	// failed, and reading and writing come after connecting; n8n 1 keeps only the cause's message,
	// such as "read EHOSTUNREACH".
	const wasConnected = causes
		.flatMap(({ syscall, message, messages }) => [syscall, message, messages].flat())
		.some((said) => /^(?:read|write)$|\b(?:read|write) E[A-Z]/.test(String(said)));
	const network = code in NOT_SENT && !wasConnected ? 'notSent' : 'unclear';
	const message = NOT_SENT[code] ?? UNCLEAR[code] ?? 'The service gave no answer';
	return { network, code, message };
}
