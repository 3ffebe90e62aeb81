import type { IDataObject } from 'n8n-workflow';

import { type Billed, endOf, STATES, type TaskStatus } from '../service/answerPaths';
import { isOutOfCredit } from '../service/later';
import {
	type CheckFailure,
	isFailure,
	type Reason,
	type RefusedSubmit,
	type UnclearSubmit,
} from '../service/reason';
import { BY_VENDOR } from '../service/serviceWords';
import type { VideoTask } from '../service/videoTask';
import { isObject, toText } from '../lib/json';

/** Why an item has no result: facts alone, complete when made. `words.ts` words them. */
export type Failure =
	| ReadFailure
	| RefusedSubmit
	| UnclearSubmit
	| CheckFailure
	| RenderFailure
	| FileFailure
	| TextFailure;

/** A parameter, an expression, a credential or a file of the item cannot be read. */
interface ReadFailure extends Reason {
	readonly kind: 'read';
	/** The task of an earlier try. */
	readonly task_id?: string;
	/** It concerns all items, such as a credential that cannot be read. */
	readonly ofAllItems?: boolean;
}

/** The wait for a task ended without a video. */
export interface RenderFailure extends Reason {
	readonly kind: 'render';
	/** `failed`: the service says FAILURE. `timedOut`: Max Wait is over. `lost`: too many checks failed. */
	readonly state: 'failed' | 'timedOut' | 'lost';
	readonly task: VideoTask;
	readonly maxWaitMs: number;
	/** The workflow's own limit ends the wait, and not Max Wait. */
	readonly workflowEnds?: boolean;
	/** What the last check met. */
	readonly because?: Reason;
}

/** A video could not be downloaded. */
export interface FileFailure extends Reason {
	readonly kind: 'file';
	/** As far as it is known. */
	readonly task: Partial<VideoTask>;
	readonly because: AddressFailure | CheckFailure;
	/** What the other way to the file met: a check of its task, or another address. */
	readonly orElse?: AddressFailure | CheckFailure;
}

/** One address gave no file. */
export interface AddressFailure extends Reason {
	readonly kind: 'address';
	/** A host that is not the service's; the message begins with what leads there. */
	readonly host?: { what: string; origin: string };
	/** No other address of the same file would work better. */
	readonly everywhere?: boolean;
}

/** There is no text that can be used as it is. */
export interface TextFailure extends Reason {
	readonly kind: 'text';
	readonly how: TextEnd;
	/** Why the model stopped, or a filter blocked, in the service's word. */
	readonly reason?: string;
	/** As it came. */
	readonly usage?: IDataObject;
	/** What the model wrote: it is paid for. */
	readonly text?: string;
}

/**
 * `refused`: before any work. `cut`: only a part came, and `missing`: nothing. `unstored`: n8n could not
 * take it. `stopped`: the model ended it. `blocked`: a filter did. `empty`: it holds nothing. `unfit`: it
 * is not what was asked for.
 */
export type TextEnd =
	(typeof UNCLEAR_TEXTS)[number] | ('refused' | 'stopped' | 'blocked' | 'empty' | 'unfit');
const UNCLEAR_TEXTS = ['cut', 'missing', 'unstored'] as const;

/** Returns a failure for anything thrown by a parameter, an expression, a credential or a file. */
export function toReadFailure(
	thrown: unknown,
	facts: Pick<ReadFailure, 'task_id' | 'ofAllItems'> = {},
): ReadFailure {
	const { message, description } = (thrown ?? {}) as { message?: unknown; description?: unknown };
	return {
		kind: 'read',
		message: toText(message) ?? 'The item was not processed',
		description: toText(description),
		passes: false,
		...facts,
	};
}

/** Returns why an address gives no file; unless `facts` say so, another try would not help. */
export const addressFailure = (
	message: string,
	facts: Partial<AddressFailure> = {},
): AddressFailure => ({ passes: false, ...facts, kind: 'address', message });

