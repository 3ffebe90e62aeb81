import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addVideo } from '../../shared/download/addVideo';
import { CONCURRENT_DOWNLOADS, toDownloading } from '../../shared/download/downloadVideo';
import {
	isOver,
	isSleeping,
	readBatch,
	toBatchItem,
	toSleepSeconds,
	type BatchVideo,
	type SleepingVideo,
} from '../../shared/durable/sleepingVideo';
import { isCallerGone } from '../../shared/durable/subExecution';
import type { ItemResult, Results } from '../../shared/item/output';
import { openRun, type Run } from '../../shared/item/run';
import { openAndWork } from '../../shared/item/runItems';
import { createLimiter } from '../../shared/lib/limiter';
import type { Connection } from '../../shared/service/connection';
import { checkTask, CONCURRENT_CHECKS, toChecking } from '../../shared/task/checkTask';
import type { Render } from '../../shared/task/render';
import { toItemResult } from '../../shared/task/renderResult';
import { videoStatusFields } from '../fields';

/**
 * One check of the whole batch. Outputs: [the wait is over, something still renders]; the batch
 * leaves as one, because the node before it sleeps for all.
 */
export async function checkBatch(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	// A failing video ends nothing here: whether it ends the wait is for the caller's On Error.
	const run: Run = {
		...openRun(context, 'videoGenerationApi', videoStatusFields),
		onFailure: () => {},
	};
	const before = readBatch(run.items);
	if (await isCallerGone(context, before)) return [run.items, []];
	const videos = await checkAll(run, before);
	const over = isOver(videos);
	const sleeping = videos.filter(isSleeping);
	const seconds = over ? 0 : toSleepSeconds(sleeping, run.clock.now());
	const next = over ? '' : `, next check in ${seconds} s`;
	run.report.debug(`${sleeping.length} of ${videos.length} videos still rendering${next}`);
	const checked = videos.map((video) => toBatchItem(video, seconds, run));
	return over ? [checked, []] : [[], checked];
}

async function checkAll(run: Run, videos: BatchVideo[]): Promise<BatchVideo[]> {
	const sleepers = videos.filter(isSleeping);
	const jobs = sleepers.map((video) => ({ itemIndex: video.item, video }));
	for (const { item, render } of sleepers) run.taskIds.set(item, render.task.task_id);
	const results: Results = [];
	const opened = await openAndWork(run, jobs, results, openChecks);
	return videos.map((video) => {
		if (!isSleeping(video)) return video;
		const result = results[video.item];
		if (result) return { item: video.item, result };
		return { ...video, render: opened?.renders.get(video.item) ?? video.render };
	});
}

interface CheckJob {
	itemIndex: number;
	video: SleepingVideo;
}

function openChecks(run: Run, connection: Connection) {
	const checking = toChecking(run, connection);
	const downloading = toDownloading(run, connection);
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	/** Of the videos that sleep on. */
	const renders = new Map<number, Render>();
	const work = async ({ itemIndex, video }: CheckJob): Promise<ItemResult | undefined> => {
		const wishes = { ...video.wishes, afterSleep: true };
		const checked = await checkTask(video.render, checking);
		renders.set(itemIndex, checked.render);
		if (checked.state === 'rendering') return undefined;
		if (checked.state !== 'done' || !wishes.downloadVideo) return toItemResult(checked, wishes);
		return await downloads(async () => await addVideo(checked.render, wishes, downloading));
	};
	return { work, renders, limiter: createLimiter(CONCURRENT_CHECKS, run.signal) };
}
