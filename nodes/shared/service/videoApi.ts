import type { IDataObject } from 'n8n-workflow';

import { parseExactJson } from '../lib/json';
import { createTimeLimit } from '../lib/time';
import type { Connection } from './connection';
import { toPathSegment } from './credential';
import {
	isNoAnswer,
	MAX_RECORD_BYTES,
	textLength,
	type NoAnswer,
	type Readable,
	type ServiceAnswer,
} from './http';
import { readRetryAfter, toPaidTrouble, type PaidTrouble } from './paid';
import { toTrouble, type Trouble } from './trouble';
import { readTask, readTaskIds, type VideoTask } from './videoTask';

/** The body of `POST /v1/video/generations`: documented fields, and others that deployments read. */
export interface SubmitRequest extends IDataObject {
	model: string;
	prompt: string;
	/** Image URL, base64 or data URI. */
	image?: string;
}

/**
 * `accepted`: a task exists and is paid for. `unclear`: one may exist; to submit again may pay
 * twice.
 */
export type SubmitResult =
	/** `otherIds` are the IDs of further tasks that the answer names. */
	{ kind: 'accepted'; task_id: string; otherIds?: string[]; answer: unknown } | PaidTrouble;

/** The result of fetching a task's record. */
export type FetchResult =
	| { kind: 'task'; task: VideoTask; answer: unknown }
	| { kind: 'trouble'; trouble: Trouble; retryAfterMs?: number };

const SUBMIT_TIMEOUT_MS = 120_000;
const FETCH_TIMEOUT_MS = 30_000;

/**
 * Submits once and repeats nothing; the caller decides what an unclear answer means. `signal` ends
 * the request instead of n8n's own signal, which would lose the ID of a task under way.
 */
export async function submit(
	{ send }: Pick<Connection, 'send'>,
	body: SubmitRequest,
	signal?: AbortSignal,
): Promise<SubmitResult> {
	const answer = await send({
		method: 'POST',
		path: '/v1/video/generations',
		body,
		timeoutMs: SUBMIT_TIMEOUT_MS,
		// Some deployments repeat the request in the answer, pictures included.
		maxBytes: MAX_RECORD_BYTES + 2 * textLength(body),
		signal,
	});
	if (isNoAnswer(answer)) return toPaidTrouble(answer, 'video');
	const parsed = answer.status < 300 ? parseExactJson(answer.body) : undefined;
	const [task_id, ...otherIds] = readTaskIds(parsed);
	if (task_id) return { kind: 'accepted', task_id, otherIds, answer: parsed };
	return toPaidTrouble(answer, 'video');
}

/**
 * Fetches a task's record once. `task_id` is opaque and may be long; it is URL-encoded here. Some
 * deployments say SUCCESS without an address although the video is at the documented one.
 *
 * @param leftMs returns how long the caller can still wait, in milliseconds
 */
export async function fetchTask(
	connection: Connection,
	task_id: string,
	{ leftMs = () => Infinity, signal }: { leftMs?: () => number; signal: AbortSignal },
): Promise<FetchResult> {
	const answer = await askForRecord(connection, task_id, leftMs());
	if (isNoAnswer(answer)) return { kind: 'trouble', trouble: toTrouble(answer) };
	const parsed = parseExactJson(answer.body);
	const task = answer.status < 300 ? readTask(parsed, task_id) : undefined;
	if (task?.status === 'SUCCESS' && !task.result_url) {
		const content = await askForContent(connection, task_id, { limitMs: leftMs(), signal });
		if (mayHaveFilm(content)) task.result_url = contentUrl(connection, task_id);
	}
	if (task) return { kind: 'task', task, answer: parsed };
	return { kind: 'trouble', trouble: toTrouble(answer), retryAfterMs: readRetryAfter(answer) };
}

const askForRecord = async (
	{ send }: Connection,
	task_id: string,
	limitMs: number,
): Promise<ServiceAnswer | NoAnswer> =>
	await send({
		method: 'GET',
		path: `/v1/video/generations/${toPathSegment(task_id)}`,
		timeoutMs: FETCH_TIMEOUT_MS,
		limitMs,
		maxBytes: MAX_RECORD_BYTES,
	});

/** An answer of a task's content endpoint; `begin` is empty if its type is a video's. */
export interface ContentAnswer {
	status: number;
	type: string;
	begin: string;
}

/**
 * Asks for a task's video and reads no more than the first bytes that come. Resolves to `undefined`
 * if nothing answers.
 *
 * @param limitMs how long the caller can wait for the answer, in milliseconds
 */
export async function askForContent(
	connection: Connection,
	task_id: string,
	{ limitMs = FETCH_TIMEOUT_MS, signal }: { limitMs?: number; signal: AbortSignal },
): Promise<ContentAnswer | undefined> {
	const end = new AbortController();
	const timeoutMs = Math.min(FETCH_TIMEOUT_MS, limitMs);
	const limit = createTimeLimit(timeoutMs, () => end.abort());
	try {
		const answer = await connection.open(contentAddress(task_id), {
			timeoutMs,
			signal: AbortSignal.any([signal, end.signal]),
		});
		if (isNoAnswer(answer)) return undefined;
		const { status, headers, stream } = answer;
		const type = headers['content-type'] ?? '';
		// A video's type says enough, and its first bytes may be slow.
		if (!/^video\//i.test(type)) return { status, type, begin: await readBegin(stream) };
		stream.destroy();
		return { status, type, begin: '' };
	} finally {
		limit.close();
		// n8n 2 wraps the stream, so destroying it closes nothing; the signal closes the socket.
		end.abort();
	}
}

async function readBegin(stream: Readable): Promise<string> {
	try {
		for await (const chunk of stream)
			return Buffer.from(chunk as Buffer).toString('latin1', 0, 1_000);
	} catch {
		// The stream was cut or too slow; the status says enough.
	} finally {
		stream.destroy();
	}
	return '';
}

/** Returns whether there may be a video, judging by the content endpoint's answer. */
function mayHaveFilm(content: ContentAnswer | undefined): boolean {
	if (!content) return true;
	const { status, type } = content;
	if (status < 400) return status >= 300 || !/^(text\/|application\/json)/i.test(type);
	return [408, 425, 429, 503, 504].includes(status);
}

/** Returns the documented content address of a task. */
export const contentAddress = (task_id: string) => (baseUrl: string) =>
	`${baseUrl}/v1/videos/${toPathSegment(task_id)}/content`;

export const contentUrl = ({ baseUrl }: Pick<Connection, 'baseUrl'>, task_id: string) =>
	contentAddress(task_id)(baseUrl);
