import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';
import { findObjects } from './answerObjects';
import { toHttpUrl } from './baseUrl';
import { readCharge, type Charge, type Cost } from './cost';
import { idsOf } from './taskId';
import { readStatus, statusOf, type TaskStatus } from './taskStatus';

export { isFinal, isStatus, type TaskStatus } from './taskStatus';

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
	/**
	 * A FAILURE that may be none: some records are the vendor's answer of this moment, and whatever
	 * went wrong with asking the vendor reads as the task's own failure.
	 */
	mayPass?: true;
	/**
	 * A SUCCESS in the words of the vendor, who says so of a film that its filter has taken, too: the
	 * gateway hands the state on, and looks for the film only when it is downloaded.
	 */
	mayBeWithheld?: true;
	/** What the record says of money. */
	charge?: Charge;
	cost?: Cost;
}

/**
 * Reads the answer to a poll: the documented envelope or any other, a vendor's record inside it, or
 * a flat record. Returns `undefined` where the answer is no task record. Never throws.
 */
export function readTask(answer: unknown, task_id: string): VideoTask | undefined {
	const record = findRecord(answer, task_id);
	if (!record) return undefined;
	const status = readStatus(statusOf(record) ?? '');
	const task: VideoTask = { task_id, status, progress: readProgress(record.progress, status) };
	const url = status === 'SUCCESS' ? readVideoUrl(record) : undefined;
	const reason = status === 'FAILURE' ? readFailReason(record) : undefined;
	const model = toText(record.model) ?? readModel(record.properties);
	if (url) task.result_url = url;
	if (reason) task.fail_reason = reason;
	if (model) task.model = model;
	if (status === 'FAILURE' && isLive(record)) task.mayPass = true;
	if (status === 'SUCCESS' && isLive(record)) task.mayBeWithheld = true;
	const charge = status === 'SUCCESS' ? readCharge(record) : undefined;
	if (charge) task.charge = charge;
	return task;
}

/**
 * A record is an object with a status in words. Some envelopes have a status of their own, and some
 * records carry the vendor's inside: the one with the task's id is the task, or with any id.
 */
function findRecord(answer: unknown, task_id: string): IDataObject | undefined {
	const records = findObjects(answer).filter(({ object }) => statusOf(object) !== undefined);
	const named = records.find(({ object }) => idsOf(object).includes(task_id));
	const withId = records.find(({ object }) => idsOf(object).length > 0);
	const inner = records.find(({ depth }) => depth > 0);
	return (named ?? withId ?? inner ?? records[0])?.object;
}

/** The record of a deployment that asks the vendor at each poll (Veo) has these two, and no others do. */
const isLive = (record: IDataObject) => 'format' in record && 'url' in record;

/** Text with a percent sign, a number, or nothing. It can go down and is 100% on FAILURE too. */
function readProgress(progress: unknown, status: TaskStatus): number {
	if (status === 'SUCCESS') return 100;
	const number = typeof progress === 'string' ? Number.parseFloat(progress) : progress;
	if (typeof number !== 'number' || !Number.isFinite(number)) return 0;
	return Math.min(100, Math.max(0, Math.round(number)));
}

/** The oldest deployments put the video's URL into `fail_reason`. */
function readVideoUrl(record: IDataObject): string | undefined {
	const { result_url, resultUrl, url, video_url, videoUrl, fail_reason } = record;
	return [result_url, resultUrl, url, video_url, videoUrl, fail_reason]
		.map(toText)
		.find((text) => toHttpUrl(text) !== undefined);
}

/** Some deployments put the text of the failure where the URL would be; some send an object. */
function readFailReason(record: IDataObject): string | undefined {
	const error = isObject(record.error) ? record.error.message : record.error;
	const { fail_reason, failReason, reason, message, result_url, url } = record;
	return [fail_reason, failReason, error, reason, message, result_url, url]
		.map(toText)
		.find((text) => text !== undefined && toHttpUrl(text) === undefined);
}

const readModel = (properties: unknown) =>
	isObject(properties) ? toText(properties.origin_model_name) : undefined;