/** Returns the task of a failure, as far as it has one. */
export function taskOf(failure: Failure): Partial<VideoTask> {
	if ('task' in failure) return failure.task;
	return 'task_id' in failure ? { task_id: failure.task_id } : {};
}

/** Returns what the service or the network met last. */
export const lastReasonOf = (failure: Failure): Reason =>
	('because' in failure && failure.because) || failure;

/** A task is billed when it is submitted. */
export const toBilled = (status?: TaskStatus): Billed => (status ? STATES[status].billed : 'yes');

/** Returns whether the item of a failure is billed, in a node that submits videos. */
export function billedFor(failure: Failure): Billed {
	if (failure.kind === 'refused') return 'no';
	if (failure.kind === 'unclear') return 'unknown';
	const { task_id, status } = taskOf(failure);
	return task_id === undefined ? 'no' : toBilled(status);
}

const isUnclearText = (failure: Failure) =>
	failure.kind === 'text' && UNCLEAR_TEXTS.some((how) => how === failure.how);

/** Returns whether nobody knows if something was made, and paid for, whose ID or text is missing. */
const isUnclear = (failure: Failure) => failure.kind === 'unclear' || isUnclearText(failure);

/** Returns whether running the item again may help, without paying again for what may be paid. */
export const isRetryable = (failure: Failure) =>
	failure.passes && !isUnclear(failure) && !isKeptBack(failure);

/** Returns whether a filter kept a video back although its task is done: only then a done task has a reason (Veo). */
export const isKeptBack = (failure: Failure) =>
	failure.kind === 'file' &&
	endOf(failure.task.status) === 'done' &&
	failure.task.fail_reason !== undefined;

/** Returns why the service refused a request that costs money, before any work; otherwise `undefined`. */
export function findRefusal(result: object): Reason | undefined {
	if (!isFailure(result as Failure)) return undefined;
	const failure = result as Failure;
	const isText = failure.kind === 'text' && failure.how === 'refused';
	return isText || failure.kind === 'refused' ? failure : undefined;
}

/** Returns whether the service itself says that there is no such task, for this key. */
/** Of a task that is done and has no file, or no longer: Replicate deletes files after an hour. */
export const NO_FILE = 'NO_FILE';

export const isUnknownTask = ({ code }: Reason) => code === 'task_not_exist';

/**
 * The next step for a failing item, for workflows that branch on it. `retry`: run it again.
 * `followTask`: follow its task with Video Status or Video Download. `changeRequest`: change
 * something, then run it again. `checkAccount`: the key or the account is at fault, and no item.
 * `checkUsage`: look at the service's usage page, because something may be paid for whose ID nobody
 * knows.
 */
export type Next = (typeof NEXT)[number];
const NEXT = ['retry', 'followTask', 'changeRequest', 'checkAccount', 'checkUsage'] as const;

export function nextFor(failure: Failure): Next {
	if (isUnclear(failure)) return 'checkUsage';
	const isFailed = failure.kind === 'render' && failure.state === 'failed';
	if (isFailed || isKeptBack(failure)) return 'changeRequest';
	const { task_id, status } = taskOf(failure);
	const reason = lastReasonOf(failure);
	if (reason.code === NO_FILE && endOf(status) === 'done') return 'changeRequest';
	const isGone = isUnknownTask(reason) && failure.kind !== 'render' && !status;
	if (task_id !== undefined && endOf(status) !== 'failed' && !isGone) return 'followTask';
	if (failure.passes) return 'retry';
	return isOfAccount(failure) ? 'checkAccount' : 'changeRequest';
}

/** Returns whether the key or the account is at fault, and not the vendor's own account. */
const isOfAccount = ({ httpCode, code = '' }: Reason) =>
	isOutOfCredit(code) || (code !== BY_VENDOR && [401, 402, 403, 433].includes(httpCode ?? 0));

/**
 * Returns whether the `error` of an incoming item is one of ours. Beside it stand, from n8n's error output,
 * the fields of the item that had come in: what they tell is older than the failure.
 */
export const isOwnError = (error: unknown): error is IDataObject =>
	isObject(error) && NEXT.some((next) => next === error.next);
