import type { IExecuteFunctions } from 'n8n-workflow';

import { toHttpUrl } from '../service/baseUrl';
import { toFaultError } from '../service/trouble';
import { isNetworkFault, type Connection, type StreamOptions } from '../service/http';
import type { NetworkFault } from '../service/noAnswer';
import { openContent } from '../service/videoApi';
import { toOpenResult, type OpenResult } from './contentAnswer';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Opens a video and follows redirects by hand: the key goes to the origin of the base URL and to
 * no other. Once a redirect has left it the key stays behind, even if the next one comes back, and
 * an address elsewhere that holds the key itself is not opened.
 */
export async function openVideo(
	context: IExecuteFunctions,
	connection: Connection,
	address: string,
	options: StreamOptions,
): Promise<OpenResult> {
	const home = new URL(connection.baseUrl).origin;
	let url = toHttpUrl(address);
	let withKey = true;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (!url) return failed('The video has no http or https address');
		withKey &&= url.origin === home;
		if (url.origin !== home && connection.redact(url.href) !== url.href) {
			return failed(`The video's address would hand the API key to ${url.origin}`);
		}
		const answer = await openContent(context, connection, url.href, withKey, options);
		if (isNetworkFault(answer)) return notReached(answer, withKey ? undefined : url.origin);
		const location = REDIRECTS.has(answer.status) ? answer.headers.location : undefined;
		if (location === undefined) {
			return await toOpenResult(answer, connection, withKey ? undefined : url.origin);
		}
		answer.stream.destroy();
		url = toHttpUrl(resolve(location, url));
	}
	return failed(`The video's address redirects more than ${MAX_REDIRECTS} times`);
}

const failed = (message: string): OpenResult => ({
	kind: 'failed',
	error: { message, retryable: false },
});

/** @param elsewhere the origin that was asked without the key */
function notReached(fault: NetworkFault, elsewhere: string | undefined): OpenResult {
	const error = toFaultError(fault);
	if (elsewhere === undefined) return { kind: 'failed', error };
	const message = `The video's address leads to ${elsewhere}, which gave no answer`;
	return { kind: 'failed', error: { ...error, message, description: `Code: ${fault.code}` } };
}

function resolve(location: string, from: URL): string | undefined {
	try {
		return new URL(location, from).href;
	} catch {
		return undefined;
	}
}
