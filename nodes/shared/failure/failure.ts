import type { IDataObject } from 'n8n-workflow';

import { isObject, toText, withoutGaps } from '../lib/json';
import type { Made } from '../lib/mediaType';
import { lowerFirst, sentences } from '../lib/text';
import type { Reason } from './reason';

/** Whether the service charges for a task, as far as is known. */
export type Billed = 'yes' | 'no' | 'unknown';

/**
 * The next step for a failing item, for workflows that branch on it. `retry`: run it again.
 * `followTask`: follow its task with Video Status or Video Download. `changeRequest`: change
 * something, then run it again. `checkAccount`: the key or the account is at fault, and no item.
 * `checkUsage`: look at the service's usage page, because something may be paid for whose ID nobody
 * knows.
 */
export type Next = (typeof NEXT)[number];
const NEXT = ['retry', 'followTask', 'changeRequest', 'checkAccount', 'checkUsage'] as const;

/**
 * Why an item has no result, complete when made: plain JSON, spelled as the fields of an item's `error`.
 * Whoever ends the item makes it.
 */
export interface Failure {
	/**
	 * What has failed: to `read` the item, or to `check`, to `render` or to store the `file` of its task; the
	 * service has `refused` the submit, or nobody knows whether it has (`unclear`); there is no `text`;
	 * the `list` of tasks was not told; a task may not have heard that it is to `cancel`.
	 */
	readonly kind:
		'read' | 'refused' | 'unclear' | 'check' | 'render' | 'file' | 'text' | 'list' | 'cancel';
	/** One sentence for a person, without the item. */
	readonly message: string;
	readonly description?: string;
	/** What a chat or an agent hears in place of the description. */
	readonly then?: string;
	readonly billed: Billed;
	readonly next: Next;
	/** Running the item again may help, without paying again for what may be paid. */
	readonly retryable: boolean;
	readonly task_id?: string;
	readonly status?: string;
	/** The service's own word or words for it. */
	readonly fail_reason?: string;
	readonly http_code?: number;
	/** When an unclear submit was sent, as ISO 8601: the usage page shows it at this time. */
	readonly submitted_at?: string;
	/** What a model wrote: it is paid for. */
	readonly text?: string;
	/** It concerns all items, such as a credential that cannot be read. */
	readonly ofAllItems?: boolean;
	/** Of a request that costs money and was declined before any work: says when it may be sent again. */
	readonly refusal?: Reason;
}

export const isFailure = (value: object | undefined): value is Failure =>
	value !== undefined && 'kind' in value;

/** Of a request that the service has declined. */
export const NOT_BILLED = 'Nothing is billed for this item.';
/** Of an item that was refused before any request that costs money. */
export const NOT_SUBMITTED = 'Nothing was submitted.';
/** The same once something was. */
export const NOTHING_MORE = 'Nothing more was submitted.';

interface Thrown {
	message?: unknown;
	description?: unknown;
	/** What the service has met, if that and no parameter is wrong. */
	reason?: Reason;
}

const NO_PARAMETER = { passes: false };

/** Returns a failure for anything thrown by a parameter, an expression, a credential or a file. */
export function readFailed(
	thrown: unknown,
	{ task_id, ofAllItems }: Pick<Failure, 'task_id' | 'ofAllItems'> = {},
): Failure {
	const { message, description, reason } = (thrown ?? {}) as Thrown;
	return withoutGaps<Failure>({
		kind: 'read',
		message: toText(message) ?? 'The item was not processed',
		description: sentences(toText(description), task_id && `Task ID: ${task_id}`),
		billed: task_id === undefined ? 'no' : 'yes',
		next: task_id === undefined ? nextAfter(reason ?? NO_PARAMETER) : 'followTask',
		retryable: reason?.passes === true,
		...{ task_id, ofAllItems, http_code: reason?.httpCode },
	});
}

const LATER = 'Try the same request again in a minute, not right away.';

/**
 * The service, or one of our limits, declined a submit before any work was done.
 *
 * @param made what was to be made
 */
