import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { DownloadOptions } from '../item/downloadOptions';
import type { Asked } from '../item/failure';
import { isFailed, toShown, type ItemResult } from '../item/output';
import type { Run } from '../item/run';
import { isObject } from '../lib/json';
import { type Render, toBilled, toIso } from '../task/render';
import type { ItemOptions } from '../task/taskResult';

/** A job as n8n stores it: without its request, which may hold pictures. */
export interface SleepingJob extends ItemOptions, DownloadOptions {
	itemIndex: number;
	asked?: Asked;
	downloadVideo: boolean;
}

/** A video that still renders. n8n's database keeps it while no process waits for it. */
export interface SleepingVideo {
	itemIndex: number;
	/** The execution that waits for the video. */
	callerId: string;
	/** Whether the first failure ends the wait for all videos (On Error is Stop Workflow). */
	stopsOnFailure: boolean;
	job: SleepingJob;
	render: Render;
}

/** A video of a batch: one that still renders, or an item whose result is known. */
export type BatchVideo = SleepingVideo | { itemIndex: number; result: ItemResult };

export const isSleeping = (video: BatchVideo): video is SleepingVideo => 'render' in video;

/** Returns whether the wait is over: no video renders any more, or a failure ends it for all. */
export function isOver(videos: BatchVideo[]): boolean {
	const failed = videos.some((video) => !isSleeping(video) && isFailed(video.result));
	return videos.every((video) => !isSleeping(video) || (video.stopsOnFailure && failed));
}

/**
 * Returns a batch as items of a sub-execution, which n8n stores: first the fields that people read
 * in the executions list, then the video itself.
 */
export function toBatchItems(
	videos: BatchVideo[],
	run: Pick<Run, 'asked' | 'show' | 'clock'>,
): INodeExecutionData[] {
	// Every item has it: the Wait node reads it from the first, which can be any video.
	const sleep_seconds = toSleepSeconds(videos, run.clock.now());
	const toItem = (video: BatchVideo): INodeExecutionData => {
		const { itemIndex: item } = video;
		const told = isSleeping(video) ? tellSleeping(video) : tellEnded(video);
		const shown = toShown(run, { json: { item, sleep_seconds, ...told } as IDataObject }, item);
		// n8n cannot store this item, so it becomes a failure with its task ID.
		if (isFailed(shown)) return toItem({ itemIndex: item, result: shown });
		// n8n keeps only the files that items carry.
		const binary = isSleeping(video) || isFailed(video.result) ? undefined : video.result.binary;
		return { json: shown.json, ...(binary && { binary }), pairedItem: { item } };
	};
	return videos.map(toItem);
}

function tellSleeping(video: SleepingVideo) {
	const { task, deadlineMs, pollCount: poll_count, answer } = video.render;
	const { task_id, status, progress } = task;
	// Only with Raw Response does the video's item show the service's answer, so only then store it.
	const render = { ...video.render, answer: video.job.rawResponse ? answer : undefined };
	const give_up_at = toIso(deadlineMs);
	const billed = toBilled(status);
	return { task_id, status, progress, poll_count, give_up_at, billed, video: { ...video, render } };
}

function tellEnded(video: { itemIndex: number; result: ItemResult }) {
	const told = isFailed(video.result) ? video.result.failure : video.result.json;
	const { task_id, status, billed } = told;
	const result = isFailed(video.result) ? video.result : { json: video.result.json };
	return { task_id, status, billed, video: { ...video, result } };
}

/** Returns the videos that `toBatchItems` wrote; other items are left out. */
export const readBatch = (items: INodeExecutionData[]): BatchVideo[] =>
	items.flatMap(({ json, binary }) => {
		if (!isObject(json.video) || !('render' in json.video || 'result' in json.video)) return [];
		const video = json.video as unknown as BatchVideo;
		if (isSleeping(video) || isFailed(video.result)) return [video];
		return [{ ...video, result: { ...video.result, binary } }];
	});

/**
 * The shortest sleep. n8n's Wait node sleeps in the database only if at least 65 seconds are left;
 * otherwise it holds the process (`Wait.node.js` of n8n-nodes-base 2.41). The node counts them a
 * moment after it has set the end of the sleep, so 65 would be too few.
 */
export const MIN_SLEEP_S = 66;
const MAX_SLEEP_S = 240;
/** A sleep's share of the time since the submit: what has taken long may well take longer still. */
const SHARE = 0.25;

/**
 * Returns the whole seconds until the next check of a batch: a share of the age of its oldest
 * render, within limits. If too little for another sleep would then be left before the earliest
 * deadline, this sleep lasts until the deadline, but never less than `MIN_SLEEP_S`.
 */
export function toSleepSeconds(videos: BatchVideo[], nowMs: number): number {
	const renders = videos.filter(isSleeping).map(({ render }) => render);
	const waitedMs = renders.map(({ submittedAtMs = nowMs }) => nowMs - submittedAtMs);
	const share = Math.round((Math.max(0, ...waitedMs) / 1000) * SHARE);
	const wanted = Math.min(MAX_SLEEP_S, Math.max(MIN_SLEEP_S, share));
	const leftS = Math.ceil((earliestDeadlineMs(videos) - nowMs) / 1000);
	return Math.max(MIN_SLEEP_S, leftS - wanted < MIN_SLEEP_S ? leftS : wanted);
}

export const earliestDeadlineMs = (videos: BatchVideo[]) =>
	Math.min(...videos.filter(isSleeping).map(({ render }) => render.deadlineMs ?? Infinity));

/** How many more times one step of the Checker checks a video that is nearly ready. */
export const MAX_PAUSES = 3;
/** A render is nearly ready if it should end within this time. */
const NEAR_MS = 45_000;
/** A render that should end sooner than this is checked again after this time. */
const SHORTEST_PAUSE_MS = 5_000;
/** Up to here, `progress` may be a mere state: many deployments write 10, 20, 30 or 50 for one. */
const HIGHEST_CONSTANT = 50;

/**
 * Returns after how many milliseconds to check a nearly ready video again, instead of sleeping past
 * its end. Its progress must be above `HIGHEST_CONSTANT`, must have moved since the last check
 * (`before`), and must reach 100 within `NEAR_MS` at its average pace since the submit. `undefined`
 * for any other video, and if no whole sleep would then be left before the deadline.
 */
export function toAwakeMs(
	{ render }: SleepingVideo,
	before: Render,
	nowMs: number,
	deadlineMs: number,
): number | undefined {
	const { task, submittedAtMs } = render;
	const { progress } = task;
	const moves = progress > Math.max(HIGHEST_CONSTANT, before.task.progress);
	if (!moves || submittedAtMs === undefined) return undefined;
	const leftMs = ((nowMs - submittedAtMs) * (100 - progress)) / progress;
	const awakeMs = Math.max(SHORTEST_PAUSE_MS, leftMs);
	const leavesASleep = nowMs + awakeMs + MIN_SLEEP_S * 1000 <= deadlineMs;
	return awakeMs <= NEAR_MS && leavesASleep ? awakeMs : undefined;
}
