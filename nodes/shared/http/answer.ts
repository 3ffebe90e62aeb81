import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../lib/json';

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
	/** The address is one that the service itself has, and nobody has typed. */
	isKnownAddress?: true;
}

export const isNoAnswer = (answer: object): answer is NoAnswer => 'network' in answer;

/** Returns whether an answer has one of some headers, by which services name themselves. */
export const hasHeader = (answer: ServiceAnswer | NoAnswer, ...names: string[]): boolean =>
	!isNoAnswer(answer) && names.some((name) => name in answer.headers);

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

/**
 * The most bytes of a record's answer that are held in memory, counted after decompression. Some services
 * repeat what they were sent in each record, pictures included.
 */
export const MAX_RECORD_BYTES = 16 * 1024 ** 2;
/** Of a request that brings a record, or shows something of the service. */
export const RECORD_LIMITS = { timeoutMs: 30_000, maxBytes: MAX_RECORD_BYTES };
/** Of answers that may have files in them: a picture of 4096 pixels is 30 MB as base64. */
export const MAX_BYTES_WITH_FILES = 64 * 1024 ** 2;

export const TOO_LARGE = 'ANSWER_TOO_LARGE';

export const answerTooLarge = (maxBytes: number): NoAnswer => ({
	network: 'unclear',
	code: TOO_LARGE,
	message: `The answer from the service is larger than the ${Math.round(maxBytes / 1024 ** 2)} MB that it can be here`,
});

/** Returns a function that counts an answer's bytes, and says whether it may still be held. */
export function createAnswerLimit(maxBytes: number): (bytes: Uint8Array) => boolean {
	let size = 0;
	return (bytes) => {
		size += bytes.length;
		return size <= maxBytes;
	};
}

/** Returns how many milliseconds a body may take to send: a second per 64 KB after the first MB. */
export const uploadMs = (bytes: number): number =>
	Math.ceil((Math.max(0, bytes - 1024 ** 2) / (64 * 1024)) * 1000);

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

export const CREDENTIAL_CHANGED = 'ERR_CREDENTIAL_CHANGED';
/** Node's own code for a header that it refuses. */
export const UNSENDABLE_KEY = 'ERR_INVALID_CHAR';

/**
 * Codes of errors before a request is sent: the service cannot have acted on it. People are told the
 * origin in place of "the address". The hosts of these may be back at the next try.
 */
const UNREACHABLE: Record<string, string> = {
	EAI_AGAIN: 'The host name of the service cannot be looked up at the moment',
	ENOTFOUND: 'n8n cannot reach the address: its host is not found',
	ECONNREFUSED: 'Nothing answers at the address: the connection was refused',
	EHOSTUNREACH: 'The host of the address cannot be reached',
	ENETUNREACH: 'The network of the address cannot be reached',
};
/** The same for what somebody has to change. */
const UNUSABLE: Record<string, string> = {
	CERT_HAS_EXPIRED: 'The certificate of the service has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the service is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the service is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the service cannot be verified',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate of the service cannot be verified',
	ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the service is for another host',
	EPROTO: 'The service does not use the scheme of the address: check whether it is http or https',
	[CREDENTIAL_CHANGED]: 'The credential has another address now, so its API key was not sent',
	ERR_INVALID_URL: 'The address of the request is not valid',
	[UNSENDABLE_KEY]: 'The API key contains a character that cannot be sent in a header',
	ERR_INVALID_HTTP_TOKEN: 'The Header Name contains a character that a header cannot have',
};
const NOT_SENT: Record<string, string> = { ...UNREACHABLE, ...UNUSABLE };

/** Returns whether the same request may get an answer later; an unusable address or key gets none. */
export const mayAnswer = ({ network, code }: NoAnswer): boolean =>
	network === 'notSent' ? code in UNREACHABLE : network === 'unclear';

/** OpenSSL's words for an answer that is not TLS: no request was sent. */
const OF_HANDSHAKE = /wrong version number|packet length too long/;

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
 * sentence.
 *
 * @param url where the request went; of it, only the origin is told
 */
export function toNoAnswer(error: unknown, url?: string): NoAnswer {
	const causes: IDataObject[] = [];
	for (let cause = error; isObject(cause) && causes.length < 5; cause = cause.cause) {
		causes.push(cause);
	}
	const code =
		causes
			.map((cause) => cause.code)
			.find((one): one is string => /^[A-Z][A-Z0-9_]+$/.test(String(one))) ?? 'UNKNOWN';
	if (code === CANCELED.code) return CANCELED;
	// Some of these codes also occur after the request was sent. Node.js names the system call that
	// failed, and reading and writing come after connecting.
	const wasConnected = causes.some(({ syscall }) => syscall === 'read' || syscall === 'write');
	const isHandshake = causes.some(({ message }) => OF_HANDSHAKE.test(String(message)));
	const network = code in NOT_SENT && (isHandshake || !wasConnected) ? 'notSent' : 'unclear';
	const words = NOT_SENT[code] ?? UNCLEAR[code] ?? 'The service gave no answer';
	const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : 'the address';
	return { network, code, message: words.replace('the address', () => origin) };
}
