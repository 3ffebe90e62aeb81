import type {
	IAuthenticateRuleResponseCode,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { CREDENTIAL_CHANGED, REDIRECTS, UNSENDABLE_KEY } from './http';
import { mayPass } from './later';
import { isTellable, toKey } from './redact';
import { originOf, STATUS_MESSAGES } from './serviceWords';

/** Matches the end that people type although the node adds it: `/v1` or `/v1beta`, and all behind. */
const TYPED_TAIL = /((?<!:\/)\/v1(beta)?(\/.*)?)?\/*$/;

/** Matches the place of a missing `http://`: before private addresses, which have no certificates. */
const MISSING_HTTP =
	/^(?=(localhost|(127|10)(\.\d{1,3}){3}|(192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2})(:\d+)?(\/|$))/i;

/**
 * Matches the place of a missing `https://`: before a host name with a top-level domain or an IPv4
 * address, but not before a key in the wrong field, which would be looked up as a host.
 */
const MISSING_HTTPS = /^(?=(([a-z\d-]+\.)+[a-z]{2,24}|\d{1,3}(\.\d{1,3}){3})(:\d+)?(\/|$))/i;

/** Cleans up a base URL like `toBaseUrl`, for credential tests: they take an expression. */
export const BASE_URL_EXPRESSION = `={{ $credentials.baseUrl.trim().replace(${MISSING_HTTP.toString()}, 'http://').replace(${MISSING_HTTPS.toString()}, 'https://').replace(${TYPED_TAIL.toString()}, '') }}`;

/** Returns `scheme://host[:port][/path]` of a typed base URL; `undefined` if it is no address. */
export function toBaseUrl(typed: unknown): string | undefined {
	if (typeof typed !== 'string' || typed.length > 2_048) return undefined;
	const trimmed = typed.trim().replace(MISSING_HTTP, 'http://').replace(MISSING_HTTPS, 'https://');
	const url = toHttpUrl(trimmed);
	if (!url || url.search || url.hash) return undefined;
	return trimmed.replace(TYPED_TAIL, '');
}

/** Parses an absolute http(s) URL; returns `undefined` for everything else. */
export function toHttpUrl(value: unknown): URL | undefined {
	if (typeof value !== 'string' || !/^https?:\/\//i.test(value.trim())) return undefined;
	try {
		return new URL(value.trim());
	} catch {
		return undefined;
	}
}

/**
 * Encodes a name as one segment of a path. A lone surrogate has no encoding, so it is replaced. One
 * or two dots, even encoded, would mean another path, so they are encoded twice.
 */
export function toPathSegment(name: string): string {
	const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD'));
	return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded;
}

export const NOT_AN_ADDRESS = 'The Base URL in the credential is not a web address';
export const HOW_TO_ENTER_IT =
	'Enter it with its scheme, such as https://api.example.com or http://gateway.example.com:3000';

/** Tells `authenticate` which reading of the credential a request is made for; never leaves n8n. */
const MARK = 'x-credential-reading';

/** Returns a header that tells readings of a credential apart, whichever field was edited. */
export const toMark = (credentials: ICredentialDataDecryptedObject): Record<string, string> => ({
	[MARK]: createHash('sha256')
		.update(JSON.stringify(Object.entries(credentials).sort()))
		.digest('hex'),
});

/** A made-up model, which only the credential's test asks for. */
export const TEXT_PROBE = '/v1beta/models/credential-test:generateContent';

/**
 * Throws if the key is so short that it may occur in items and logs by chance, and so cannot be hidden
 * there. For credential tests: requests of nodes still go out, as an odd key is better than none.
 */
export function checkKeyLength(apiKey: unknown): void {
	if (isTellable(toKey(String(apiKey ?? '')))) return;
	throw new Error(
		'The API key is too short to be hidden in items and logs: it needs 8 characters, or 16 if all are digits. Check that it was copied completely.',
	);
}

/** Matches a key that a header can carry: n8n drops every other character without a word. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Returns the request if it may carry the key. n8n reads the credential anew for each request: if
 * somebody edited it since the address was made, the old host would get the new key.
 *
 * @throws an error in words; for a request of a node, also with a code of `NOT_SENT`
 */
export function forKeyOf(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions & { uri?: unknown },
): IHttpRequestOptions {
	if (String(request.url).endsWith(TEXT_PROBE)) checkKeyLength(credentials.apiKey);
	const { [MARK]: mark, ...headers } = request.headers ?? {};
	// A credential test shows an error's code instead of its words, if it has a code.
	const toError = (words: string, code: string) =>
		Object.assign(new Error(words), mark !== undefined && { code });
	if (credentials.keyLocation !== 'query' && !SENDABLE.test(toKey(String(credentials.apiKey)))) {
		throw toError(
			'The API key contains a character that cannot be sent in a header. Copy the key again.',
			UNSENDABLE_KEY,
		);
	}
	const isSameReading = mark === undefined || mark === toMark(credentials)[MARK];
	const home = originOf(toBaseUrl(credentials.baseUrl));
	// The HTTP Request node uses `uri`; a credential test, `baseURL` and a path.
	const target = originOf(String(request.url || request.uri || ''), request.baseURL || undefined);
	if (home !== undefined && isSameReading && target === home) return { ...request, headers };
	const words =
		home === undefined
			? `${NOT_AN_ADDRESS}. ${HOW_TO_ENTER_IT}`
			: `The API key is only sent to the Base URL of its credential, ${home}`;
	throw toError(words, CREDENTIAL_CHANGED);
}

/** Returns the header that carries the key to video services. */
export const toBearer = ({ apiKey }: ICredentialDataDecryptedObject) => ({
	Authorization: `Bearer ${toKey(String(apiKey ?? ''))}`,
});

const NO_SERVICE_HERE =
	'The service was not found at this Base URL. Check the address: scheme, host and path, without /v1.';
export const WEB_PAGE =
	'The Base URL answers with a web page, not with the API of the service. Check the address.';

const REDIRECTED = 'The Base URL redirects elsewhere. Enter the address it redirects to.';

/** Statuses that mean "no" in a credential test, whatever the probe asks for. */
const REFUSALS: Array<[status: number, message: string]> = [
	...REDIRECTS.map((status): [number, string] => [status, REDIRECTED]),
	[405, NO_SERVICE_HERE],
	...[401, 403, 429, 500, 502, 504].map((status): [number, string] => [
		status,
		`${STATUS_MESSAGES[status]} (HTTP ${status}).${mayPass('check', status) ? ' Try again later.' : ''}`,
	]),
];

/**
 * n8n counts every status outside 2xx as a failed test. If all is well, a probe with a made-up
 * model gets 400, 404 or 503, so only the statuses above fail. n8n 1 then ignores all of them, and
 * only the body counts.
 */
export const PROBE_STATUS_ERRORS = {
	ignore: true as const,
	except: REFUSALS.map(([status]) => status),
};

const bodyRule = (key: string, value: unknown, message: string) =>
	({ type: 'responseSuccessBody', properties: { key, value, message } }) as never;

/**
 * Rules of a credential's test. n8n's type wants one kind of rule per list; its code takes
 * both. Body rules compare one field with one value: a page is a string, and key `0` of a string is
 * its first character; an empty answer has length 0. The last rule matches the gateway's answer to
 * a path that it does not have.
 */
export const ANSWER_RULES: IAuthenticateRuleResponseCode[] = [
	...REFUSALS.map(([value, message]) => ({
		type: 'responseCode' as const,
		properties: { value, message },
	})),
	...['<', '\n', '\r', ' '].map((start) => bodyRule('0', start, WEB_PAGE)),
	bodyRule('length', 0, NO_SERVICE_HERE),
	bodyRule('error.type', 'invalid_request_error', NO_SERVICE_HERE),
];
