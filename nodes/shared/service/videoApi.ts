import type { IDataObject } from 'n8n-workflow';

import { parseExactJson } from '../lib/json';
import { createTimeLimit } from '../lib/time';
import type { Connection } from './connection';
import { toPathSegment } from './credential';
import { type Failure, readFailure } from './failure';
import { isNoAnswer, MAX_RECORD_BYTES, type Readable } from './http';
import { mayPass } from './later';
import { readTask, readTaskIds, type VideoTask } from './videoTask';

/** The body of a submit: documented fields, and others that deployments read. */
export interface SubmitRequest extends IDataObject {
	model: string;
	prompt: string;
}

/** A task's record as it was read, and the answer as it came. */
export interface FetchedTask {
	task: VideoTask;
	answer: unknown;
}

const SUBMIT_TIMEOUT_MS = 120_000;
const FETCH_TIMEOUT_MS = 30_000;

/** A task that exists and is paid for; `otherIds` are further tasks that the answer names. */
export interface Submitted {
	task_id: string;
	otherIds: string[];
	answer: unknown;
}

/**
 * Submits once and repeats nothing.
 *
 * @param signal ends the request instead of n8n's own signal, which would lose a task under way
 */
export async function submit(
	{ send }: Pick<Connection, 'send'>,
	body: SubmitRequest,
	signal: AbortSignal,
	facts: Pick<Failure, 'submittedAtMs' | 'advice'>,
): Promise<Submitted | Failure> {
	try {
		// Some deployments repeat the request in the answer, pictures included.
		const maxBytes = MAX_RECORD_BYTES + 2 * JSON.stringify(body).length;
		const path = '/v1/video/generations';
		const answer = await send({ path, body, timeoutMs: SUBMIT_TIMEOUT_MS, maxBytes, signal });
		if (!isNoAnswer(answer) && answer.status < 300) {
			const parsed = parseExactJson(answer.body);
			const [task_id, ...otherIds] = readTaskIds(parsed);
			if (task_id) return { task_id, otherIds, answer: parsed };
		}
		return readFailure('submit', answer, facts);
	} catch {
		// Once a submit is on its way, a task may exist, whatever is thrown.
		const message = 'The answer of the service cannot be read';
		return { during: 'submit', message, passes: false, certainty: 'unclear', ...facts };
	}
}

/** @param leftMs returns how long the caller can still wait, in milliseconds */
export async function fetchTask(
	connection: Connection,
	task_id: string,
	{ leftMs, signal }: { leftMs: () => number; signal: AbortSignal },
): Promise<FetchedTask | Failure> {
	const answer = await connection.send({
		path: `/v1/video/generations/${toPathSegment(task_id)}`,
		timeoutMs: FETCH_TIMEOUT_MS,
		limitMs: leftMs(),
		maxBytes: MAX_RECORD_BYTES,
	});
	const isRecord = !isNoAnswer(answer) && answer.status < 300;
	const parsed = isRecord ? parseExactJson(answer.body) : undefined;
	const task = isRecord ? readTask(parsed, task_id) : undefined;
	if (!task) return readFailure('check', answer, { task: { task_id } });
	// Some deployments say SUCCESS without an address although the video is at the documented one.
	if (task.status === 'SUCCESS' && !task.result_url) {
		const content = await askForContent(connection, task_id, { limitMs: leftMs(), signal });
		if (mayHaveVideo(content)) task.result_url = contentAddress(task_id)(connection.baseUrl);
	}
	return { task, answer: parsed };
}

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
	{ limitMs, signal }: { limitMs: number; signal: AbortSignal },
) {
	const timeoutMs = Math.min(FETCH_TIMEOUT_MS, limitMs);
	const limit = createTimeLimit(timeoutMs, signal);
	try {
		const options = { timeoutMs, signal: limit.signal };
		const answer = await connection.open(contentAddress(task_id), options);
		if (isNoAnswer(answer)) return undefined;
		const { status, headers, stream } = answer;
		const type = headers['content-type'] ?? '';
		// A video's type says enough, and its first bytes may be slow.
		const firstBytes = /^video\//i.test(type) ? '' : await readFirstBytes(stream);
		stream.destroy();
		return { status, type, firstBytes };
	} finally {
		limit.close();
	}
}

async function readFirstBytes(stream: Readable): Promise<string> {
	try {
		for await (const chunk of stream)
			return Buffer.from(chunk as Buffer).toString('latin1', 0, 1_000);
	} catch {
		// The stream was cut or too slow; the status says enough.
	}
	return '';
}

/** Returns whether the content endpoint may have the video, now or soon. */
function mayHaveVideo(content: ContentAnswer): boolean {
	if (!content) return true;
	const { status, type } = content;
	if (status < 400) return status >= 300 || !/^(text\/|application\/json)/i.test(type);
	return mayPass('content', status);
}

/** The documented address of a task's video. */
export const contentAddress = (task_id: string) => (baseUrl: string) =>
	`${baseUrl}/v1/videos/${toPathSegment(task_id)}/content`;
