import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { DownloadOptions } from '../download/downloadOptions';
import { isFailure } from '../failure/failure';
import { isObject } from '../lib/json';
import { toIso } from '../lib/time';
import type { ItemResult } from '../n8n/output';
import type { Run, Summary } from '../n8n/run';
import { type ItemOptions, type Render, toRenderItem } from '../task/render';

/** A job as n8n stores it: without its request, which may hold pictures. */
export interface SleepingJob extends ItemOptions, DownloadOptions {
	itemIndex: number;
	downloadVideo: boolean;
}

interface Batched {
	itemIndex: number;
	summary?: Summary;
	/** The incoming files, which a failing item keeps for an error output. */
	incoming?: IBinaryKeyData;
}

/** A video that still renders. n8n's database keeps it while no process waits for it. */
export interface SleepingVideo extends Batched {
	/** Whether the first failure ends the wait for all videos (On Error is Stop Workflow). */
	stopsOnFailure: boolean;
	job: SleepingJob;
	render: Render;
}

interface SettledVideo extends Batched {
	result: ItemResult;
}

/** A video of a batch: one that still renders, or an item whose result is known. */
export type BatchVideo = SleepingVideo | SettledVideo;

export const isSleeping = (video: BatchVideo): video is SleepingVideo => 'render' in video;

/** Returns whether the wait is over: no video renders any more, or a failure ends it for all. */
export function isOver(videos: BatchVideo[]): boolean {
	const failed = videos.some((video) => !isSleeping(video) && isFailure(video.result));
	return videos.every((video) => !isSleeping(video) || (video.stopsOnFailure && failed));
}

/**
 * Returns a batch as items of a sub-execution, which n8n stores: first the fields that people read
 * in the executions list, then the video itself.
 */
export function toBatchItems(videos: BatchVideo[], run: Run): INodeExecutionData[] {
	// Every item has it: the Wait node reads it from the first, which can be any video.
	const sleep_seconds = toSleepSeconds(videos, run.clock.now());
	return videos.map((video) => {
		const { incoming, ...stored } = video;
		const { itemIndex: item } = stored;
		const json = run.redaction.show({ item, sleep_seconds, ...toFields(stored) } as IDataObject);
		// n8n keeps only the files that items carry.
		const binary = isSleeping(video) || isFailure(video.result) ? incoming : video.result.binary;
		return { json, ...(binary && { binary }), pairedItem: { item } };
	});
}

function toFields(video: BatchVideo) {
	if (isSleeping(video)) {
		const { render, job } = video;
		// Only with Raw Response does the video's item show the service's answer.
		const answer = job.rawResponse ? render.answer : undefined;
		const fields = toRenderItem(render, { rawResponse: false });
		const stored = { ...video, render: { ...render, answer } };
		return { ...fields, give_up_at: toIso(render.deadlineMs), video: stored };
	}
	const { result } = video;
	if (isFailure(result)) {
		const { task_id, status } = result;
		return { task_id, status, video };
	}
	const { task_id, status } = result.json;
	return { task_id, status, video: { ...video, result: { json: result.json } } };
}

/** Returns the videos that `toBatchItems` wrote; other items are left out. */
export const readBatch = (items: INodeExecutionData[]): BatchVideo[] =>
	items.flatMap(({ json, binary }): BatchVideo[] => {
		if (!isObject(json.video)) return [];
		const video = json.video as unknown as BatchVideo;
		if (isSleeping(video) || isFailure(video.result)) return [{ ...video, incoming: binary }];
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
	const deadlineMs = Math.min(...renders.map((render) => render.deadlineMs ?? Infinity));
	const leftS = Math.ceil((deadlineMs - nowMs) / 1000);
	return Math.max(MIN_SLEEP_S, leftS - wanted < MIN_SLEEP_S ? leftS : wanted);
}
