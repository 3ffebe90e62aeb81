import type { IDataObject } from 'n8n-workflow';

import { mergeCarried } from '../item/carried';
import type { ItemResult } from '../item/output';
import { toIso } from '../item/words';
import { withoutGaps } from '../lib/json';
import type { Route } from '../service/routes';
import type { SubmitRequest } from '../service/submit';
import { isStatus, type VideoTask } from '../service/videoTask';
import type { Asked } from './asked';
import { type RenderFailure, toBilled } from '../item/failure';
import {
	type CheckFailure,
	isFailure,
	type RefusedSubmit,
	type UnclearSubmit,
} from '../service/reason';

/** A render that one input item asks for. */
export interface RenderJob {
	itemIndex: number;
	model: string;
	/** The only route by which the service takes the video; missing if any route does. */
	route?: Route;
	/** The video goes out as a form from the start. */
	sendsForm?: boolean;
	/** See `Submission` (`service/submit.ts`). */
	requestFor: (route: Route, inPlainFields: boolean) => SubmitRequest;
	/** Loads a picture for a request that goes out as a form; throws why it cannot be loaded. */
	loadBytes: (url: string) => Promise<Buffer>;
	/** Reads these for a new submit, if the item's task was known and they were left unread. */
	readRest?: () => Promise<
		Pick<RenderJob, 'requestFor' | 'loadBytes' | 'route' | 'sendsForm' | 'asked'>
	>;
	/** What the ledger knows the job by, beside its place. */
	asked: Asked;
	/** The task of the shot before; missing for all that follow no other. */
	after?: string;
	/** `none`: the job ends as soon as the task is accepted. */
	wait: 'inProcess' | 'durable' | 'none';
	/** The pause before the first poll; the pauses after it grow. */
	pollIntervalMs: number;
	/** The gateway asks the vendor at each fetch of the record, and nobody set Poll Interval. */
	looksSeldom?: boolean;
	/** How long to wait for the video from the moment that its task is known. */
	maxWaitMs: number;
	/** On Timeout is Fail. */
	timeOutFails: boolean;
	/** How many videos the node may submit in a day; absent if any number. */
	maxVideosPerDay?: number;
}

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
	/**
	 * Counts the fetches since the last record that was believed, by the trouble that they met;
	 * `failed` counts records of a failure that is not believed yet.
	 */
	troubles: Readonly<Record<'denied' | 'unknown' | 'other' | 'failed', number>>;
	/** The task was submitted by an earlier try of the same run. */
	reused: boolean;
	/** The task as its record last said SUCCESS, also in an earlier try. */
	done?: VideoTask;
}

export const NO_TROUBLES: Render['troubles'] = {
	...{ denied: 0, unknown: 0, other: 0, failed: 0 },
};

/** How the wait for a task stands, or how it ended. */
export interface TaskOutcome {
	/** `submitted`: nobody waits. `rendering`: the wait can go on. `stopped`: the run was stopped. */
	state: 'submitted' | 'rendering' | 'stopped' | 'done' | RenderFailure['state'];
	render: Render;
	/** What the last fetch met instead of a record. */
	failure?: CheckFailure;
	/** The least time to wait before the next fetch, after a record that is not believed yet. */
	pauseMs?: number;
}

/**
 * What became of a job; `undefined` if the run ended before its submit. Without a task ID, it is a
 * failure: refused, or nobody knows whether a task exists.
 */
export type Outcome = TaskOutcome | RefusedSubmit | UnclearSubmit | undefined;

/** Returns the render of a task whose ID is known, and perhaps `more`. */
export const toRender = (
	task: Pick<VideoTask, 'task_id' | 'model' | 'route'>,
	more: Partial<Render> = {},
): Render => ({
	task: { status: 'queued', progress: 0, ...task },
	answer: undefined,
	pollCount: 0,
	troubles: NO_TROUBLES,
	reused: false,
	...more,
});

export interface ItemLook {
	/** Whether the item has the service's last answer, too. */
	rawResponse: boolean;
	/** The fields of the incoming item that are passed on. */
	carried?: IDataObject;
}

/**
 * Returns the item of a render in the documented fields, however the deployment spelled them, in the
 * order in which people read them: n8n's tables have a column for each.
 *
 * @param more what is known of its file
 */
export function toRenderItem(
	render: Render,
	{ rawResponse, carried }: ItemLook,
	more: IDataObject = {},
): IDataObject {
	const { task_id, status, progress, model, result_url, last_frame_url, fail_reason, cost } =
		render.task;
	const own = withoutGaps({
		...{ status, billed: toBilled(status), cost },
		...{ progress, model, result_url, last_frame_url, fail_reason },
		...more,
		submitted_at: toIso(render.submittedAtMs),
		finished_at: toIso(render.finishedAtMs),
		poll_count: render.pollCount,
		reused: render.reused,
		response: rawResponse ? render.answer : undefined,
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
	const { status, progress, model, poll_count, reused, response } = json;
	const task: VideoTask = {
		task_id,
		status: isStatus(status) ? status : 'queued',
		progress: typeof progress === 'number' ? progress : 0,
		...(typeof model === 'string' && { model }),
	};
	return toRender(task, {
		answer: response,
		pollCount: typeof poll_count === 'number' ? poll_count : 0,
		reused: reused === true,
		submittedAtMs: readTime(json.submitted_at),
		finishedAtMs: readTime(json.finished_at),
	});
}

function readTime(value: unknown): number | undefined {
	const ms = typeof value === 'string' ? Date.parse(value) : NaN;
	return Number.isFinite(ms) ? ms : undefined;
}

/** The person's options that decide a job's result. */
export type ItemOptions = ItemLook &
	Pick<RenderJob, 'timeOutFails'> &
	Pick<RenderFailure, 'maxWaitMs' | 'workflowEnds'>;

/** Returns an outcome as an item or a failure; `undefined` for a job that was never submitted. */
export function toItemResult(outcome: Outcome, options: ItemOptions): ItemResult | undefined {
	if (outcome === undefined || isFailure(outcome)) return outcome;
	const { state, render, failure: because } = outcome;
	const isLeft = state === 'timedOut' && !options.timeOutFails;
	if (isLeft || !isWithoutVideo(state)) return { json: toRenderItem(render, options) };
	const { maxWaitMs, workflowEnds } = options;
	return {
		kind: 'render',
		message: `The wait for the video has ended (${state})`,
		passes: false,
		...{ state, maxWaitMs, workflowEnds, because, task: render.task },
	};
}

const isWithoutVideo = (state: TaskOutcome['state']): state is RenderFailure['state'] =>
	['failed', 'timedOut', 'lost'].includes(state);
