import { toServiceError, type ServiceError } from '../service/trouble';
import type { Connection, Readable, StreamAnswer } from '../service/http';
import { readRetryAfter } from '../service/retry';
import { sentences } from '../item/serviceFailure';

export interface OpenedVideo extends StreamAnswer {
	kind: 'open';
}

export type OpenResult =
	OpenedVideo | { kind: 'failed'; error: ServiceError; retryAfterMs?: number };

/** An error page is read this far, in bytes: its words are wanted, not its length. */
const MAX_ERROR_BYTES = 64 * 1024;
const NO_VIDEO_TYPES = /^(text\/|application\/(json|problem\+json|xhtml\+xml|xml))/i;

/**
 * An answer that may be a video, or why it is none.
 * @param elsewhere the origin, where it was asked without the key
 */
export async function toOpenResult(
	answer: StreamAnswer,
	{ redact }: Connection,
	elsewhere: string | undefined,
): Promise<OpenResult> {
	const { status, headers, stream } = answer;
	const isVideo = status < 300 && !NO_VIDEO_TYPES.test(headers['content-type'] ?? '');
	if (isVideo) return { kind: 'open', stream, headers, status };
	const body = redact(await readStart(stream));
	const said = toServiceError({ status, headers, body });
	const error = elsewhere === undefined ? said : withoutKey(said, elsewhere);
	const retryAfterMs = readRetryAfter({ status, headers, body });
	return { kind: 'failed', error: { ...error, retryable: mayComeLater(status) }, retryAfterMs };
}

/** What the service's statuses say of the key does not hold where it was not sent. */
function withoutKey(error: ServiceError, elsewhere: string): ServiceError {
	if (error.httpCode !== 401 && error.httpCode !== 403) return error;
	const advice = `The API key was not sent along: it goes to the Base URL, and stays behind once a redirect leaves it. If ${elsewhere} is the service, enter it as Base URL.`;
	return {
		...error,
		message: `${elsewhere}, where the video's address leads, does not give it out (HTTP ${error.httpCode})`,
		description: sentences(error.description, advice),
	};
}

/**
 * For some seconds after a poll says SUCCESS the content endpoint may answer 400 "not completed
 * yet" or 404. A page or JSON with 200 is a passing fault of a proxy as often as a lasting one.
 */
function mayComeLater(status: number): boolean {
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
