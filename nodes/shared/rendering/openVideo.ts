import type { IExecuteFunctions } from 'n8n-workflow';

import { toHttpUrl } from '../service/baseUrl';
import { toFaultError, toServiceError, type ServiceError } from '../service/errors';
import {
	isNetworkFault,
	type Connection,
	type Readable,
	type ServiceAnswer,
	type StreamAnswer,
	type StreamOptions,
} from '../service/http';
import { openContent } from '../service/videoApi';

export type OpenResult =
	| { kind: 'open'; stream: Readable; headers: Record<string, string>; status: number }
	| { kind: 'failed'; error: ServiceError };

const MAX_REDIRECTS = 5;
/** An error page is read this far, in bytes: its words are wanted, not its length. */
const MAX_ERROR_BYTES = 64 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const NO_VIDEO_TYPES = /^(text\/|application\/(json|problem\+json|xhtml\+xml|xml))/i;

/**
 * Opens a video and follows redirects by hand: the key goes to the origin of the base URL and to
 * no other, also not when a redirect comes back from elsewhere with an address that holds it.
 */
export async function openVideo(
	context: IExecuteFunctions,
	connection: Connection,
	address: string,
	options: StreamOptions,
): Promise<OpenResult> {
	const home = new URL(connection.baseUrl).origin;
	let url = toHttpUrl(address);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (!url) return failed('The video has no http or https address');
		const withKey = url.origin === home;
		const answer = await openContent(context, connection, url.href, withKey, options);
		if (isNetworkFault(answer)) return { kind: 'failed', error: toFaultError(answer) };
		const location = REDIRECTS.has(answer.status) ? answer.headers.location : undefined;
		if (location === undefined) return await toOpenResult(answer, connection);
		answer.stream.destroy();
		url = toHttpUrl(resolve(location, url));
	}
	return failed(`The video's address redirects more than ${MAX_REDIRECTS} times`);
}

const failed = (message: string): OpenResult => ({
	kind: 'failed',
	error: { message, retryable: false },
});

function resolve(location: string, from: URL): string | undefined {
	try {
		return new URL(location, from).href;
	} catch {
		return undefined;
	}
}

async function toOpenResult(answer: StreamAnswer, { redact }: Connection): Promise<OpenResult> {
	const { status, headers, stream } = answer;
	const isVideo = status < 300 && !NO_VIDEO_TYPES.test(headers['content-type'] ?? '');
	if (isVideo) return { kind: 'open', stream, headers, status };
	const body = redact(await readStart(stream));
	const error = toServiceError({ status, headers, body });
	return {
		kind: 'failed',
		error: { ...error, retryable: mayComeLater({ status, headers, body }) },
	};
}

/**
 * For some seconds after a poll says SUCCESS the content endpoint may answer 400 "not completed
 * yet" or 404. A page or JSON with 200 is a passing fault of a proxy as often as a lasting one.
 */
function mayComeLater({ status }: ServiceAnswer): boolean {
	return status < 300 || status >= 500 || [400, 404, 408, 409, 425, 429].includes(status);
}

async function readStart(stream: Readable): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			chunks.push(chunk as Buffer);
			size += (chunk as Buffer).length;
			if (size >= MAX_ERROR_BYTES) break;
		}
	} catch {
		// A cut error page still says what it says.
	}
	stream.destroy();
	return Buffer.concat(chunks).toString('utf8');
}
