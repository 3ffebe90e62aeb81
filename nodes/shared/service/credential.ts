import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CREDENTIAL_CHANGED, UNSENDABLE_KEY } from './http';
import { toKey } from './redact';
import { originOf } from './serviceWords';

/** Matches the end of a path that people copy although the node adds it. */
const TYPED_END = /(\/v1(beta)?(\/(video\/generations|videos|models|chat\/completions))?)?\/*$/;

/**
 * Returns `scheme://host[:port][/path]` of a typed base URL; `undefined` if it is no address. A `/v1`
 * inside stays: https://gateway.ai.cloudflare.com/v1/ACCOUNT/GATEWAY/google-ai-studio is Cloudflare's.
 */
export function toBaseUrl(typed: unknown): string | undefined {
	const url = toHttpUrl(typed);
	if (!url || url.search || url.hash) return undefined;
	return url.origin + url.pathname.replace(TYPED_END, '');
}

/** Parses an absolute http(s) URL; returns `undefined` for everything else. */
export function toHttpUrl(value: unknown): URL | undefined {
	if (typeof value !== 'string' || !/^https?:\/\//i.test(value.trim())) return undefined;
	return URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
}

/** Encodes a name as one segment of a path; half a character (a lone surrogate) has no encoding. */
export const toPathSegment = (name: string): string =>
	encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD'));

export const NOT_AN_ADDRESS = 'The Base URL in the credential is not a web address';
export const HOW_TO_ENTER_IT =
	'Enter it with its scheme, such as https://api.example.com or http://gateway.example.com:3000';

/** Matches a key that a header can carry: n8n drops every other character without a word. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Throws unless a request may carry the key: n8n reads the credential anew for each request, and
 * somebody may have edited its Base URL since the address was made.
 *
 * @throws an error in words, with a code of `NOT_SENT`
 */
export function checkRequest(
	{ baseUrl, apiKey, keyLocation }: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions & { uri?: unknown },
): void {
	if (keyLocation !== 'query' && !SENDABLE.test(toKey(String(apiKey)))) {
		const message =
			'The API key contains a character that cannot be sent in a header. Copy the key again.';
		throw Object.assign(new Error(message), { code: UNSENDABLE_KEY });
	}
	const home = originOf(toBaseUrl(baseUrl));
	// The HTTP Request node uses `uri`.
	const target = originOf(String(request.url || request.uri || ''), request.baseURL || undefined);
	if (home !== undefined && target === home) return;
	const message =
		home === undefined
			? `${NOT_AN_ADDRESS}. ${HOW_TO_ENTER_IT}`
			: `The API key is only sent to the Base URL of its credential, ${home}`;
	throw Object.assign(new Error(message), { code: CREDENTIAL_CHANGED });
}

/** What of a request carries the key. */
export type WithKey = Pick<IHttpRequestOptions, 'headers' | 'qs'>;

/** Returns what carries the key to video services. */
export const toBearer = ({ apiKey }: ICredentialDataDecryptedObject): WithKey => ({
	headers: { Authorization: `Bearer ${toKey(String(apiKey ?? ''))}` },
});

/** Returns what carries the key to text services. */
export function toNativeKey(credentials: ICredentialDataDecryptedObject): WithKey {
	const { apiKey, keyLocation, headerName } = credentials;
	const key = String(apiKey ?? '').trim();
	if (keyLocation === 'query') return { qs: { key } };
	return { headers: { [String(headerName ?? '').trim() || 'x-goog-api-key']: key } };
}
