import { parseJson } from '../lib/json';
import type { Connection, StreamOptions } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import {
	isNoAnswer,
	type Readable,
	readWhole,
	REDIRECTS,
	type StreamAnswer,
} from '../service/http';
import { findVideoUrl } from '../service/videoTask';
import { checkAddress } from './addressRule';
import { type AddressFailure, addressFailure } from '../item/failure';
import { readReason } from '../service/reason';

const MAX_REDIRECTS = 5;
/** Of these, each video has one that no text has. */
const FIRST_BYTES = 392;
/** Enough of an error's page to hold its words. */
const MAX_ERROR_BYTES = 64 * 1024;
const NO_VIDEO_TYPES = /^(text\/|application\/(json|problem\+json|xhtml\+xml|xml))/i;

/**
 * Opens a video and follows redirects itself: the key goes only to the origin of the base URL, and no
 * further once a redirect has left it. An address elsewhere that contains the key is not opened. Where
 * the content endpoint has JSON with an address instead of a video (AnyFast Sora), that counts as one
 * redirect.
 *
 * @param what names the address at the beginning of a message
 */
export async function openVideo(
	address: string,
	{ what = "The video's URL", ...options }: StreamOptions & { what?: string },
	connection: Connection,
): Promise<StreamAnswer | AddressFailure> {
	const { baseUrl } = connection;
	const home = new URL(baseUrl).origin;
	let url: URL | undefined = toHttpUrl(address);
	let withKey = true;
	let isNamed = false;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (!url) return addressFailure(`${what} leads to no http or https address`);
		withKey &&= url.origin === home;
		const refusal = checkAddress(url, connection, what);
		if (refusal) return refusal;
		if (url.origin !== home && connection.redact(url.href) !== url.href) {
			return addressFailure(`${what} would expose the API key to ${url.origin}`);
		}
		const answer = await connection.open(url.href, { ...options, withKey });
		const facts = withKey ? {} : { host: { what, origin: url.origin } };
		if (isNoAnswer(answer)) return { ...readReason('file', answer), ...facts, kind: 'address' };
		const { status, headers, stream } = answer;
		const type = headers['content-type'] ?? '';
		const location = REDIRECTS.includes(status) ? headers.location : undefined;
		if (location !== undefined) {
			stream.destroy();
			url = URL.canParse(location, url.href) ? toHttpUrl(new URL(location, url).href) : undefined;
		} else if (status < 300 && !NO_VIDEO_TYPES.test(type)) {
			return answer;
		} else {
			const { isText, chunks } = await peek(stream);
			if (status < 300 && !isText) return { ...answer, stream: chunks };
			const body: Uint8Array[] = [];
			if (withKey && isText) await readWhole({ ...answer, stream: chunks }, MAX_ERROR_BYTES, body);
			stream.destroy();
			const whole = { status, headers, body: Buffer.concat(body).toString('utf8') };
			const mayName: boolean = withKey && !isNamed && status < 300;
			const named: URL | undefined = mayName
				? toHttpUrl(findVideoUrl(parseJson(whole.body)))
				: undefined;
			if (named) {
				[url, isNamed] = [named, true];
				continue;
			}
			return { ...readReason('file', whole), ...facts, kind: 'address' };
		}
	}
	return addressFailure(`${what} redirects more than ${MAX_REDIRECTS} times`);
}

/** Returns whether a body begins like a text, and its chunks from the first one on. */
async function peek(stream: Readable): Promise<{ isText: boolean; chunks: Readable }> {
	const rest = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
	const first = await rest.next().catch(() => undefined);
	const bytes: Uint8Array = first?.value ?? new Uint8Array();
	async function* all() {
		yield bytes;
		if (first) yield* { [Symbol.asyncIterator]: () => rest };
	}
	const isForeign = (byte: number) => byte < 0x09 || (byte > 0x0d && byte < 0x1b);
	const isText = !bytes.subarray(0, FIRST_BYTES).some(isForeign);
	return { isText, chunks: all() as unknown as Readable };
}
