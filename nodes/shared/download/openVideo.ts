import { unlessAborted } from '../lib/time';
import { type Address, type Connection, toUrl } from '../service/connection';
import { CREDENTIAL_CHANGED, toHttpUrl } from '../service/credential';
import { isNoAnswer, type NoAnswer, type StreamOptions, TIMED_OUT } from '../service/http';
import { toTrouble } from '../service/trouble';
import { type AddressRule, THE_URL } from './addressRule';
import { type OpenResult, toOpenResult } from './contentAnswer';

const MAX_REDIRECTS = 5;
const MAX_OPENINGS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface OpenRules extends StreamOptions {
	mayAsk: AddressRule;
	/** What the address is of, as a message begins. */
	what?: string;
}

/**
 * Opens a video and follows redirects by hand: the key goes to the origin of the base URL and to
 * no other. Once a redirect has left it the key stays behind, even if the next one comes back, and
 * an address elsewhere that holds the key itself is not opened.
 */
export async function openVideo(
	connection: Connection,
	address: Address,
	rules: OpenRules,
): Promise<OpenResult> {
	for (let count = 1; ; count++) {
		const { baseUrl } = connection;
		const opened = await openFrom(connection, toUrl(address, baseUrl), rules);
		// Somebody has edited the credential meanwhile: what was its host may be a stranger's now.
		if (opened !== CREDENTIAL_CHANGED) return opened;
		if (count === MAX_OPENINGS) return failed('The credential was changed during the download');
	}
}

async function openFrom(
	connection: Connection,
	address: string,
	{ mayAsk, what = THE_URL, ...options }: OpenRules,
): Promise<OpenResult | typeof CREDENTIAL_CHANGED> {
	const { baseUrl } = connection;
	const home = new URL(baseUrl).origin;
	let url = toHttpUrl(address);
	let withKey = true;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (!url) return failed(`${what} leads to no http or https address`);
		withKey &&= url.origin === home;
		// A host's name may take long to look up, and n8n's look-up knows no end.
		const ruled = await unlessAborted(mayAsk(url, baseUrl), options.signal);
		if (!ruled) return notReached(TIMED_OUT, what, url.origin);
		const refused = ruled.value;
		if (refused) return { kind: 'failed', trouble: refused };
		if (url.origin !== home && connection.redact(url.href) !== url.href) {
			return failed(`${what} would expose the API key to ${url.origin}`);
		}
		const elsewhere = withKey ? undefined : url.origin;
		const answer = await connection.open(url.href, { ...options, withKey });
		if (isNoAnswer(answer)) {
			return answer.code === CREDENTIAL_CHANGED
				? CREDENTIAL_CHANGED
				: notReached(answer, what, elsewhere);
		}
		const location = REDIRECTS.has(answer.status) ? answer.headers.location : undefined;
		if (location === undefined) return await toOpenResult(answer, { what, elsewhere });
		answer.stream.destroy();
		url = toHttpUrl(resolve(location, url));
	}
	return failed(`${what} redirects more than ${MAX_REDIRECTS} times`);
}

const failed = (message: string): OpenResult => ({
	kind: 'failed',
	trouble: { message, retryable: false },
});

/** @param elsewhere the origin that was asked without the key */
function notReached(answer: NoAnswer, what: string, elsewhere: string | undefined): OpenResult {
	const trouble = toTrouble(answer);
	if (elsewhere === undefined) return { kind: 'failed', trouble };
	const message = `${what} leads to ${elsewhere}, which did not answer`;
	return { kind: 'failed', trouble: { ...trouble, message, description: `Code: ${answer.code}` } };
}

function resolve(location: string, from: URL): string | undefined {
	try {
		return new URL(location, from).href;
	} catch {
		return undefined;
	}
}
