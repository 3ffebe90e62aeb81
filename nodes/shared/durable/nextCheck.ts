import type { INodeExecutionData } from 'n8n-workflow';

import { isFailed } from '../item/output';
import type { Run } from '../item/run';
import { meetsTrouble, type Render } from '../task/render';
import { readRender } from '../task/renderJson';
import { sleepSeconds } from './sleepLength';
import {
	isEnded,
	isSleeping,
	toBatchItem,
	type BatchVideo,
	type SleepingVideo,
} from './sleepingVideo';
import { estimate, toMedian, type TimeLeft } from './timeLeft';

/** A batch as items, with the time until the next check of it. */
export function toBatchItems(
	videos: BatchVideo[],
	run: Pick<Run, 'show' | 'clock'>,
): INodeExecutionData[] {
	const seconds = toSleepSeconds(videos, run.clock.now());
	return videos.map((video) => toBatchItem(video, seconds, run));
}

/** Whole seconds until the next check of a batch. */
export function toSleepSeconds(videos: BatchVideo[], nowMs: number): number {
	const toTimeLeft = openTimeLeft(videos, nowMs);
	const sleepers = videos.filter(isSleeping).map((video) => {
		const { submittedAtMs, deadlineMs = Infinity } = video.render;
		return { submittedAtMs, deadlineMs, leftMs: toTimeLeft(video)?.ms };
	});
	return sleepSeconds(sleepers, nowMs);
}

/** The video with what a check has seen of it; trouble is no news of its progress. */
export function withCheck(video: SleepingVideo, render: Render, nowMs: number): SleepingVideo {
	if (meetsTrouble(render)) return { ...video, render };
	const reading = { atMs: nowMs, progress: render.task.progress };
	return { ...video, render, readings: [...readingsOf(video).slice(-1), reading] };
}

/** How long each video of a batch still takes, as far as that can be told; the batch is read once. */
export function openTimeLeft(
	videos: BatchVideo[],
	nowMs: number,
): (video: SleepingVideo) => TimeLeft | undefined {
	const tookMs = new Map<string, number[]>();
	for (const one of videos) {
		const took = readTook(one);
		if (!took) continue;
		const others = tookMs.get(took.model);
		if (others) others.push(took.ms);
		else tookMs.set(took.model, [took.ms]);
	}
	const usualMs = new Map([...tookMs].map(([model, times]) => [model, toMedian(times)]));
	return (video) => {
		const { submittedAtMs, task } = video.render;
		const pace = { isQueued: task.status === 'queued', submittedAtMs, readings: readingsOf(video) };
		return estimate(pace, usualMs.get(task.model ?? ''), nowMs);
	};
}

/** At its submit nothing of it is done. */
const readingsOf = ({ readings, render: { submittedAtMs } }: SleepingVideo) =>
	readings ?? (submittedAtMs === undefined ? [] : [{ atMs: submittedAtMs, progress: 0 }]);

/** How long a video took, and which model that was, if it is one that is done. */
function readTook(video: BatchVideo): { model: string; ms: number } | undefined {
	if (!isEnded(video) || isFailed(video.result)) return undefined;
	const { json } = video.result;
	const { task, submittedAtMs, finishedAtMs } = readRender(String(json.task_id), json);
	const { model, status } = task;
	if (model === undefined || status !== 'SUCCESS') return undefined;
	if (submittedAtMs === undefined || finishedAtMs === undefined) return undefined;
	return { model, ms: finishedAtMs - submittedAtMs };
}
