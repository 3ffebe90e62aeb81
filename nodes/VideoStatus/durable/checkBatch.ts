import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toLastStretch } from '../../shared/durable/lastStretch';
import { toSleepSeconds } from '../../shared/durable/nextCheck';
import { type BatchVideo, isOver, isSleeping, readBatch, toBatchItem } from '../../shared/durable/sleepingVideo';
import { isCallerGone } from '../../shared/durable/subExecution';
import { openRun, type Run } from '../../shared/item/run';
import { createLimiter } from '../../shared/lib/turns';
import { checkTask, CONCURRENT_CHECKS, toChecking } from '../../shared/task/checkTask';
import { videoStatusFields } from '../fields';
import { followVideos } from './followVideos';
import { watchVideos } from './watchVideos';

/**
 * One check of the whole batch, and a last stretch where something is nearly ready. Outputs: [the
 * wait is over, something still renders]; the batch leaves as one, because the node before it sleeps
 * for all. Nothing is lost where n8n dies in here: the Keeper has all of the batch, and starts over.
 */
export async function checkBatch(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	// A failing video ends nothing here: whether it ends the wait is for the caller's On Error.
	const run: Run = {
		...openRun(context, 'videoGenerationApi', videoStatusFields),
		onFailure: () => {},
	};
	const before = readBatch(run.items);
	if (await isCallerGone(context, before)) return [run.items, []];
	const videos = await watchAll(run, await checkAll(run, before));
	const over = isOver(videos);
	const seconds = over ? 0 : toSleepSeconds(videos, run.clock.now());
	const next = over ? '' : `, next check in ${seconds} s`;
	const rendering = videos.filter(isSleeping).length;
	run.report.debug(`${rendering} of ${videos.length} videos still rendering${next}`);
	const items = videos.map((video) => toBatchItem(video, seconds, run));
	return over ? [items, []] : [[], items];
}

const checkAll = async (run: Run, videos: BatchVideo[]): Promise<BatchVideo[]> =>
	await followVideos(run, videos, videos.filter(isSleeping), (connection) => {
		const checking = toChecking(run, connection);
		return {
			follow: async ({ render }) => await checkTask(render, checking),
			limiter: createLimiter(CONCURRENT_CHECKS, run.signal),
		};
	});

/** As long as something is nearly ready; the stretches of a batch have an end. */
async function watchAll(run: Run, checked: BatchVideo[]): Promise<BatchVideo[]> {
	let videos = checked;
	for (;;) {
		const stretch = isOver(videos) ? undefined : toLastStretch(videos, run.clock.now());
		if (!stretch || run.signal.aborted) return videos;
		videos = await watchVideos(run, videos, stretch);
	}
}
