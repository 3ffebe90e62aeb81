/**
 * What people type behind the host and what the node adds by itself: a version prefix with
 * anything behind it, and trailing slashes. `https://host/proxy/v1/` means `https://host/proxy`.
 */
export const TYPED_TAIL = /(\/v1(beta)?(\/.*)?)?\/*$/;

/** The same clean-up as an n8n expression, for the credential tests, which run without code. */
export const BASE_URL_EXPRESSION = `={{ $credentials.baseUrl.trim().replace(${TYPED_TAIL.toString()}, '') }}`;

/**
 * Turns a typed base URL into `scheme://host[:port][/path]` without a trailing slash.
 * Returns `undefined` for what is no http(s) address.
 */
export function toBaseUrl(typed: unknown): string | undefined {
	if (typeof typed !== 'string') return undefined;
	const trimmed = typed.trim();
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
