import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { type Failure, isFailure } from '../failure/failure';
import type { Reason } from '../failure/reason';
import { withoutGaps } from '../lib/json';
import { toIso } from '../lib/time';
import { mergeCarried, toBinary, withoutFiles } from '../n8n/carried';
import type { ItemResult } from '../n8n/output';
import { toBilled } from '../services/answerPaths';
import type { KnownTask, VideoTask } from '../services/videoTask';
import { type EndWithoutVideo, renderFailed, type WaitLimits } from './renderFailed';

/** A paid task and what is known of it, as plain JSON. Times are in milliseconds since 1970. */
export interface Render {
	task: VideoTask;
	/** The service's last answer, without files in it. */
	answer: unknown;
	/** Missing where only the task ID is known. */
	submittedAtMs?: number;
	finishedAtMs?: number;
	/** When On Timeout applies; missing if nobody waits. */
	deadlineMs?: number;
	pollCount: number;
	/** The weight of the checks that have failed since the last record (`step.ts`). */
	missed: number;
	/** Records in a row that tell a failure which may pass. */
	doubted: number;
	/** The task was submitted by an earlier try of the same run. */
	reused: boolean;
	/** The task as its record last said SUCCESS, also in an earlier try. */
	done?: VideoTask;
}

/** How the wait for a task stands, or how it ended. */
export interface WaitState {
	/** `submitted`: nobody waits. `rendering`: the wait can go on. `stopped`: the run was stopped. */
	state: WithVideo | EndWithoutVideo;
	render: Render;
	/** What the last fetch met instead of a record. */
	because?: Reason;
}

/** The states in which there is a video, or may be one soon. */
const WITH_VIDEO = ['submitted', 'rendering', 'stopped', 'done'] as const;
type WithVideo = (typeof WITH_VIDEO)[number];

/**
 * What became of a job; `undefined` if the run ended before its submit. Without a task ID, it is a
 * failure: refused, or nobody knows whether a task exists.
 */
export type Outcome = WaitState | Failure | undefined;

/** Returns the render of a task whose ID is known, and perhaps `more`. */
export const toRender = (task: KnownTask, more: Partial<Render> = {}): Render => ({
	task: { status: 'queued', progress: 0, ...task },
	answer: undefined,
	...{ pollCount: 0, missed: 0, doubted: 0, reused: false },
	...more,
});

export interface ItemLook {
	/** Whether the item has the service's last answer, too. */
	rawResponse: boolean;
	/** The fields of the incoming item that are passed on. */
	carried?: IDataObject;
	/** Its files that are passed on. */
	carriedFiles?: IBinaryKeyData;
}

/**
 * Returns the item of a render in the documented fields, however the deployment spelled them, in the
 * order in which people read them: n8n's tables have a column for each.
 *
 * @param more what is known of its file
 */
export function toRenderItem(
	{ task, answer, submittedAtMs, finishedAtMs, pollCount, reused }: Render,
	{ rawResponse, carried }: ItemLook,
	more: IDataObject = {},
): IDataObject {
	const { task_id, status, progress, model, fail_reason, cost } = task;
	const { result_url, result_urls, last_frame_url, file_kept_for, text, output } = task;
	const own = withoutGaps({
		...{ status, billed: task.billed ?? toBilled(status), cost },
		...{ progress, model, text, output, result_url, result_urls, last_frame_url, file_kept_for },
		fail_reason,
		...more,
		submitted_at: toIso(submittedAtMs),
		finished_at: toIso(finishedAtMs),
		poll_count: pollCount,
		reused,
		response: rawResponse ? answer : undefined,
		task_id,
	});
	return mergeCarried(carried, own as IDataObject);
}

/**
 * Reads a render from an item of `toRenderItem`, so that its times and counts live on in a loop of
 * checks. Leaves out values that do not fit, and all if the item is about another task.
 */
export function readRender(task_id: string, json: IDataObject): Render {
	if (json.task_id !== task_id) return toRender({ task_id });
	const { model, poll_count, reused } = json;
	return toRender(
		{ task_id, model: typeof model === 'string' ? model : undefined },
		{
			pollCount: typeof poll_count === 'number' ? poll_count : 0,
			reused: reused === true,
			submittedAtMs: readTime(json.submitted_at),
			finishedAtMs: readTime(json.finished_at),
		},
	);
}

function readTime(value: unknown): number | undefined {
	const ms = typeof value === 'string' ? Date.parse(value) : NaN;
	return Number.isFinite(ms) ? ms : undefined;
}

/** The person's options that decide a job's result. */
export interface ItemOptions extends ItemLook, WaitLimits {
	/** On Timeout is Fail. */
	timeOutFails: boolean;
	/** The field of the result's own file. Without that file, it is empty: no other may pass for it. */
	binaryProperty: string;
}

/** Returns an outcome as an item or a failure; `undefined` for a job that was never submitted. */
export function toItemResult(outcome: Outcome, options: ItemOptions): ItemResult | undefined {
	if (outcome === undefined || isFailure(outcome)) return outcome;
	const { state, render, because } = outcome;
	const isLeft = state === 'timedOut' && !options.timeOutFails;
	if (isLeft || hasVideo(state)) {
		const files = withoutFiles(options.carriedFiles, options.binaryProperty);
		return { json: toRenderItem(render, options), ...toBinary(files) };
	}
	return renderFailed(state, render.task, options, because);
}

const hasVideo = (state: WaitState['state']): state is WithVideo =>
	WITH_VIDEO.some((one) => one === state);
