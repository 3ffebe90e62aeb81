import type { IDataObject } from 'n8n-workflow';

import { toObject, toObjects, toText, withoutGaps } from '../lib/json';
import { readCharge, type Charge, type Cost } from './cost';
import { toHttpUrl } from './credential';
import type { RouteName } from './routes';
import { findError, meansSuccess } from './serviceWords';

/** The state of a task, in the contract's four words. */
export type TaskStatus = 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE';

/** The words that deployments use for each state, in lower case. */
const STATUS_WORDS: Array<[TaskStatus, string[]]> = [
	['queued', ['', 'not_start', 'pending', 'queued', 'submitted', 'unknown']],
	['IN_PROGRESS', ['in_progress', 'processing', 'running']],
	['SUCCESS', ['completed', 'succeed', 'succeeded', 'success']],
	['FAILURE', ['cancelled', 'canceled', 'expired', 'failed', 'failure']],
];

const statusOf = ({ status, task_status, taskStatus }: IDataObject): string | undefined =>
	[status, task_status, taskStatus].find((word) => typeof word === 'string');

const findStatus = (word: string): TaskStatus | undefined =>
	STATUS_WORDS.find(([, words]) => words.includes(word.trim().toLowerCase()))?.[0];

/** Returns the state that a word means; a word that is not known to be final is not final. */
export const readStatus = (word: string): TaskStatus => findStatus(word) ?? 'IN_PROGRESS';

/** Returns whether a value is one of the contract's words, in their exact spelling. */
export const isStatus = (value: unknown): value is TaskStatus =>
	STATUS_WORDS.some(([status]) => status === value);

export const isFinal = (status: TaskStatus) => status === 'SUCCESS' || status === 'FAILURE';

/** Deployments, and those who resell them, put tasks into objects or lists of these names. */
const ENVELOPES = [
	...['data', 'result', 'results', 'output', 'outputs', 'response', 'task', 'tasks', 'video'],
	...['videos', 'generation', 'generations', 'job', 'record', 'item', 'items', 'body', 'payload'],
];
const MAX_ENVELOPES = 3;

/** Returns the objects of an answer that may be its task, the outer ones first. */
function objectsIn(answer: unknown): IDataObject[] {
	let level = toObjects([answer].flat());
	const found = [level];
	for (let depth = 0; depth < MAX_ENVELOPES; depth++) {
		const inner = level.flatMap((object) => ENVELOPES.flatMap((name) => object[name]));
		found.push((level = toObjects(inner)));
	}
	return found.flat();
}

/** Matches what programs write if they have no ID, and dots, which would change an address's path. */
const NO_ID = /^(0|nan|none|null|undefined|\.{1,2})$/i;

/** Returns an ID as text, also one that is a number; `undefined` for 0 and others that mean none. */
function toId(value: unknown): string | undefined {
	const text = Number.isSafeInteger(value) && Number(value) > 0 ? String(value) : toText(value);
	return text === undefined || NO_ID.test(text) ? undefined : text;
}

/**
 * Returns the IDs of tasks in the answer to a submit, the submitted one first. The names `task_id`
 * and `taskId` win. Without them, the IDs are the `id` of records, or else of objects with the name
 * `task`, or else of those inside an envelope, whose own `id` may be that of the request.
 */
export function readTaskIds(answer: unknown): string[] {
	const objects = objectsIn(answer);
	const own = objects
		.map(({ task_id, taskId }) => toId(task_id) ?? toId(taskId))
		.filter((id) => id !== undefined);
	if (own.length > 0) return [...new Set(own)];
	const named = objects.filter((object) => toId(object.id) !== undefined && mayBeTask(object));
	const tasks = tasksIn(objects);
	const kinds = [
		named.filter(isRecord),
		named.filter((object) => tasks.has(object)),
		named.filter((object) => object !== answer),
		named,
	];
	const found = kinds.find(({ length }) => length > 0) ?? [];
	return [...new Set(found.map(({ id }) => toId(id)!))];
}

/** Returns what stands under the name `task` or `tasks`. */
const tasksIn = (objects: IDataObject[]) =>
	new Set<unknown>(objects.flatMap(({ task, tasks }) => [task, tasks].flat()));

/** Returns the ID of a task in an answer that says no: the task exists all the same. */
export function findRecordId(answer: unknown): string | undefined {
	const objects = objectsIn(answer);
	const tasks = tasksIn(objects);
	const isTask = (one: IDataObject) => isRecord(one) || tasks.has(one);
	return toId(objects.find((one) => toId(one.id) !== undefined && isTask(one))?.id);
}

/** Returns whether an object says how far its task is; an envelope says how the request went. */
function isRecord(object: IDataObject): boolean {
	const status = findStatus(statusOf(object) ?? 'SUCCESS') ?? 'SUCCESS';
	return status !== 'SUCCESS' || object.progress !== undefined || object.object === 'video';
}

