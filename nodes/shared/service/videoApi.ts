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

/** Body of `POST /v1/video/generations`: documented fields, and what deployments read besides. */
export interface SubmitRequest extends IDataObject {
	model: string;
	prompt: string;
	/** Image URL, base64 or data URI. */
	image?: string;
}

/** `accepted`: a task exists and is paid for. `unclear`: one may exist; another submit may pay twice. */
export type SubmitResult =
	/** The other IDs are those of tasks that the answer names besides. */
	{ kind: 'accepted'; task_id: string; otherIds?: string[]; answer: unknown } | PaidTrouble;

/** What a fetch of a task's record brought. */
export type FetchResult =
	| { kind: 'task'; task: VideoTask; answer: unknown }
	| { kind: 'trouble'; trouble: Trouble; retryAfterMs?: number };

const SUBMIT_TIMEOUT_MS = 120_000;
const FETCH_TIMEOUT_MS = 30_000;

/**
 * Submits once. What an unclear answer means is for the caller; nothing is repeated here. `signal`
 * ends the request in place of n8n's own, which would lose the id of a task under way.
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
		// Some deployments repeat what was sent, pictures and all.
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
 * Asks for a task once. `task_id` is opaque and may be long: it is URL-encoded here. Some
 * deployments say SUCCESS without an address, although the film is at the documented one.
 *
 * @param leftMs how long whoever asks can still wait, in milliseconds
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

/** An answer of a task's content endpoint, with the first bytes of its body where its type is no film's. */
export interface ContentAnswer {
	status: number;
	type: string;
	begin: string;
}

/**
 * Asks for a task's film and reads no more than the first bytes that come. Returns `undefined` where
 * nothing answers.
 *
 * @param limitMs how long whoever asks can wait for the answer, in milliseconds
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
		// The type of a film says enough, and its first bytes may be slow.
		if (!/^video\//i.test(type)) return { status, type, begin: await readBegin(stream) };
		stream.destroy();
		return { status, type, begin: '' };
	} finally {
		limit.close();
		// n8n 2 wraps the stream so that destroying it ends nothing: the signal closes the socket.
		end.abort();
	}
}

async function readBegin(stream: Readable): Promise<string> {
	try {
		for await (const chunk of stream)
			return Buffer.from(chunk as Buffer).toString('latin1', 0, 1_000);
	} catch {
		// Cut, or too slow: the status says enough.
	} finally {
		stream.destroy();
	}
	return '';
}

/** Whether the content endpoint leaves it possible that there is a film. */
function mayHaveFilm(content: ContentAnswer | undefined): boolean {
	if (!content) return true;
	const { status, type } = content;
	if (status < 400) return status >= 300 || !/^(text\/|application\/json)/i.test(type);
	return [408, 425, 429, 503, 504].includes(status);
}

/** The documented content address of a task. */
export const contentAddress = (task_id: string) => (baseUrl: string) =>
	`${baseUrl}/v1/videos/${toPathSegment(task_id)}/content`;

export const contentUrl = ({ baseUrl }: Pick<Connection, 'baseUrl'>, task_id: string) =>
	contentAddress(task_id)(baseUrl);
