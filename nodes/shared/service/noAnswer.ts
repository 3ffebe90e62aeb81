import { inMegabytes, TOO_LARGE } from './answerLimit';
import { CREDENTIAL_CHANGED } from './credentialReading';

/** The request got no whole answer. */
export interface NoAnswer {
	network: 'notSent' | 'unclear' | 'canceled';
	/** The operating system's or the HTTP client's word, such as `ECONNREFUSED`. */
	code: string;
	/** One sentence for a person. */
	message: string;
	/** What had come of the answer. */
	begin?: string;
}

export const isNoAnswer = (answer: object): answer is NoAnswer => 'network' in answer;

export const TIMED_OUT: NoAnswer = {
	network: 'unclear',
	code: 'ETIMEDOUT',
	message: 'The service did not answer in time',
};

export const STOPPED: NoAnswer = {
	network: 'canceled',
	code: 'ERR_CANCELED',
	message: 'The request was stopped',
};

export const tooLarge = (maxBytes: number): NoAnswer => ({
	network: 'unclear',
	code: TOO_LARGE,
	message: `The answer from the service is larger than the ${inMegabytes(maxBytes)} that it can be here`,
});

/** Codes of what comes before a request is sent: the service cannot have acted on it. */
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

/** Codes of that after which nobody knows whether the service has acted. */
const UNCLEAR: Record<string, string> = {
	ECONNABORTED: TIMED_OUT.message,
	ETIMEDOUT: TIMED_OUT.message,
	ECONNRESET: 'The connection was cut before the answer was complete',
	EPIPE: 'The connection was cut while the request was being sent',
	ERR_BAD_RESPONSE: INCOMPLETE,
	Z_BUF_ERROR: INCOMPLETE,
	Z_DATA_ERROR: 'The answer from the service cannot be decompressed',
};

/** Turns what n8n's HTTP helper threw (a NodeApiError around an axios error) into its code and a sentence. */
export function toNoAnswer(error: unknown): NoAnswer {
	const code = findCode(error);
	if (code === STOPPED.code) return STOPPED;
	// Some codes also come on a connection that has carried the request already.
	const network = wasConnected(error) ? 'unclear' : 'notSent';
	if (Object.hasOwn(NOT_SENT, code)) return { network, code, message: NOT_SENT[code] };
	return { network: 'unclear', code, message: UNCLEAR[code] ?? 'The service gave no answer' };
}

/** Node.js names the call that went wrong: reading and writing come after connecting. */
const wasConnected = (error: unknown) =>
	causes(error).some(({ syscall }) => syscall === 'read' || syscall === 'write');

/**
 * Looks for a system code in the error and its causes. n8n 1 drops the cause of a NodeApiError; its
 * `httpCode` then holds the code.
 */
function findCode(error: unknown): string {
	const codes = causes(error).flatMap(({ code, httpCode }) => [code, httpCode]);
	return codes.find(isSystemCode) ?? 'UNKNOWN';
}

/** The error, its cause, and so on. */
function causes(error: unknown): Array<Record<string, unknown>> {
	const found: Array<Record<string, unknown>> = [];
	let current = error;
	for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
		found.push(current as Record<string, unknown>);
		current = (current as Record<string, unknown>).cause;
	}
	return found;
}

const isSystemCode = (code: unknown): code is string =>
	typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code);