/** Returns whether the `id` may be a task's, and not that of a refusal, for example. */
function mayBeTask(object: IDataObject): boolean {
	const { code } = object;
	const error = findError(object);
	const words = error ? error.message : object.error;
	const isCoded = code !== undefined && code !== null && code !== '';
	const saysNo = toText(words) !== undefined || (isCoded && !meansSuccess(code));
	const isOther = typeof object.object === 'string' && !/video|task/i.test(object.object);
	return !isOther && (!saysNo || isRecord(object));
}

/** A task as the contract describes it, whatever the deployment said. */
export interface VideoTask {
	task_id: string;
	status: TaskStatus;
	/** 0 to 100. */
	progress: number;
	/** Only if it parses as an http(s) URL. */
	result_url?: string;
	/** A picture of the last frame, if it was asked for; only if it parses as an http(s) URL. */
	last_frame_url?: string;
	fail_reason?: string;
	model?: string;
	/**
	 * The gateway asks the vendor at each fetch of the record, so `createFetch` fetches it seldom. A
	 * FAILURE in it may be mere trouble with asking, and a SUCCESS that of a video which the vendor's
	 * filter has removed.
	 */
	hasLiveRecord?: boolean;
	/** The route on which the service told of it. */
	route?: RouteName;
	charge?: Charge;
	cost?: Cost;
}

/** Reads the answer to a poll, in any envelope; returns `undefined` if it holds no task record. */
export function readTask(answer: unknown, task_id: string): VideoTask | undefined {
	const record = findRecord(answer, task_id);
	if (!record) return undefined;
	const status = readStatus(statusOf(record) ?? '');
	const isDone = status === 'SUCCESS';
	return withoutGaps<VideoTask>({
		task_id,
		status,
		progress: readProgress(record.progress, status),
		model: toText(record.model) ?? toText(toObject(record.properties).origin_model_name),
		// Only the records for which a deployment asks the vendor at each poll (Veo) have both fields.
		hasLiveRecord: ('format' in record && 'url' in record) || undefined,
		result_url: isDone ? readVideoUrl(record) : undefined,
		last_frame_url: isDone ? readLastFrameUrl(record) : undefined,
		charge: isDone ? readCharge(record) : undefined,
		fail_reason: status === 'FAILURE' ? readFailReason(record) : undefined,
	});
}

/**
 * Returns the object with a status in words. Some envelopes have a status of their own, and some
 * records contain the vendor's. So one with the task's ID wins, then one with any, then an inner one.
 */
function findRecord(answer: unknown, task_id: string): IDataObject | undefined {
	const records = objectsIn(answer).filter((object) => statusOf(object) !== undefined);
	const idsOf = ({ task_id: own, taskId, id }: IDataObject) => [own, taskId, id].map(toId);
	const named = records.find((object) => idsOf(object).includes(task_id));
	const withId = records.find((object) => idsOf(object).some((id) => id !== undefined));
	const inner = records.find((object) => object !== answer);
	return named ?? withId ?? inner ?? records[0];
}

/** Returns 0 to 100 from a text with a percent sign, a number, or nothing. */
function readProgress(progress: unknown, status: TaskStatus): number {
	if (status === 'SUCCESS') return 100;
	const number = ['string', 'number'].includes(typeof progress) ? parseFloat(String(progress)) : 0;
	return Math.min(100, Math.max(0, Math.round(number))) || 0;
}

/** Returns the video's URL, which the oldest deployments put into `fail_reason`. */
function readVideoUrl(record: IDataObject): string | undefined {
	const { result_url, resultUrl, url, video_url, videoUrl, fail_reason } = record;
	return [result_url, resultUrl, url, video_url, videoUrl, fail_reason]
		.map(toText)
		.find((text) => toHttpUrl(text) !== undefined);
}

/** Returns the last frame's URL, which the gateway passes on in the vendor's own answer (Seedance). */
const readLastFrameUrl = (record: IDataObject): string | undefined =>
	objectsIn(record)
		.flatMap(({ last_frame_url, content }) => [last_frame_url, toObject(content).last_frame_url])
		.map(toText)
		.find((text) => toHttpUrl(text) !== undefined);

/** Returns why a task failed. Some deployments say so where the URL would be, some in an object. */
function readFailReason(record: IDataObject): string | undefined {
	const { message: error } = findError(record) ?? { message: record.error };
	const { fail_reason, failReason, reason, message, result_url, url } = record;
	return [fail_reason, failReason, error, reason, message, result_url, url]
		.map(toText)
		.find((text) => text !== undefined && toHttpUrl(text) === undefined);
}
