import type { Run } from '../item/run';
import { isObject, parseJson } from '../lib/json';
import { lowerFirst } from '../lib/text';
import { unlessAborted } from '../lib/time';
import { type Address, type Connection, type StreamOptions, toUrl } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import {
	isNoAnswer,
	readWhole,
	type ServiceAnswer,
	type StreamAnswer,
	TIMED_OUT,
} from '../service/http';
import { readRetryAfter } from '../service/paid';
import { toTrouble, type Trouble } from '../service/trouble';
import { refuseAddress } from './addressRule';

const MAX_REDIRECTS = 5;
/** Enough of an error's page to hold its words. */
const MAX_ERROR_BYTES = 64 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
const NO_VIDEO_TYPES = /^(text\/|application\/(json|problem\+json|xhtml\+xml|xml))/i;

/** Why a download, or one try of it, gave no file. */
export interface DownloadTrouble {
	trouble: Trouble;
	/** How long the host asks to wait before the next try. */
	retryAfterMs?: number;
	/** No other address of the same video would work better. */
	everywhere?: boolean;
	/** The bytes handed on so far cannot be continued: the file must be read from its beginning. */
	startsOver?: boolean;
}

/**
 * Opens a video and follows redirects itself, because the key may go only to the origin of the base
 * URL. Once a redirect leaves that origin, the key is not sent again, even if a later redirect
 * returns to it. An address elsewhere that contains the key is not opened.
 *
 * @param what names the address at the beginning of a message
 */
export async function openVideo(
	address: Address,
	{ what = "The video's URL", ...options }: StreamOptions & { what?: string },
	run: Run,
	connection: Connection,
): Promise<StreamAnswer | DownloadTrouble> {
	const { baseUrl } = connection;
	const home = new URL(baseUrl).origin;
	let url = toHttpUrl(toUrl(address, baseUrl));
	let withKey = true;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (!url) return failed(`${what} leads to no http or https address`);
		withKey &&= url.origin === home;
		// Resolving a host name may take long, and n8n's lookup has no time limit.
		const rule = refuseAddress(url, connection, what, run);
		const ruled = await unlessAborted(rule, options.signal);
		if (ruled?.value) return { trouble: ruled.value };
		if (url.origin !== home && connection.redact(url.href) !== url.href) {
			return failed(`${what} would expose the API key to ${url.origin}`);
		}
		const answer = ruled ? await connection.open(url.href, { ...options, withKey }) : TIMED_OUT;
		if (isNoAnswer(answer)) {
			const trouble = toTrouble(answer);
			if (withKey) return { trouble };
			const message = `${what} leads to ${url.origin}, which did not answer`;
			return { trouble: { ...trouble, message, description: `Code: ${answer.code}` } };
		}
		const { status, headers, stream } = answer;
		const location = REDIRECTS.includes(status) ? headers.location : undefined;
		if (location !== undefined) {
			stream.destroy();
			url = URL.canParse(location, url.href) ? toHttpUrl(new URL(location, url).href) : undefined;
		} else if (status < 300 && !NO_VIDEO_TYPES.test(headers['content-type'] ?? '')) {
			return answer;
		} else {
			const body: Uint8Array[] = [];
			if (withKey) await readWhole(answer, MAX_ERROR_BYTES, body);
			stream.destroy();
			const whole = { status, headers, body: Buffer.concat(body).toString('utf8') };
			const trouble = withKey ? toOwnTrouble(whole) : toTroubleElsewhere(status, what, url.origin);
			const retryable = mayComeLater(status);
			return { trouble: { ...trouble, retryable }, retryAfterMs: readRetryAfter(whole) };
		}
	}
	return failed(`${what} redirects more than ${MAX_REDIRECTS} times`);
}

const failed = (message: string): DownloadTrouble => ({ trouble: { message, retryable: false } });

/** Said for a 502 with JSON: it is the gateway's, about the vendor. A proxy's 502 is a page. */
const NO_FILE = {
	message: 'The service gets no file from the vendor of the model (HTTP 502)',
	noFile: true as const,
};

const toOwnTrouble = (answer: ServiceAnswer): Trouble => ({
	...toTrouble(answer),
	...(answer.status === 502 && isObject(parseJson(answer.body)) && NO_FILE),
});

/**
 * Returns the trouble with a host other than the service. The host's own words are not shown,
 * because perhaps only n8n reaches it. The words of STATUS_MESSAGES are about the service alone.
 */
function toTroubleElsewhere(httpCode: number, what: string, origin: string) {
	const where = `${origin}, where ${lowerFirst(what)} leads,`;
	if (httpCode < 300) return { httpCode, message: `${where} sent a text instead of a file` };
	if (httpCode !== 401 && httpCode !== 403) {
		return { httpCode, message: `${where} does not give it (HTTP ${httpCode})` };
	}
	return {
		httpCode,
		message: `${where} denies access to it (HTTP ${httpCode})`,
		description: `The API key was not sent: it only goes to the Base URL, and no further once a redirect leads elsewhere. If ${origin} is the service, enter it as the Base URL.`,
	};
}

/**
 * Returns whether a later try may get the file. For some seconds after a poll says SUCCESS, the
 * content endpoint may answer 400 "not completed yet" or 404. A page or JSON with 200 may pass as
 * well.
 */
const mayComeLater = (status: number) =>
	status < 300 || status >= 500 || [400, 404, 408, 409, 425, 429].includes(status);
