import { isRedirect, readReason } from '../failure/reason';
import { isNoAnswer, type Readable, readWhole, type StreamAnswer } from '../http/answer';
import type { StreamOptions } from '../http/connection';
import { parseJson } from '../lib/json';
import { leadsInside } from '../lib/privateHost';
import { toHttpUrl } from '../lib/url';
import type { Connection } from '../services/connection';
import { findVideoUrl } from '../services/taskFiles';
import { type AddressReason, addressReason } from './fileFailed';

/** Returns a file that is in a data URI; `undefined` for any address. */
export function openInline(address: string): StreamAnswer | undefined {
	if (!address.startsWith('data:')) return undefined;
	const comma = address.indexOf(',');
	async function* read() {
		yield Buffer.from(address.slice(comma + 1), 'base64');
	}
	const headers = { 'content-type': address.slice('data:'.length, comma) };
	return { status: 200, headers, stream: read() as unknown as Readable };
}

const MAX_REDIRECTS = 5;
/** Enough of an error's page to hold its words. */
const MAX_ERROR_BYTES = 64 * 1024;
/** A bare text/plain says nothing: nginx calls each file so that it has no type for. */
const NO_VIDEO_TYPES = /^(text\/html|application\/(json|problem\+json))/i;

/**
 * Opens a file of any kind. Follows redirects itself, because n8n puts the key on every redirect, also to
 * another host: the key goes only to the origin of the base URL, and no further once a redirect has left it.
 * An address elsewhere that contains the key is not opened.
 *
 * @param what names the address at the beginning of a message
 */
export async function openFile(
	address: string,
	{ what = "The video's URL", ...options }: StreamOptions & { what?: string },
	connection: Connection,
): Promise<StreamAnswer | AddressReason> {
	const home = new URL(connection.baseUrl).origin;
	let url: URL | undefined = toHttpUrl(address);
	let withKey = true;
	let isNamed = false;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (!url) return addressReason(`${what} leads to no http or https address`);
		url = connection.viaProxy(url);
		withKey &&= url.origin === home;
		const refusal = checkAddress(url, connection, what);
		if (refusal) return refusal;
		if (url.origin !== home && connection.redact(url.href) !== url.href) {
			return addressReason(`${what} would expose the API key to ${url.origin}`);
		}
		const answer = await connection.open(url.href, { ...options, withKey });
		// A link with a query is most often signed, and a service with origins has no other.
		const mayBeService = url.search === '' && !connection.service.origins;
		const host = withKey ? undefined : { what, origin: url.origin, mayBeService };
		if (isNoAnswer(answer)) return { ...readReason('file', answer), host };
		const { status, headers, stream } = answer;
		if (status < 300 && !NO_VIDEO_TYPES.test(headers['content-type'])) return answer;
		if (isRedirect(answer) && headers.location !== undefined) {
			stream.destroy();
			const next = headers.location;
			url = URL.canParse(next, url.href) ? toHttpUrl(new URL(next, url).href) : undefined;
			continue;
		}
		const chunks: Uint8Array[] = [];
		if (withKey) await readWhole(answer, MAX_ERROR_BYTES, chunks);
		stream.destroy();
		const body = Buffer.concat(chunks).toString('utf8');
		// The content endpoint of AnyFast's Sora answers with JSON that has the video's address.
		const isListed = withKey && !isNamed && status < 300;
		url = isListed ? toHttpUrl(findVideoUrl([parseJson(body)])) : undefined;
		if (!url) return { ...readReason('file', { status, headers, body }), host };
		isNamed = true;
	}
	return addressReason(`${what} redirects more than ${MAX_REDIRECTS} times`);
}

/**
 * Returns why n8n must not request an address; `undefined` if it may. Checks every address that no
 * credential names, and each redirect: whoever writes one could make n8n ask machines that only n8n
 * reaches. Names are not looked up: n8n has a switch of its own for that (SECURITY.md), and a proxy such as
 * Clash answers public names with private addresses.
 *
 * @param what names the address at the beginning of a message
 */
function checkAddress(
	url: URL,
	{ allowPrivateAddresses, baseUrl }: Connection,
	what: string,
): AddressReason | undefined {
	if (allowPrivateAddresses || !leadsInside(url, baseUrl)) return undefined;
	// Only the origin is shown: the rest of an address may be a signature.
	return addressReason(`${what} leads to ${url.origin}, which is inside a private network`, {
		description:
			'Nothing was requested there. If your storage is in that network, turn on Allow Private Addresses in the credential.',
	});
}
