import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	isEnded,
	isOver,
	readBatchItem,
	type BatchVideo,
} from '../../shared/durable/sleepingVideo';
import { isCallerGone, readNotStarted } from '../../shared/durable/subExecution';
import { START } from '../../shared/durable/workflows';
import { toOutput, type Results } from '../../shared/item/output';
import { openRun } from '../../shared/item/run';
import { toTaskFailure } from '../../shared/task/taskFailure';
import { toRenderJson } from '../../shared/task/renderJson';
import { delayMs } from '../../shared/service/retry';
import { videoStatusFields } from '../fields';

/** Times that n8n may die in the middle of a check of one batch. */
const MAX_LAUNCHES = 20;

/**
 * Gives the caller its items, or has the videos checked again. Outputs: [items, submitted
 * videos]. What came in is the end of the Checker, or of one that n8n left in the
 * middle: its last items, or its error.
 */
export async function returnVideos(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = openRun(context, 'videoGenerationApi', videoStatusFields);
	const { items, clock, report } = run;
	const came = items.map(readBatchItem);
	const videos = came.filter((video) => video !== undefined);
	const over = isOver(videos) || (await isCallerGone(context, videos));
	if (over && videos.length === came.length) return [toOutput(run, toResults(videos)), []];
	const proxy = context.getWorkflowDataProxy(0);
	const submitted = proxy.$(START).all() as INodeExecutionData[];
	const launches = (proxy.$runIndex as number) + 1;
	const notStarted = readNotStarted(items);
	// The caller has not gone to sleep yet and can still wait in process.
	if (notStarted !== undefined && launches === 1) return [items, []];
	const reason = notStarted ?? String(items[0]?.json.error ?? 'it was interrupted');
	report.warn(
		`the wait for ${submitted.length} videos was interrupted (${reason}), which costs nothing`,
	);
	if (launches < MAX_LAUNCHES) {
		// After a restart it may be the database that is not there yet.
		if (notStarted !== undefined) await clock.pause(delayMs(launches, clock.random()));
		return [[], submitted];
	}
	const given = submitted.map(readBatchItem).filter((video) => video !== undefined);
	return [toOutput(run, toResults(given.map((video) => giveUp(video, reason)))), []];
}

/** By input item; a video that still renders is the item of its task. */
function toResults(videos: BatchVideo[]): Results {
	const results: Results = [];
	for (const video of videos) {
		results[video.item] = isEnded(video)
			? video.result
			: { json: toRenderJson(video.render, video.wishes.simplify) };
	}
	return Array.from(results);
}

function giveUp(video: BatchVideo, reason: string): BatchVideo {
	if (isEnded(video)) return video;
	const { item, render, wishes } = video;
	const trouble = {
		message: `Its wait was interrupted ${MAX_LAUNCHES} times: ${reason}`,
		retryable: true,
	};
	const outcome = { state: 'trouble' as const, render, trouble };
	return { item, result: { failure: toTaskFailure(outcome, { ...wishes, afterSleep: true }) } };
}
