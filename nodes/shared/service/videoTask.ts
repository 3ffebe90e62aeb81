import type { IDataObject } from 'n8n-workflow';

import { toHttpUrl } from './baseUrl';
import { isObject, toText } from '../lib/json';

/** The contract's four words. */
export type TaskStatus = 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE';

/** A task as the contract describes it, whatever the deployment said. */
export interface VideoTask {
	task_id: string;
	status: TaskStatus;
	/** 0 to 100. */
	progress: number;
	/** Only what parses as an http(s) URL. */
	result_url?: string;
	fail_reason?: string;
	model?: string;
}

/**
 * Words that deployments use, in lower case. Whatever is not known to be final is not final: an
 * unknown word reads as IN_PROGRESS.
 */
const STATUS_WORDS = new Map<string, TaskStatus>(
	Object.entries({
		'': 'queued',
		not_start: 'queued',
		pending: 'queued',
		queued: 'queued',
		submitted: 'queued',
		unknown: 'queued',
		completed: 'SUCCESS',
		succeed: 'SUCCESS',
		succeeded: 'SUCCESS',
		success: 'SUCCESS',
		cancelled: 'FAILURE',
		canceled: 'FAILURE',
		expired: 'FAILURE',
		failed: 'FAILURE',
		failure: 'FAILURE',
	}),
);

export const isFinal = (status: TaskStatus) => status === 'SUCCESS' || status === 'FAILURE';

const toId = (value: unknown): string | undefined =>
	typeof value === 'number' && Number.isFinite(value) ? String(value) : toText(value);

/**
 * Finds the task id in the answer to a submit. Old deployments send `id` only, some wrap the
 * record in `data`. `undefined` where there is none.
 */
export function readSubmittedId(answer: unknown): string | undefined {
	if (!isObject(answer)) return undefined;
	const record = isObject(answer.data) ? answer.data : answer;
	return toId(record.task_id) ?? toId(record.id) ?? toId(answer.task_id) ?? toId(answer.data);
}

/**
 * Reads the answer to a poll: the documented envelope, a vendor's record inside it, or a flat
 * record. Returns `undefined` where the answer is no task record. Never throws.
 */
export function readTask(answer: unknown, task_id: string): VideoTask | undefined {
	const record = findRecord(answer);
	if (!record) return undefined;
	const status = readStatus(record.status);
	const task: VideoTask = { task_id, status, progress: readProgress(record.progress, status) };
	const url = status === 'SUCCESS' ? readVideoUrl(record) : undefined;
	const reason = status === 'FAILURE' ? readFailReason(record) : undefined;
	const model = toText(record.model) ?? readModel(record.properties);
	if (url) task.result_url = url;
	if (reason) task.fail_reason = reason;
	if (model) task.model = model;
	return task;
}

/**
 * A record is an object with a status in words. Some envelopes have a status of their own, and some
 * flat records carry the vendor's in `data`: the one with an id is the task.
 */
function findRecord(answer: unknown): IDataObject | undefined {
	if (!isObject(answer)) return undefined;
	const [outer, inner] = [answer, answer.data].map((record) =>
		isObject(record) && typeof record.status === 'string' ? record : undefined,
	);
	const isTask = toId(outer?.task_id) ?? toId(outer?.id);
	return inner && !isTask ? inner : outer;
}

function readStatus(word: unknown): TaskStatus {
	return STATUS_WORDS.get(String(word).trim().toLowerCase()) ?? 'IN_PROGRESS';
}

/** Text with a percent sign, a number, or nothing. It can go down and is 100% on FAILURE too. */
function readProgress(progress: unknown, status: TaskStatus): number {
	if (status === 'SUCCESS') return 100;
	const number = typeof progress === 'string' ? Number.parseFloat(progress) : progress;
	if (typeof number !== 'number' || !Number.isFinite(number)) return 0;
	return Math.min(100, Math.max(0, Math.round(number)));
}

/** The oldest deployments put the video's URL into `fail_reason`. */
function readVideoUrl(record: IDataObject): string | undefined {
	return [record.result_url, record.url, record.video_url, record.fail_reason]
		.map(toText)
		.find((text) => toHttpUrl(text) !== undefined);
}

/** Some deployments put the text of the failure into `result_url`; some send an object. */
function readFailReason(record: IDataObject): string | undefined {
	const error = isObject(record.error) ? record.error.message : record.error;
	return [record.fail_reason, error, record.reason, record.message, record.result_url]
		.map(toText)
		.find((text) => text !== undefined && toHttpUrl(text) === undefined);
}

const readModel = (properties: unknown) =>
	isObject(properties) ? toText(properties.origin_model_name) : undefined;
