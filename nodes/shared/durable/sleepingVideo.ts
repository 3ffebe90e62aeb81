import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { DownloadWishes } from '../item/downloadWishes';
import { isFailed, toShown, type ItemResult } from '../item/output';
import type { Run } from '../item/run';
import { isObject } from '../lib/json';
import type { Render } from '../task/render';
import type { ItemWishes } from '../task/taskResult';

/** A job as it is stored: all but its request, which may hold pictures. */
export interface SleepingJob extends ItemWishes, DownloadWishes {
	itemIndex: number;
	/** Each check is a question to the vendor (Veo). */
	asksSeldom?: boolean;
	downloadVideo: boolean;
}

/** A video that still renders. n8n's database keeps it while nobody waits for it in a process. */
export interface SleepingVideo {
	itemIndex: number;
	/** The execution that waits for it. */
	callerId: string;
	/** On Error is Stop Workflow: the first failure ends the wait for all. */
	stopsOnFailure: boolean;
	job: SleepingJob;
	render: Render;
}

/** A video of a batch: one that sleeps, or an item whose result is known. */
export type BatchVideo = SleepingVideo | { itemIndex: number; result: ItemResult };

export const isSleeping = (video: BatchVideo): video is SleepingVideo => 'render' in video;

/** Returns whether nothing is open any more, or the first failure ends the wait for all. */
export function isOver(videos: BatchVideo[]): boolean {
	const failed = videos.some((video) => !isSleeping(video) && isFailed(video.result));
	return videos.every((video) => !isSleeping(video) || (video.stopsOnFailure && failed));
}

/** Returns a batch as items of a sub-execution, which n8n stores. */
export function toBatchItems(
	videos: BatchVideo[],
	run: Pick<Run, 'show' | 'clock'>,
): INodeExecutionData[] {
	const sleep_seconds = toSleepSeconds(videos, run.clock.now());
	return videos.map((video) => toBatchItem(video, sleep_seconds, run));
}

/** First the fields that people want to read in the executions list, then the video as it is. */
function toBatchItem(
	video: BatchVideo,
	sleep_seconds: number,
	run: Pick<Run, 'show'>,
): INodeExecutionData {
	const { itemIndex: item } = video;
	// On each item, because the Wait node reads it from the first.
	const common = { item, sleep_seconds };
	let json: IDataObject;
	// n8n keeps files that stand on items.
	let binary: IBinaryKeyData | undefined;
	if (isSleeping(video)) {
		const { task, deadlineMs, pollCount: poll_count, answer } = video.render;
		const { task_id, status, progress } = task;
		const give_up_at = deadlineMs === undefined ? undefined : new Date(deadlineMs).toISOString();
		// The service's answer is carried along only where somebody wants it.
		const render = { ...video.render, answer: video.job.simplify ? undefined : answer };
		json = { ...common, task_id, status, progress, poll_count, give_up_at };
		json.video = { ...video, render } as unknown as IDataObject;
	} else {
		const { binary: files, ...result } = { binary: undefined, ...video.result };
		const { task_id, status } = isFailed(result) ? result.failure : result.json;
		json = { ...common, task_id, status, video: { ...video, result } as unknown as IDataObject };
		binary = files;
	}
	const shown = toShown(run, { json });
	// n8n cannot store it, so it ends as a failure with its task ID.
	if (isFailed(shown)) return toBatchItem({ itemIndex: item, result: shown }, sleep_seconds, run);
	return { json: shown.json, ...(binary && { binary }), pairedItem: { item } };
}

/** Reads the videos that `toBatchItems` has written, and leaves other items out. */
export const readBatch = (items: INodeExecutionData[]): BatchVideo[] =>
	items.flatMap(({ json, binary }) => {
		if (!isObject(json.video) || !('render' in json.video || 'result' in json.video)) return [];
		const video = json.video as unknown as BatchVideo;
		if (isSleeping(video) || isFailed(video.result)) return [video];
		return [{ ...video, result: { ...video.result, binary } }];
	});

/**
 * n8n's Wait node sleeps in the database from 65 seconds up; below that it holds the process
 * (`Wait.node.js` of n8n-nodes-base 2.41). One more, because it counts them a moment later.
 */
export const MIN_SLEEP_S = 66;
const MAX_SLEEP_S = 240;
/** A sleep's share of the time that has passed: a render that has taken long takes a while longer. */
const SHARE = 0.25;

/**
 * Returns the whole seconds until the next check of a batch: the longer, the longer its oldest render
 * has been waited for. The last sleep ends at the earliest deadline: what would be left of it is added
 * to the sleep before where it is too short to be slept on its own.
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

/** Times that one look of the Checker may check a video again that is nearly ready. */
export const MAX_PAUSES = 3;
/** Milliseconds in which a render is nearly ready, and the shortest pause before a further check. */
const NEAR_MS = 45_000;
const SHORTEST_PAUSE_MS = 5_000;
/** Many deployments tell a state in the form of a progress: 10, 20, 30 or 50 percent. */
const HIGHEST_CONSTANT = 50;

/**
 * Returns the milliseconds after which to check a video once more instead of sleeping over its end:
 * its progress has moved since `before`, and reaches 100 soon if it goes on as it has since the
 * submit. `undefined` where nothing tells that, and where no whole sleep would be left to the deadline.
 */
export function toAwakeMs(
	{ render, job }: SleepingVideo,
	before: Render,
	nowMs: number,
	deadlineMs: number,
): number | undefined {
	const { task, submittedAtMs } = render;
	const { progress } = task;
	const moves = progress > Math.max(HIGHEST_CONSTANT, before.task.progress);
	if (!moves || job.asksSeldom || submittedAtMs === undefined) return undefined;
	const leftMs = ((nowMs - submittedAtMs) * (100 - progress)) / progress;
	const awakeMs = Math.max(SHORTEST_PAUSE_MS, leftMs);
	const leavesASleep = nowMs + awakeMs + MIN_SLEEP_S * 1000 <= deadlineMs;
	return awakeMs <= NEAR_MS && leavesASleep ? awakeMs : undefined;
}
