/**
 * What people type behind the host and what the node adds by itself: a version prefix with
 * anything behind it, and trailing slashes. `https://host/proxy/v1/` means `https://host/proxy`.
 */
const TYPED_TAIL = /(\/v1(beta)?(\/.*)?)?\/*$/;

/**
 * Where `http://` is missing: before this machine and addresses of private networks, which have no
 * certificates. Nothing leaves such a network without encryption unless a person says so.
 */
const MISSING_HTTP =
	/^(?=(localhost|(127|10)(\.\d{1,3}){3}|(192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2})(:\d+)?(\/|$))/i;

/**
 * Where `https://` is missing: before a host name with a top level domain, and before any other IPv4
 * address. Nothing else is taken for an address, least of all a key in the wrong field, which would
 * be asked for as a host: some have a colon in the middle.
 */
const MISSING_HTTPS = /^(?=(([a-z\d-]+\.)+[a-z]{2,24}|\d{1,3}(\.\d{1,3}){3})(:\d+)?(\/|$))/i;

/** Of a base URL; browsers take no longer ones. */
const MAX_CHARS = 2_048;

/** The same clean-up as an n8n expression, for the credential tests, which run without code. */
export const BASE_URL_EXPRESSION = `={{ $credentials.baseUrl.trim().replace(${MISSING_HTTP.toString()}, 'http://').replace(${MISSING_HTTPS.toString()}, 'https://').replace(${TYPED_TAIL.toString()}, '') }}`;

/**
 * Turns a typed base URL into `scheme://host[:port][/path]` without a trailing slash.
 * Returns `undefined` for what is no http(s) address.
 */
export function toBaseUrl(typed: unknown): string | undefined {
	if (typeof typed !== 'string' || typed.length > MAX_CHARS) return undefined;
	const trimmed = typed.trim().replace(MISSING_HTTP, 'http://').replace(MISSING_HTTPS, 'https://');
	const url = toHttpUrl(trimmed);
	if (!url || url.search || url.hash) return undefined;
	return trimmed.replace(TYPED_TAIL, '');
}

/** Parses an absolute http(s) URL; everything else is `undefined`. */
export function toHttpUrl(value: unknown): URL | undefined {
	if (typeof value !== 'string' || !/^https?:\/\//i.test(value.trim())) return undefined;
	try {
		return new URL(value.trim());
	} catch {
		return undefined;
	}
}

/**
 * A name as one part of a path. Half a surrogate pair has no encoding: no URL can hold it. Nor can
 * one hold a part of nothing but dots, encoded or not: it would mean another path. Encoded twice it
 * is a name that nobody has.
 */
export function toPathSegment(name: string): string {
	const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD'));
	return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded;
}
