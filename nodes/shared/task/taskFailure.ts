import type { Failure } from '../item/failure';
import type { ServiceError } from '../service/trouble';
import { adviceFor, lowerFirst, sentences, toFailure } from '../item/serviceFailure';
import type { TaskStatus, VideoTask } from '../service/videoTask';
import type { RenderOutcome } from './render';

type Outcome<State> = Extract<RenderOutcome, { state: State }>;

const GOES_ON = 'The render goes on and is billed: follow it with Video Status and its task ID.';
const PICKED_UP =
	'A retry of this execution picks the task up (Reuse Paid Task on Retry) and is not billed again.';
const ANEW = 'Change the prompt or the image and run it again: that is a new task, billed as one.';
const MAYBE_BILLED =
	'A task may exist and be billed, though its ID is not known, so it was not submitted again. Do not do so before a person has looked at the usage page of the service.';

/** No task id is known: the service said no, or its answer was lost. */
export function toSubmitFailure(
	{ state, error }: Outcome<'refused' | 'unclear'>,
	itemIndex: number,
): Failure {
	const reason = `${lowerFirst(error.message)} [item ${itemIndex}]`;
	if (state === 'unclear') {
		return {
			...toFailure(error),
			message: `The video may have been accepted, but the answer is lost: ${reason}`,
			description: sentences(error.description, MAYBE_BILLED),
			retryable: false,
		};
	}
	return {
		...toFailure(error),
		message: `The video was not submitted, because ${reason}`,
		description: sentences(error.description, adviceFor(error)),
	};
}

/** A paid task that gave no video, or not yet. */
export function toTaskFailure(
	outcome: Outcome<'failed' | 'lost' | 'timedOut'>,
	itemIndex: number,
	maxWaitMs: number,
	afterSleep = false,
): Failure {
	const { task_id, status, fail_reason } = outcome.render.task;
	const { error } = outcome;
	const failure: Failure = {
		...toFailure(error ?? { message: '', retryable: true }),
		task_id,
		status,
		fail_reason,
		message: `${describe(outcome, maxWaitMs)} (task ${task_id}) [item ${itemIndex}]`,
	};
	if (outcome.state === 'failed') {
		const silence = fail_reason ? undefined : 'The service gives no reason.';
		const description = error ? error.description : sentences(silence, ANEW);
		return { ...failure, description, retryable: false };
	}
	// A time-out is said first; that its last look went wrong, too, belongs to it.
	const lastLook =
		outcome.state === 'timedOut' && error
			? `The last look went wrong: ${error.message}`
			: undefined;
	return {
		...failure,
		// n8n does not run a node again that failed after a sleep.
		description: sentences(lastLook, error?.description, GOES_ON, afterSleep ? '' : PICKED_UP),
		retryable: true,
	};
}

/** A task that could not be looked at. What it is doing is not known. */
export function toLookFailure(error: ServiceError, itemIndex: number, task_id: string): Failure {
	return {
		...toFailure(error),
		task_id,
		message: `The task could not be looked at: ${lowerFirst(error.message)} (task ${task_id}) [item ${itemIndex}]`,
		description: sentences(error.description, adviceFor(error)),
	};
}

/** What to do about a video that did not come, by what is known of its task. */
const FETCH_LATER: Record<TaskStatus, string> = {
	SUCCESS: 'The video is rendered and paid for: fetch it later with Video Download.',
	FAILURE: 'Only a new task can give a video, and it is billed anew.',
	IN_PROGRESS: 'Wait for the task with Video Status, then download the video.',
	queued: 'Wait for the task with Video Status, then download the video.',
};
const FETCH_AGAIN =
	'Downloads are not billed: run Video Download again with this task ID, as often as you like.';

/** A download that did not work out: the paid task is safe at the service. */
export function toDownloadFailure(
	error: ServiceError,
	itemIndex: number,
	{ task_id, status, fail_reason }: Partial<VideoTask>,
): Failure {
	const later = status ? FETCH_LATER[status] : FETCH_AGAIN;
	return {
		...toFailure(error),
		task_id,
		status,
		fail_reason,
		message: `The video could not be downloaded: ${lowerFirst(error.message)}${task_id ? ` (task ${task_id})` : ''} [item ${itemIndex}]`,
		description: sentences(error.description, task_id && later),
	};
}

function describe(outcome: Outcome<'failed' | 'lost' | 'timedOut'>, maxWaitMs: number): string {
	switch (outcome.state) {
		case 'failed':
			return outcome.error?.message ?? 'The video could not be rendered';
		case 'lost':
			return `The task cannot be followed any more: ${lowerFirst(outcome.error.message)}`;
		case 'timedOut':
			return `The video was not ready within ${Number((maxWaitMs / 60_000).toFixed(2))} minutes (Max Wait)`;
	}
}
