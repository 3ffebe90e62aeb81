import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../lib/json';
import type { Connection } from './connection';
import { isNoAnswer } from './noAnswer';
import { toPaidTrouble, type PaidTrouble } from './paid';
import { readRetryAfter } from './retry';
import { toTrouble, type Trouble } from './trouble';
import { readSubmittedId, readTask, type VideoTask } from './videoTask';

/** Body of `POST /v1/video/generations`: documented fields, and what deployments read besides. */
export interface SubmitRequest extends IDataObject {
	model: string;
	prompt: string;
	/** Image URL, base64 or data URI. */
	image?: string;
}

/** `accepted`: a task exists and is paid for. `unclear`: one may exist; another submit may pay twice. */
export type SubmitResult = { kind: 'accepted'; task_id: string; answer: unknown } | PaidTrouble;

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
		signal,
	});
	if (isNoAnswer(answer)) return toPaidTrouble(answer);
	const parsed = parseJson(answer.body);
	const task_id = answer.status < 300 ? readSubmittedId(parsed) : undefined;
	return task_id ? { kind: 'accepted', task_id, answer: parsed } : toPaidTrouble(answer);
}

/** Asks for a task once. `task_id` is opaque and may be long: it is URL-encoded here. */
export async function fetchTask(
	{ send }: Pick<Connection, 'send'>,
	task_id: string,
): Promise<FetchResult> {
	const answer = await send({
		method: 'GET',
		path: `/v1/video/generations/${toPathSegment(task_id)}`,
		timeoutMs: FETCH_TIMEOUT_MS,
	});
	if (isNoAnswer(answer)) return { kind: 'trouble', trouble: toTrouble(answer) };
	const parsed = parseJson(answer.body);
	const task = answer.status < 300 ? readTask(parsed, task_id) : undefined;
	if (task) return { kind: 'task', task, answer: parsed };
	return { kind: 'trouble', trouble: toTrouble(answer), retryAfterMs: readRetryAfter(answer) };
}

/** An opaque id as part of a path. Half a surrogate pair has no encoding: no URL can hold it. */
const toPathSegment = (task_id: string) =>
	encodeURIComponent(task_id.replace(/\p{Surrogate}/gu, '\uFFFD'));

/** The documented content address of a task. */
export const contentUrl = ({ baseUrl }: Pick<Connection, 'baseUrl'>, task_id: string) =>
	`${baseUrl}/v1/videos/${toPathSegment(task_id)}/content`;
