import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CREDENTIAL_CHANGED, UNSENDABLE_KEY } from '../http/answer';
import { toKey } from '../http/redact';
import { originOf, toHttpUrl } from '../lib/url';
import { GOOGLE_KEY_HEADER } from './common';
import type { OwnPath, Service } from './contract';
import { serviceOf } from './list';

/** Matches the end of a path that people copy although the node adds it. */
const TYPED_END = /(\/v1(beta)?(\/(video\/generations|videos|models|chat\/completions))?)?\/*$/;

/**
 * Returns `scheme://host[:port][/path]` of a typed base URL; `undefined` if it is no address. A `/v1`
 * inside stays: https://gateway.ai.cloudflare.com/v1/ACCOUNT/GATEWAY/google-ai-studio is Cloudflare's.
 */
export const toBaseUrl = (typed: unknown): string | undefined => toAddress(typed, TYPED_END);

function toAddress(typed: unknown, end: RegExp): string | undefined {
	const url = toHttpUrl(typed);
	if (!url || url.search || url.hash) return undefined;
	return url.origin + url.pathname.replace(end, '');
}

/**
 * Returns the base URLs of a credential, that of submits first: the one that was typed, or the addresses of
 * the service that the credential names, unless a proxy stands before them.
 */
export function readBaseUrls(data: Record<string, unknown>): readonly string[] {
	const { origins } = serviceOf(data);
	if (!origins) {
		const typed = toBaseUrl(data.baseUrl);
		return typed === undefined ? [] : [typed];
	}
	if (String(data.proxyUrl ?? '').trim() === '') return origins;
	const proxy = toAddress(data.proxyUrl, /\/*$/);
	if (proxy === undefined) return [];
	// Its own host may have been typed, too, with any scheme and path.
	const isOwn = origins.some((origin) => new URL(origin).host === new URL(proxy).host);
	return isOwn ? origins : [proxy];
}

/** Returns the address of a path at the base URL, or at another address of the service. */
export function toOwnUrl(data: Record<string, unknown>, { path, origin }: OwnPath): string {
	const urls = readBaseUrls(data);
	return (urls.find((url) => url === origin) ?? urls[0]) + path;
}

/** Returns what makes a credential unusable, in words that name the field, and what to do. */
export function findFault(data: Record<string, unknown>): Service['fault'] {
	const { origins, fault } = serviceOf(data);
	if (readBaseUrls(data).length > 0) return fault;
	const field = origins ? 'Proxy URL' : 'Base URL';
	return [`The ${field} in the credential is not a web address`, HOW_TO_ENTER_IT];
}

const HOW_TO_ENTER_IT =
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
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions & { uri?: unknown },
): void {
	const { apiKey, keyLocation } = credentials;
	if (keyLocation !== 'query' && !SENDABLE.test(toKey(String(apiKey)))) {
		const message =
			'The API key contains a character that cannot be sent in a header. Copy the key again.';
		throw Object.assign(new Error(message), { code: UNSENDABLE_KEY });
	}
	const homes = readBaseUrls(credentials).map((url) => new URL(url).origin);
	// The HTTP Request node uses `uri`.
	const target = originOf(String(request.url || request.uri || ''), request.baseURL || undefined);
	if (target !== undefined && homes.includes(target)) return;
	const message =
		homes.length === 0
			? findFault(credentials)!.join('. ')
			: `The API key is only sent to the address of its credential, ${homes[0]}`;
	throw Object.assign(new Error(message), { code: CREDENTIAL_CHANGED });
}

/** What of a request carries the key. */
export type WithKey = Pick<IHttpRequestOptions, 'headers' | 'qs'>;

/** Returns what carries the key to video services. */
export function toVideoKey(credentials: ICredentialDataDecryptedObject): WithKey {
	return { headers: serviceOf(credentials).headers(toKey(String(credentials.apiKey ?? ''))) };
}

/** Returns what carries the key to text services. */
export function toNativeKey(credentials: ICredentialDataDecryptedObject): WithKey {
	const { apiKey, keyLocation, headerName } = credentials;
	const key = String(apiKey ?? '').trim();
	if (keyLocation === 'query') return { qs: { key } };
	return { headers: { [String(headerName ?? '').trim() || GOOGLE_KEY_HEADER]: key } };
}
