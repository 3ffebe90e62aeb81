import { parseJson } from '../lib/json';
import { createTimeLimit } from '../lib/time';
import type { Address, Connection } from './connection';
import { toPathSegment } from './credential';
import { isNoAnswer, type Readable, RECORD_LIMITS, REDIRECTS } from './http';
import { sniffImage } from './image';
import { mayHaveFile } from './later';
import type { Route } from './routes';
import { findVideo } from './videoTask';

/** The status and type of the content endpoint's answer, and its first bytes if it is no video. */
export type ContentAnswer = Awaited<ReturnType<typeof askForContent>>;

/**
 * Asks for a task's video and reads no more than the first bytes that come. Resolves to `undefined`
 * if nothing answers.
 *
 * @param limitMs how long the caller can wait for the answer, in milliseconds
 */
export async function askForContent(
	connection: Connection,
	task_id: string,
	{
		limitMs,
		signal,
		address = contentAddress(task_id),
	}: { limitMs: number; signal: AbortSignal; address?: Address },
) {
	const timeoutMs = Math.min(RECORD_LIMITS.timeoutMs, limitMs);
	const limit = createTimeLimit(timeoutMs, signal);
	try {
		const options = { timeoutMs, signal: limit.signal };
		const answer = await connection.open(address, options);
		if (isNoAnswer(answer)) return undefined;
		const { status, headers, stream } = answer;
		const type = headers['content-type'] ?? '';
		const firstBytes = await readFirstBytes(stream);
		stream.destroy();
		return { status, type, firstBytes, location: headers.location };
	} finally {
		limit.close();
	}
}

/** A signed address may take some thousand of them. */
const MAX_FIRST_BYTES = 16_384;

/** Resolves to `undefined` if they are too slow, as those of a video may be, or cut off. */
async function readFirstBytes(stream: Readable): Promise<string | undefined> {
	try {
		for await (const chunk of stream)
			return Buffer.from(chunk as Buffer).toString('latin1', 0, MAX_FIRST_BYTES);
	} catch {
		return undefined;
	}
	return '';
}

/** Returns whether the content endpoint has the video; `undefined` if it may have it soon. */
export function findFile(content: ContentAnswer, { hasFileApart }: Route, task_id: string) {
	if (!content) return undefined;
	const { status, type, firstBytes, location } = content;
	if (status >= 400) {
		return mayHaveFile(hasFileApart, status) ? undefined : false;
	}
	if (status >= 300) return (REDIRECTS.includes(status) && location !== undefined) || undefined;
	if (findVideo(parseJson(firstBytes ?? ''), task_id)) return true;
	const isImage = sniffImage(Buffer.from(firstBytes ?? '', 'latin1')) !== undefined;
	// A video may be sent as a text, and begins with a zero, as no text does.
	const isText = /^(text\/|application\/json)/i.test(type) && !firstBytes?.startsWith('\0');
	if (isImage || isText || /^\s*[<{[]/.test(firstBytes ?? '')) return false;
	// Of a video whose bytes are slow, the type says enough.
	return (firstBytes ?? (/^video\//i.test(type) && 'slow')) ? true : undefined;
}

/** Returns the task of which an address is the documented one of its video. */
export function taskOfContent({ pathname }: URL): string | undefined {
	const [, segment] = /\/v1\/videos\/([^/]+)\/content$/.exec(pathname) ?? [];
	try {
		return segment && decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

/** The documented address of a task's video. */
export const contentAddress = (task_id: string) => (baseUrl: string) =>
	`${baseUrl}/v1/videos/${toPathSegment(task_id)}/content`;
