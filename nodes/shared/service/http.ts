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
import { CREDENTIAL_CHANGED, withMark } from './credential';

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
export interface StreamAnswer {
	status: number;
	headers: Record<string, string>;
	stream: Readable;
}

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

/** Bytes of an answer, after decompression, that may be held in memory, by kind of answer. */
export const MAX_RECORD_BYTES = 1024 ** 2;
export const MAX_LISTING_BYTES = 4 * 1024 ** 2;
/** Answers of the text protocol hold files: a picture of 4096 pixels is 30 MB as base64. */
export const MAX_TEXT_BYTES = 64 * 1024 ** 2;

/** The code of an answer that was given up because of its size. */
export const TOO_LARGE = 'ANSWER_TOO_LARGE';

export const answerTooLarge = (maxBytes: number): NoAnswer => ({
	network: 'unclear',
	code: TOO_LARGE,
	message: `The answer from the service is larger than the ${Math.round(maxBytes / 1024 ** 2)} MB that it can be here`,
});

/**
 * The most `[`, `{` and `"` in an answer; each list, object or text has at least one. Three bytes
 * of "[]," become forty in memory, so an answer's length says little about the memory it takes.
 * Long texts and files have few of these characters.
 */
const MAX_PARTS = 2_000_000;
const [LIST, OBJECT, TEXT] = Buffer.from('[{"');

/**
 * Returns a function that counts an answer's bytes; it returns `false` when they are more than may
 * be held.
 */
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

/** The bytes per second of a slow line: half a megabit. */
const BYTES_PER_SECOND = 64 * 1024;
/** A body of this size takes next to no time to send, compared with the time-outs of this package. */
const SMALL_BYTES = 1024 ** 2;

/** Returns how many milliseconds a body may take to send over a slow line; files make this long. */
export const uploadMs = (body: unknown): number =>
	Math.ceil((Math.max(0, textLength(body) - SMALL_BYTES) / BYTES_PER_SECOND) * 1000);

/** Returns the characters of all texts in a body. Files are base64, so texts are nearly all of it. */
export function textLength(body: unknown): number {
	let length = 0;
	const open = [body];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') length += value.length;
		else if (typeof value === 'object' && value !== null) {
			// Pushes one by one: spreading a long list into arguments overflows the stack.
			for (const inner of Object.values(value)) open.push(inner);
		}
	}
	return length;
}

/** The credential whose key a request carries, and the mark of the reading that gave its address. */
export interface Key {
	credential: string;
	mark: string;
}

export interface StreamOptions {
	/** The caller's `signal` fires after this many milliseconds without an answer. */
	timeoutMs: number;
	/** Ends the request and, later, the stream with its socket; also fires on Stop. */
	signal: AbortSignal;
	headers?: Record<string, string>;
	/** Makes the request a POST. */
	body?: IDataObject;
}

/** Opens a stream; sends no key if `key` is undefined. */
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
		// A last resort: when it fires, n8n 1's client leaves the socket open. The signal closes it.
		timeout: 2 * timeoutMs,
	};
	const answer = await send(context, key, options, signal);
	if (isNoAnswer(answer)) return answer;
	const stream = answer.body as Readable;
	ignoreErrors(stream);
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
	/** Ends the request instead of n8n's own signal, which fires the moment somebody stops the run. */
	signal?: AbortSignal;
}

/** Sends a request and reads its answer into memory, as far as the limits allow. */
export async function request(
	context: HttpContext,
	key: Key,
	options: IHttpRequestOptions,
	{ totalMs, maxBytes, signal: given }: RequestLimits,
): Promise<ServiceAnswer | NoAnswer> {
	const stop = given ?? runSignalOf(context);
	const end = new AbortController();
	const signal = stop ? AbortSignal.any([stop, end.signal]) : end.signal;
	const limit = createTimeLimit(totalMs, () => end.abort());
	const chunks: Uint8Array[] = [];
	const ask = async () => {
		const answer = await send(context, key, options, signal);
		return isNoAnswer(answer) ? answer : await readWhole(answer, maxBytes, chunks);
	};
	try {
		const answer = (await limit.within(ask())) ?? TIMED_OUT;
		if (!isNoAnswer(answer)) return answer;
		const reason = stop?.aborted ? CANCELED : limit.isUp() ? TIMED_OUT : answer;
		if (chunks.length === 0) return reason;
		// Half an answer may hold what a person looks for; the size of a record is enough of it.
		const begin = Buffer.concat(chunks).subarray(0, MAX_RECORD_BYTES);
		return { ...reason, begin: new TextDecoder().decode(begin) };
	} finally {
		limit.close();
		// n8n 2 wraps the stream, so destroying it closes nothing; the signal closes the socket.
		end.abort();
	}
}

/**
 * Reads a body as text. If a body with a status of 300 or more exceeds the limit, takes its
 * beginning: the status says enough.
 */
