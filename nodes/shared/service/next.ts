import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toText } from '../lib/json';
import type { TaskStatus } from './answerPaths';
import type { Failure } from './failure';

/**
 * The next step for a failing item, for workflows that branch on it. `retry`: run it again.
 * `followTask`: follow its task with Video Status or Video Download. `changeRequest`: change
 * something, then run it again. `checkUsage`: look at the service's usage page, because something
 * may be paid for whose ID nobody knows.
 */
export type Next = (typeof NEXT)[number];
const NEXT = ['retry', 'followTask', 'changeRequest', 'checkUsage'] as const;

/** Whether the service charges for an item, as far as is known. */
export type Billed = 'yes' | 'no' | 'unknown';

/** A task is billed when it is submitted; whether a failed one is refunded, no record says. */
export const toBilled = (status?: TaskStatus): Billed => (status === 'FAILURE' ? 'unknown' : 'yes');

/** Returns whether the item of a failure is billed, in a node that submits videos. */
export function billedFor({ certainty, task }: Failure): Billed {
	if (certainty !== undefined) return certainty === 'refused' ? 'no' : 'unknown';
	return task?.task_id === undefined ? 'no' : toBilled(task.status);
}

/** Returns whether running the item again may help, without paying again for what may be paid. */
export const isRetryable = ({ passes, certainty }: Failure) => passes && certainty !== 'unclear';

/** Returns whether the service itself says that there is no such task, for this key. */
export const isUnknownTask = ({ code, because }: Failure) =>
	[code, because?.code].includes('task_not_exist');

export function nextFor(failure: Failure): Next {
	const { during, certainty, end, task } = failure;
	if (certainty === 'unclear') return 'checkUsage';
	const isPaid = task?.task_id !== undefined && task.status !== 'FAILURE';
	const isNone = isUnknownTask(failure) && task?.status === undefined;
	if (during === 'render') return end?.state === 'failed' ? 'changeRequest' : 'followTask';
	if (isPaid && !isNone) return 'followTask';
	return isRetryable(failure) ? 'retry' : 'changeRequest';
}

/**
 * Returns whether the `error` of an incoming item is one of `toErrorFields`. Beside it stand, from n8n's
 * error output, the fields of the item that had come in: what they tell is older than the failure.
 */
export const isOwnError = (error: unknown): error is IDataObject =>
	isObject(error) && NEXT.some((next) => next === error.next);

/** Matches a message of a video node; a row of a sheet may have nothing else of its error. */
const OWN_MESSAGE =
	/^(?:The video (was not submitted|may or may not)|.{1,3000}\(task ([^\s()]+)\)).{0,3000} \[item \d+\]$/s;

/**
 * Reads the `error` of an incoming item: as JSON, within a later one of Generate Content, or from its message
 * alone.
 */
export function readError(error: unknown): unknown {
	const read = typeof error === 'string' ? (parseJson(error) ?? error) : error;
	if (isObject(read) && isObject(read.video_error)) return read.video_error;
	if (isOfTask(read)) return read;
	const message = isObject(read) ? read.message : read;
	const [whole, verb, task_id] = (typeof message === 'string' && OWN_MESSAGE.exec(message)) || [];
	if (whole === undefined) return error;
	const told: Record<string, { next: Next; billed: Billed }> = {
		'was not submitted': { next: 'retry', billed: 'no' },
		'may or may not': { next: 'checkUsage', billed: 'unknown' },
	};
	return { message, ...(told[verb] ?? { next: 'followTask' satisfies Next, task_id }) };
}

/** Returns whether an incoming item stands for the task of its `error` alone, if that names one. */
export const isOfTask = (error: unknown): error is IDataObject =>
	isOwnError(error) ||
	(isObject(error) && (toText(error.task_id) !== undefined || Number.isSafeInteger(error.task_id)));
