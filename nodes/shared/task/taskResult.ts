import { adviceFor, type Failure, toFailure } from '../item/failure';
import type { ItemResult } from '../item/output';
import { lowerFirst, sentences } from '../lib/text';
import type { Trouble } from '../service/trouble';
import { toRenderItem, type Ended, type ItemLook, type NoTask, type Outcome } from './render';

/** The person's wishes that decide a job's result. */
export interface ItemWishes extends ItemLook {
	maxWaitMs: number;
	reuseTask: boolean;
	timeOutFails: boolean;
	/** Whether the wait was a durable one. */
	afterSleep?: boolean;
}

/** Returns an outcome as an item or a failure; `undefined` for a job that was never submitted. */
export function toItemResult(outcome: Outcome, wishes: ItemWishes): ItemResult | undefined {
	switch (outcome.state) {
		case 'notSubmitted':
			return undefined;
		case 'refused':
		case 'unclear':
			return { failure: toSubmitFailure(outcome) };
		case 'done':
		case 'submitted':
		case 'stopped':
		case 'open':
			return { json: toRenderItem(outcome.render, wishes) };
		case 'timedOut':
			if (!wishes.timeOutFails) return { json: toRenderItem(outcome.render, wishes) };
	}
	return { failure: toTaskFailure(outcome, wishes) };
}

const GOES_ON = 'The render continues and is billed: follow it with Video Status and its task ID.';
const PICKED_UP =
	'A retry of this execution picks up the task (Reuse Paid Task on Retry) and is not billed again.';
const ANEW =
	'Change the prompt or the image and run it again: that is a new task, which is billed.';
const REFUNDED =
	'Services of this kind give the money for a failed render back: their usage page tells.';
const MAYBE_NOT_REFUNDED =
	'Whether the service has given the money back is not certain: see its usage page.';
const MAYBE_BILLED =
	'A task may exist and be billed, although its ID is not known, so the video was not submitted again. Do not submit it again before a person has looked at the usage page of the service.';

/**
 * Returns the failure of a job without a known task: the service said no, or nobody knows whether
 * it did.
 */
export function toSubmitFailure({ state, trouble, submittedAtMs }: NoTask): Failure {
	const reason = lowerFirst(trouble.message);
	if (state === 'unclear') {
		return {
			...toFailure(trouble),
			message: `The video may or may not have been accepted: ${reason}`,
			description: sentences(describeWords(trouble), MAYBE_BILLED, describeBody(trouble)),
			// A person finds the submit by this on the usage page, and the ledger finds it if the item
			// comes back.
			...(submittedAtMs !== undefined && {
				submitted_at: new Date(submittedAtMs).toISOString(),
			}),
			retryable: false,
			next: 'checkUsage',
		};
	}
	return {
		...toFailure(trouble),
		message: `The video was not submitted: ${reason}`,
		description: sentences(trouble.description, adviceFor(trouble)),
	};
}

/** Returns the service's words, unless its answer contains them: that is shown as it came. */
const describeWords = ({ description, body }: Trouble) =>
	description !== undefined && body?.includes(description) ? undefined : description;

const describeBody = ({ body }: Trouble) =>
	body === undefined ? undefined : `What the service sent: ${body}`;

/** Some deployments report SUCCESS although there is no video. */
export const NO_VIDEO = {
	message: 'The service reports SUCCESS but gives no link to the video',
	description:
		'This can happen when a prompt is filtered out, and it is billed. Run Video Download with the task ID to see whether there is a file after all.',
};

type FailedEnd = Exclude<Ended, { state: 'done' }>;

/** Returns the failure of a paid task that gave no video, or none yet. */
export function toTaskFailure(
	outcome: FailedEnd,
	{ maxWaitMs, reuseTask, afterSleep = false }: ItemWishes,
): Failure {
	const { task_id, status, fail_reason, mayPass } = outcome.render.task;
	const trouble = 'trouble' in outcome ? outcome.trouble : undefined;
	const failure: Failure = {
		...toFailure(trouble ?? { message: '', retryable: false }),
		task_id,
		status,
		fail_reason,
		retryable: false,
		next: outcome.state === 'failed' ? 'changeRequest' : 'followTask',
		message: `${describe(outcome, maxWaitMs)} (task ${task_id})`,
	};
	if (outcome.state === 'noVideo') {
		return { ...failure, description: NO_VIDEO.description };
	}
	if (outcome.state === 'failed') {
		const silence = fail_reason ? undefined : 'The service gave no reason.';
		const refund = mayPass ? MAYBE_NOT_REFUNDED : REFUNDED;
		return { ...failure, description: sentences(silence, refund, ANEW) };
	}
	// The message names the time-out; trouble at the last fetch goes into the description.
	const lastCheck =
		outcome.state === 'timedOut' && trouble
			? `The last check failed: ${trouble.message}`
			: undefined;
	// n8n does not run a node again that fails after a sleep.
	const pickedUp = reuseTask && !afterSleep ? PICKED_UP : undefined;
	return {
		...failure,
		description: sentences(lastCheck, trouble?.description, GOES_ON, pickedUp),
	};
}

function describe(outcome: FailedEnd, maxWaitMs: number): string {
	switch (outcome.state) {
		case 'failed':
			return 'The video could not be rendered';
		case 'noVideo':
			return NO_VIDEO.message;
		case 'trouble':
			return `The task can no longer be followed: ${lowerFirst(outcome.trouble.message)}`;
		case 'timedOut':
			return `The video was not ready within ${Number((maxWaitMs / 60_000).toFixed(2))} minutes (Max Wait)`;
	}
}

/** Returns the failure of a check; how far the task is stays unknown. */
export function toCheckFailure(trouble: Trouble, task_id: string): Failure {
	return {
		...toFailure(trouble),
		task_id,
		message: `The task could not be checked: ${lowerFirst(trouble.message)} (task ${task_id})`,
		description: sentences(trouble.description, adviceFor(trouble)),
	};
}
