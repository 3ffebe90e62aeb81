import { adviceFor, type Failure, toFailure } from '../item/failure';
import { isFailed, type ItemResult, type Results } from '../item/output';
import { lowerFirst, sentences } from '../lib/text';
import { isUnknownTask, type Trouble } from '../service/trouble';
import {
	type Ended,
	type ItemLook,
	type NoTask,
	type Outcome,
	type RenderJob,
	toBilled,
	toIso,
	toRenderItem,
} from './render';

/** The person's options that decide a job's result. */
export type ItemOptions = ItemLook &
	Pick<RenderJob, 'maxWaitMs' | 'timeOutFails'> & {
		/** n8n retries no node after its sleep, so no failure may promise that a retry helps. */
		afterSleep?: true;
		/** The workflow's own limit ends the wait, and not Max Wait. */
		workflowEnds?: boolean;
	};

/** Returns an outcome as an item or a failure; `undefined` for a job that was never submitted. */
export function toItemResult(outcome: Outcome, options: ItemOptions): ItemResult | undefined {
	switch (outcome.state) {
		case 'notSubmitted':
			return undefined;
		case 'refused':
		case 'unclear':
			return { failure: toSubmitFailure(outcome) };
		case 'failed':
		case 'noVideo':
		case 'trouble':
			return { failure: toTaskFailure(outcome, options) };
		case 'timedOut':
			if (options.timeOutFails) return { failure: toTaskFailure(outcome, options) };
	}
	return { json: toRenderItem(outcome.render, options) };
}

const GOES_ON = 'The render continues and is billed: follow it with Video Status and its task ID.';
const PICKED_UP = 'A retry of this execution picks up the task and is not billed again.';
const ANEW =
	'Change the prompt or the image and run it again: that is a new task, which is billed.';
const REFUND = 'Most services refund a failed render: see the usage page.';
const MAYBE_BILLED =
	'A task may exist and be billed, although its ID is not known, so the video was not submitted again. Do not submit it again before a person has looked at the usage page of the service.';

export function toSubmitFailure({ state, trouble, submittedAtMs }: NoTask): Failure {
	const failure = toFailure(trouble);
	const reason = lowerFirst(trouble.message);
	const { description, body } = trouble;
	if (state === 'refused') {
		const message = `The video was not submitted: ${reason}`;
		const advice = sentences(description, adviceFor(trouble));
		return { ...failure, message, description: advice, billed: 'no' };
	}
	// The answer is quoted as it came, so words that it contains are not said twice.
	const words = description && body?.includes(description) ? '' : description;
	const sent = body && `What the service sent: ${body}`;
	return {
		...failure,
		message: `The video may or may not have been accepted: ${reason}`,
		description: sentences(words, MAYBE_BILLED, sent),
		// The usage page shows the submit at this time, and the ledger knows a returned item by it.
		submitted_at: toIso(submittedAtMs),
		billed: 'unknown',
		retryable: false,
		next: 'checkUsage',
	};
}

/** Some deployments report SUCCESS although there is no video. */
export const NO_VIDEO = {
	message: 'The service reports SUCCESS but gives no link to the video',
	description:
		'This can happen when a prompt is filtered out, and it is billed. Run Video Download with the task ID to see whether there is a file after all.',
};

/** Returns the failure of a paid task that gave no video, or none yet. */
export function toTaskFailure(outcome: Ended, options: ItemOptions): Failure {
	const { maxWaitMs, afterSleep, workflowEnds } = options;
	const { task_id, status, fail_reason } = outcome.render.task;
	const trouble = 'trouble' in outcome ? outcome.trouble : undefined;
	const fail = (message: string, ...description: Array<string | undefined>): Failure => ({
		...toFailure(trouble ?? { message, retryable: false }),
		...{ task_id, status, fail_reason, retryable: false },
		message: `${message} (task ${task_id})`,
		description: sentences(...description),
		billed: toBilled(status),
		next: outcome.state === 'failed' ? 'changeRequest' : 'followTask',
	});
	const pickedUp = afterSleep ? undefined : PICKED_UP;
	switch (outcome.state) {
		case 'noVideo':
			return fail(NO_VIDEO.message, NO_VIDEO.description);
		case 'trouble': {
			const { message, description } = outcome.trouble;
			const words = `The task can no longer be followed: ${lowerFirst(message)}`;
			return fail(words, description, GOES_ON, pickedUp);
		}
		case 'timedOut': {
			const minutes = Number((maxWaitMs / 60_000).toFixed(2));
			const words = workflowEnds
				? 'The video was not ready before the end of the workflow (Timeout Workflow)'
				: `The video was not ready within ${minutes} minutes (Max Wait)`;
			const lastCheck = trouble && `The last check failed: ${trouble.message}`;
			return fail(words, lastCheck, trouble?.description, GOES_ON, pickedUp);
		}
	}
	const silence = fail_reason ? undefined : 'The service gave no reason.';
	return fail('The video could not be rendered', silence, REFUND, ANEW);
}

/**
 * Completes the failures of a run that submits videos: an item with a task is billed, also if its
 * download failed, and one without was not submitted.
 */
export function tellBilled(results: Results): void {
	for (const result of results) {
		if (!isFailed(result)) continue;
		const { failure } = result;
		failure.billed ??= failure.task_id === undefined ? 'no' : 'yes';
	}
}

export const toCheckFailure = (trouble: Trouble, task_id: string): Failure => ({
	...toFailure(trouble),
	task_id,
	next: isUnknownTask(trouble) ? 'changeRequest' : 'followTask',
	message: `The task could not be checked: ${lowerFirst(trouble.message)} (task ${task_id})`,
	description: sentences(trouble.description, adviceFor(trouble)),
});
