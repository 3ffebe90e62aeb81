/** The longest name of a host, as text (RFC 1035). */
const MAX_HOST_CHARS = 253;
/** In Node.js 20, the parser takes square time over a long host of other letters. */
const BEGIN = /^https?:\/\/[^/?#\\]{0,1000}(?:[/?#\\]|$)/i;

/** Parses an absolute http(s) URL; returns `undefined` for everything else. */
export function toHttpUrl(value: unknown): URL | undefined {
	if (typeof value !== 'string' || !BEGIN.test(value.trim())) return undefined;
	const url = URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
	return url && url.hostname.length <= MAX_HOST_CHARS ? url : undefined;
}

/** @param baseURL is overridden by an absolute URL, as in the HTTP client */
export function originOf(url: string | undefined, baseURL?: string): string | undefined {
	return URL.canParse(url ?? '', baseURL) ? new URL(url ?? '', baseURL).origin : undefined;
}

/** Returns the path of an address; '' if it is none. */
export const pathOf = (url: unknown): string => toHttpUrl(url)?.pathname ?? '';

/** Returns the host and the path of an address, by which a page is known. */
export const placeOf = ({ hostname, pathname }: URL): string =>
	hostname.replace(/^www\./, '') + pathname;

/**
 * Returns whether an address has the token of a Telegram bot in its path. Whoever reads it can take over the
 * bot (LangBot PR 2366, teleirc 115), so it goes to no service. A server of one's own has another host.
 */
export const hasBotToken = (url: string): boolean => /^\/file\/bot\d+(:|%3a)/i.test(pathOf(url));
