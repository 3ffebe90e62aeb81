import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toFaultError, toServiceError, type ServiceError } from './trouble';
import {
	isNetworkFault,
	openStream,
	type Connection,
	type StreamAnswer,
	type StreamOptions,
} from './http';
import { parseJson } from '../lib/json';
import type { NetworkFault } from './noAnswer';
import { readRetryAfter } from './retry';
import type { Send } from './connection';
import { toUnanswered, type Unanswered } from './paid';
import { readSubmittedId, readTask, type VideoTask } from './videoTask';

/** Body of `POST /v1/video/generations`: documented fields, and what deployments read besides. */
export interface SubmitRequest extends IDataObject {
	model: string;
	prompt: string;
	/** Image URL, base64 or data URI. */
	image?: string;
}

/** `accepted`: a task exists and is paid for. `unclear`: one may exist; another submit may pay twice. */
export type SubmitResult = { kind: 'accepted'; task_id: string; answer: unknown } | Unanswered;

export type FetchResult =
	| { kind: 'task'; task: VideoTask; answer: unknown }
	| { kind: 'trouble'; error: ServiceError; retryAfterMs?: number };

const SUBMIT_TIMEOUT_MS = 120_000;
const POLL_TIMEOUT_MS = 30_000;

/**
 * Submits once. What an unclear answer means is for the caller; nothing is repeated here. `signal`
 * ends the request in place of n8n's own, which would lose the id of a task under way.
 */
export async function submit(
	send: Send,
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
	if (isNetworkFault(answer)) return toUnanswered(answer);
	const parsed = parseJson(answer.body);
	const task_id = answer.status < 300 ? readSubmittedId(parsed) : undefined;
	return task_id ? { kind: 'accepted', task_id, answer: parsed } : toUnanswered(answer);
}

/** Asks for a task once. `task_id` is opaque and may be long: it is URL-encoded here. */
export async function fetchTask(send: Send, task_id: string): Promise<FetchResult> {
	const answer = await send({
		method: 'GET',
		path: `/v1/video/generations/${toPathSegment(task_id)}`,
		timeoutMs: POLL_TIMEOUT_MS,
	});
	if (isNetworkFault(answer)) return { kind: 'trouble', error: toFaultError(answer) };
	const parsed = parseJson(answer.body);
	const task = answer.status < 300 ? readTask(parsed, task_id) : undefined;
	if (task) return { kind: 'task', task, answer: parsed };
	return { kind: 'trouble', error: toServiceError(answer), retryAfterMs: readRetryAfter(answer) };
}

/** An opaque id as part of a path. Half a surrogate pair has no encoding: no URL can hold it. */
const toPathSegment = (task_id: string) =>
	encodeURIComponent(task_id.replace(/\p{Surrogate}/gu, '\uFFFD'));

/** The documented content address of a task. */
export const contentUrl = ({ baseUrl }: Connection, task_id: string) =>
	`${baseUrl}/v1/videos/${toPathSegment(task_id)}/content`;

/** Opens the video's bytes; the key goes along only where `withKey` says so. */
export async function openContent(
	context: IExecuteFunctions,
	{ credential }: Connection,
	url: string,
	withKey: boolean,
	options: StreamOptions,
): Promise<StreamAnswer | NetworkFault> {
	return await openStream(context, withKey ? credential : undefined, url, options);
}
