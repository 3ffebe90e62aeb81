import { isObject, parseJson } from '../lib/json';
import { lowerFirst } from '../lib/text';
import type { Readable, StreamAnswer } from '../service/http';
import { readRetryAfter } from '../service/paid';
import { toTrouble, type Trouble } from '../service/trouble';

export interface OpenedVideo extends StreamAnswer {
	kind: 'open';
}

export type OpenResult = OpenedVideo | { kind: 'failed'; trouble: Trouble; retryAfterMs?: number };

/** An error page is read this far, in bytes: its words are wanted, not its length. */
const MAX_ERROR_BYTES = 64 * 1024;
const NO_VIDEO_TYPES = /^(text\/|application\/(json|problem\+json|xhtml\+xml|xml))/i;

/** A proxy's 502 is a page; the gateway's own is JSON, and about the vendor. */
const NO_FILE = {
	message: 'The service gets no file from the vendor of the model (HTTP 502)',
	noFile: true as const,
};

/** Whom an answer is from. */
interface Asked {
	/** What the address is of, as a message begins. */
	what: string;
	/** The origin, where it was asked without the key. */
	elsewhere?: string;
}

/** An answer that may be a video, or why it is none. */
export async function toOpenResult(
	answer: StreamAnswer,
	{ what, elsewhere }: Asked,
): Promise<OpenResult> {
	const { status, headers, stream } = answer;
	const isVideo = status < 300 && !NO_VIDEO_TYPES.test(headers['content-type'] ?? '');
	if (isVideo) return { kind: 'open', stream, headers, status };
	if (elsewhere !== undefined) stream.destroy();
	// What a host says that no credential names is nobody's business: it may be one inside.
	const body = elsewhere === undefined ? await readStart(stream) : '';
	const said = toTrouble({ status, headers, body });
	const own = status === 502 && isObject(parseJson(body)) ? { ...said, ...NO_FILE } : said;
	const trouble = elsewhere === undefined ? own : fromElsewhere(said, what, elsewhere);
	const retryAfterMs = readRetryAfter({ status, headers, body });
	return { kind: 'failed', trouble: { ...trouble, retryable: mayComeLater(status) }, retryAfterMs };
}

/** The service's words for its statuses are not those of a host that is not the service. */
function fromElsewhere({ httpCode, retryable }: Trouble, what: string, elsewhere: string): Trouble {
	const where = `${elsewhere}, where ${lowerFirst(what)} leads,`;
	if (httpCode === undefined || httpCode < 300) {
		return { message: `${where} sent a text instead of a file`, httpCode, retryable };
	}
	if (httpCode !== 401 && httpCode !== 403) {
		return { message: `${where} does not give it (HTTP ${httpCode})`, httpCode, retryable };
	}
	return {
		message: `${where} denies access to it (HTTP ${httpCode})`,
		description: `The API key was not sent: it only goes to the Base URL, and no further once a redirect leads elsewhere. If ${elsewhere} is the service, enter it as the Base URL.`,
		httpCode,
		retryable,
	};
}

/**
 * For some seconds after a poll says SUCCESS the content endpoint may answer 400 "not completed
 * yet" or 404. A page or JSON with 200 passes as often as it lasts.
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