export function submitRefused(reason: Reason, made: Made = 'video'): Failure {
	const { message, description: words, advice, httpCode, passes } = reason;
	const description = sentences(words, advice, NOT_BILLED);
	return withoutGaps<Failure>({
		kind: 'refused',
		message: `The ${made} was not submitted: ${lowerFirst(message)}`,
		description,
		// A limit of our own says itself when it passes.
		then: passes && httpCode !== undefined ? sentences(description, LATER) : undefined,
		billed: 'no',
		next: nextAfter(reason),
		retryable: passes,
		http_code: httpCode,
		refusal: reason,
	});
}

/** Returns what to do about a reason that has no task. */
export const nextAfter = ({ account, passes }: Pick<Reason, 'account' | 'passes'>): Next => {
	if (passes) return 'retry';
	return account ? 'checkAccount' : 'changeRequest';
};

const maybeBilled = (where = 'the usage page of the service') =>
	`A task may exist and be billed, although its ID is not known, so it was not submitted again. Do not submit it again before a person has looked at ${where}.`;
const MAYBE_THIS =
	'The service names a task, which may be this one or another, so it was not submitted again. Look at the task with Video Status before you do.';

/** What is known of a submit that may have been carried out. */
interface UnclearSubmit {
	submitted_at?: string;
	/** The beginning of what came: it may help a person to find what was paid for. */
	body?: string;
	/** What came names it; nobody knows whether it is this one's. */
	task_id?: string;
	makes?: Made;
	/** Where people see what their key has ordered. */
	shownAt?: string;
}

/** The submit may have been carried out, and charged. */
export function submitUnclear(
	reason: Reason,
	{ submitted_at, body, task_id, makes = 'video', shownAt }: UnclearSubmit,
): Failure {
	const { message, description, httpCode } = reason;
	return withoutGaps<Failure>({
		kind: 'unclear',
		message: `The ${makes} may or may not have been accepted: ${lowerFirst(message)}${inBrackets(task_id)}`,
		description: sentences(
			// The answer is quoted as it came, so words that it contains are not said twice.
			description && body?.includes(description) ? '' : description,
			task_id === undefined ? maybeBilled(shownAt) : MAYBE_THIS,
			body && `What the service sent: ${body}`,
		),
		billed: 'unknown',
		next: 'checkUsage',
		retryable: false,
		task_id,
		http_code: httpCode,
		submitted_at,
	});
}

/** Returns how messages name a task. */
export const inBrackets = (task_id?: string) => (task_id === undefined ? '' : ` (task ${task_id})`);

/** The record of a task could not be fetched. */
export function checkFailed(reason: Reason, task_id: string): Failure {
	const { message, description, advice, httpCode, passes, unknownTask } = reason;
	return withoutGaps<Failure>({
		kind: 'check',
		message: `The task could not be checked: ${lowerFirst(message)}${inBrackets(task_id)}`,
		description: sentences(description, advice),
		billed: 'yes',
		next: unknownTask ? nextAfter(reason) : 'followTask',
		retryable: passes,
		task_id,
		http_code: httpCode,
	});
}

/** The tasks of a key could not be listed. */
export const listFailed = (reason: Reason): Failure =>
	withoutGaps<Failure>({
		kind: 'list',
		message: `The tasks could not be listed: ${lowerFirst(reason.message)}`,
		description: sentences(reason.description, reason.advice),
		billed: 'no',
		next: nextAfter(reason),
		retryable: reason.passes,
		http_code: reason.httpCode,
	});

/** A task was told to end, and may not have heard it. */
export const cancelFailed = (reason: Reason, task_id: string): Failure => ({
	...checkFailed(reason, task_id),
	kind: 'cancel',
	message: `The task could not be canceled: ${lowerFirst(reason.message)}${inBrackets(task_id)}`,
});

/**
 * Returns whether the `error` of an incoming item is one of ours. Beside it stand, from n8n's error output,
 * the fields of the item that had come in: what they tell is older than the failure.
 */
export const isOwnError = (error: unknown): error is IDataObject =>
	isObject(error) && NEXT.some((next) => next === error.next);