async function readWhole(
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	maxBytes: number,
	chunks: Uint8Array[],
): Promise<ServiceAnswer | NoAnswer> {
	const isWithin = createAnswerLimit(maxBytes);
	try {
		for await (const chunk of toPieces(body)) {
			if (!isWithin(chunk as Uint8Array)) {
				if (status < 300) return answerTooLarge(maxBytes);
				break;
			}
			chunks.push(chunk as Uint8Array);
		}
	} catch (error) {
		return toNoAnswer(error);
	}
	const text = new TextDecoder().decode(Buffer.concat(chunks));
	return { status, headers: headers as Record<string, string>, body: text };
}

/** n8n's evaluations answer instead of the service, with what they hold in memory. */
function toPieces(body: unknown): AsyncIterable<unknown> | Uint8Array[] {
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) {
		return [Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''))];
	}
	ignoreErrors(body as Readable);
	return body as Readable;
}

/** An aborted stream emits an error even if nobody reads it any more. */
const ignoreErrors = (stream: Readable) => void stream.on('error', () => {});

const runSignalOf = (context: HttpContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** n8n's client drops fields with these names, at any depth, but does not look for them in a text. */
const LOST_NAMES = /"(?:__proto__|constructor|prototype)":/;

/**
 * The only function that calls n8n's HTTP helper. Any status counts as an answer: n8n's own
 * handling would send a request with status 401 a second time and replace the service's words.
 * Redirects are not followed, because the key would go to another host. Bodies come as streams,
 * because the helper has no limit on what it reads into memory.
 */
async function send(
	context: HttpContext,
	key: Key | undefined,
	options: IHttpRequestOptions,
	given: AbortSignal,
): Promise<IN8nHttpFullResponse | NoAnswer> {
	// Each request has its own signal: Node.js warns of a leak if many listen to the same one.
	const signal = AbortSignal.any([given]);
	// n8n's helper takes its signal only from the context that it is called with.
	const caller = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as HttpContext;
	const whole: IHttpRequestOptions = {
		...options,
		abortSignal: given,
		// n8n writes the key into the object it is given, so the next request must not share it.
		headers: key ? withMark(options.headers, key.mark) : { ...options.headers },
		encoding: 'stream',
		timeout: Math.min(options.timeout ?? MAX_TIMER_MS, MAX_TIMER_MS),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		const json = isObject(whole.body) ? JSON.stringify(whole.body) : '';
		if (LOST_NAMES.test(json)) {
			whole.body = json;
			whole.headers = { ...whole.headers, 'Content-Type': 'application/json' };
		}
		if (key === undefined) return await caller.helpers.httpRequest(whole);
		const { credential } = key;
		return await caller.helpers.httpRequestWithAuthentication.call(caller, credential, whole);
	} catch (error) {
		return toNoAnswer(error);
	}
}

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
	ERR_INVALID_CHAR: 'The API key contains a character that cannot be sent in a header',
};

const INCOMPLETE = 'The answer from the service is incomplete';

/** Codes of errors after which nobody knows whether the service has acted. */
const UNCLEAR: Record<string, string> = {
	ECONNABORTED: TIMED_OUT.message,
	ETIMEDOUT: TIMED_OUT.message,
	ECONNRESET: 'The connection was cut before the answer was complete',
	EPIPE: 'The connection was cut while the request was being sent',
	ERR_BAD_RESPONSE: INCOMPLETE,
	Z_BUF_ERROR: INCOMPLETE,
	Z_DATA_ERROR: 'The answer from the service cannot be decompressed',
};

/**
 * Turns an error of n8n's HTTP helper (a NodeApiError around an axios error) into its code and a
 * sentence. n8n 1 drops the cause of a NodeApiError; its `httpCode` then holds the code.
 */
export function toNoAnswer(error: unknown): NoAnswer {
	const causes: Array<Record<string, unknown>> = [];
	let cause = error;
	for (let depth = 0; depth < 5 && typeof cause === 'object' && cause !== null; depth++) {
		causes.push(cause as Record<string, unknown>);
		cause = (cause as Record<string, unknown>).cause;
	}
	const isSystemCode = (one: unknown): one is string =>
		typeof one === 'string' && /^[A-Z][A-Z0-9_]+$/.test(one);
	const codes = causes.flatMap(({ code, httpCode }) => [code, httpCode]);
	const code = codes.find(isSystemCode) ?? 'UNKNOWN';
	if (code === CANCELED.code) return CANCELED;
	// Some of these codes also occur after the request was sent. Node.js names the system call that
	// failed; reading and writing come after connecting.
	// n8n 1 drops the cause and keeps its message, such as "read EHOSTUNREACH".
	const wasConnected = causes.some(
		({ syscall, message, messages }) =>
			syscall === 'read' ||
			syscall === 'write' ||
			[message, messages].flat().some((said) => /\b(?:read|write) E[A-Z]/.test(String(said))),
	);
	const network = wasConnected ? 'unclear' : 'notSent';
	if (Object.hasOwn(NOT_SENT, code)) return { network, code, message: NOT_SENT[code] };
	return { network: 'unclear', code, message: UNCLEAR[code] ?? 'The service gave no answer' };
}
