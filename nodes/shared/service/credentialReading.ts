import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { toBaseUrl } from './baseUrl';

/** The code of a request that was not sent because its key would have gone elsewhere. */
export const CREDENTIAL_CHANGED = 'ERR_CREDENTIAL_CHANGED';

export const NOT_AN_ADDRESS = 'The Base URL in the credential is not a web address';
export const HOW_TO_ENTER_IT =
	'Enter it with its scheme, such as https://api.example.com or http://gateway.example.com:3000';

/**
 * Carries from a node to `authenticate` which reading of the credential a request is made for; it
 * never leaves n8n.
 */
const MARK = 'x-credential-reading';

/** Tells readings of a credential apart, whatever a person has edited in between. */
export const toMark = (credentials: ICredentialDataDecryptedObject): string =>
	createHash('sha256')
		.update(JSON.stringify(Object.entries(credentials).sort()))
		.digest('hex');

export const withMark = (headers: IHttpRequestOptions['headers'], mark: string) => ({
	...headers,
	[MARK]: mark,
});

/**
 * A request that may carry the key of this reading. n8n reads the credential anew for each request,
 * while the address was made of an earlier reading: if somebody has edited it in between, the old
 * host would get the new key.
 *
 * @throws an error in words; for a request of a node, with the code `ERR_CREDENTIAL_CHANGED`
 */
export function forKeyOf(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const { [MARK]: mark, ...headers } = request.headers ?? {};
	const isSameReading = mark === undefined || mark === toMark(credentials);
	const home = originOf(toBaseUrl(credentials.baseUrl));
	if (home === undefined || !isSameReading || targetOf(request) !== home) {
		// The test of a credential shows a code in the place of the words, where an error has one.
		throw mark === undefined ? new Error(refusal(home)) : coded(refusal(home));
	}
	return { ...request, headers };
}

/** The HTTP Request node says `uri`, the test of a credential `baseURL` and a path. */
function targetOf(request: IHttpRequestOptions & { uri?: unknown }): string | undefined {
	const { url, uri, baseURL } = request;
	return originOf(String(url || uri || ''), baseURL || undefined);
}

function originOf(url: string | undefined, baseURL?: string): string | undefined {
	try {
		// Of two ways to read an address with both, the client takes the absolute one.
		return new URL(url ?? '', baseURL).origin;
	} catch {
		return undefined;
	}
}

const refusal = (home: string | undefined): string =>
	home === undefined
		? `${NOT_AN_ADDRESS}. ${HOW_TO_ENTER_IT}`
		: `The API key is only sent to the Base URL of its credential, ${home}`;

const coded = (message: string): Error =>
	Object.assign(new Error(message), { code: CREDENTIAL_CHANGED });
