import type { NodeCall } from '../item/run';
import { isObject, parseJson } from '../lib/json';
import { unlessAborted } from '../lib/time';
import { type Address, type Connection, type StreamOptions, toUrl } from '../service/connection';
import { toHttpUrl } from '../service/credential';
import { type Failure, readFailure } from '../service/failure';
import {
	isNoAnswer,
	type NoAnswer,
	readWhole,
	REDIRECTS,
	type ServiceAnswer,
	type StreamAnswer,
	TIMED_OUT,
} from '../service/http';
import { checkAddress } from './addressRule';

const MAX_REDIRECTS = 5;
/** Enough of an error's page to hold its words. */
const MAX_ERROR_BYTES = 64 * 1024;
const NO_VIDEO_TYPES = /^(text\/|application\/(json|problem\+json|xhtml\+xml|xml))/i;

/**
 * Opens a video and follows redirects itself: the key goes only to the origin of the base URL, and no
 * further once a redirect has left it. An address elsewhere that contains the key is not opened.
 *
 * @param what names the address at the beginning of a message
 */
export async function openVideo(
	address: Address,
	{ what = "The video's URL", ...options }: StreamOptions & { what?: string },
	run: NodeCall,
	connection: Connection,
): Promise<StreamAnswer | Failure> {
	const { baseUrl } = connection;
	const home = new URL(baseUrl).origin;
	let url = toHttpUrl(toUrl(address, baseUrl));
	let withKey = true;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (!url) return fail(`${what} leads to no http or https address`);
		withKey &&= url.origin === home;
		// Resolving a host name may take long, and n8n's lookup has no time limit.
		const checking = checkAddress(url, connection, what, run);
		const checked = await unlessAborted(checking, options.signal);
		if (checked?.value) return checked.value;
		if (url.origin !== home && connection.redact(url.href) !== url.href) {
			return fail(`${what} would expose the API key to ${url.origin}`);
		}
		const answer = checked ? await connection.open(url.href, { ...options, withKey }) : TIMED_OUT;
		const place = { withKey, what, origin: url.origin };
		if (isNoAnswer(answer)) return toFileFailure(answer, place);
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
			return toFileFailure(whole, place);
		}
	}
	return fail(`${what} redirects more than ${MAX_REDIRECTS} times`);
}

const fail = (message: string): Failure => ({ during: 'file', message, passes: false });

/** A 502 with JSON is the gateway's, about the vendor. A proxy's 502 is a page. */
const NO_FILE = {
	message: 'The service gets no file from the vendor of the model (HTTP 502)',
	noFile: true,
};

/** Returns why an answer is no video. Another host's words are not shown: perhaps only n8n reaches it. */
function toFileFailure(
	answer: ServiceAnswer | NoAnswer,
	{ withKey, what, origin }: { withKey: boolean; what: string; origin: string },
): Failure {
	const failure = readFailure('file', answer);
	const { during, httpCode, code, passes, retryAfterMs } = failure;
	if (withKey) {
		const isNoFile = httpCode === 502 && !isNoAnswer(answer) && isObject(parseJson(answer.body));
		return { ...failure, ...(isNoFile && NO_FILE) };
	}
	const isDenied = httpCode === 401 || httpCode === 403;
	const end =
		httpCode === undefined
			? `did not answer (${code})`
			: httpCode < 300
				? 'sent a text instead of a file'
				: `${isDenied ? 'denies access to it' : 'does not give it'} (HTTP ${httpCode})`;
	const message = `${what} leads to ${origin}, which ${end}`;
	const description = isDenied
		? `The API key was not sent: it only goes to the Base URL, and no further once a redirect leads elsewhere. If ${origin} is the service, enter it as the Base URL.`
		: undefined;
	const cause = httpCode === undefined ? { code } : { httpCode, retryAfterMs };
	return { during, message, description, passes, ...cause };
}
