import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addVideo } from '../../shared/download/addVideo';
import { CONCURRENT_DOWNLOADS, toDownloading } from '../../shared/download/downloadVideo';
import {
	isEnded,
	isOver,
	readBatchItem,
	toBatchItem,
	toSleepSeconds,
	type BatchVideo,
	type SleepingVideo,
} from '../../shared/durable/sleepingVideo';
import { isCallerGone } from '../../shared/durable/subExecution';
import { toInputFailure } from '../../shared/item/failure';
import { openRun, type Run } from '../../shared/item/run';
import { attempt } from '../../shared/item/runItems';
import { createLimiter } from '../../shared/lib/limiter';
import { openConnection, type Connection } from '../../shared/service/connection';
import { fetchTask } from '../../shared/service/videoApi';
import { checkTask } from '../../shared/task/checkTask';
import { toItemResult } from '../../shared/task/renderResult';
import { videoStatusFields } from '../fields';

/** Checks under way at once. */
const CONCURRENT_CHECKS = 10;

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
	const before = run.items.map(readBatchItem).filter((video) => video !== undefined);
	if (await isCallerGone(context, before)) return [run.items, []];
	const videos = await checkAll(run, before);
	const over = isOver(videos);
	const sleeping = videos.filter((video): video is SleepingVideo => !isEnded(video));
	const seconds = over ? 0 : toSleepSeconds(sleeping, run.clock.now());
	const next = over ? '' : `, next check in ${seconds} s`;
	run.report.debug(`${sleeping.length} of ${videos.length} videos still rendering${next}`);
	const checked = videos.map((video) => toBatchItem(video, seconds));
	return over ? [checked, []] : [[], checked];
}

async function checkAll(run: Run, videos: BatchVideo[]): Promise<BatchVideo[]> {
	const check = await openChecks(run);
	return await Promise.all(
		videos.map(async (video) => (isEnded(video) ? video : await check(video))),
	);
}

type Check = (video: SleepingVideo) => Promise<BatchVideo>;

/** A credential that is gone or cannot be read ends the wait: the task is safe, and so is its id. */
async function openChecks(run: Run): Promise<Check> {
	try {
		return createCheck(run, await openConnection(run.context, run.credential));
	} catch (error) {
		const failure = { ...toInputFailure(error), ofAllItems: true };
		return async ({ item, render: { task } }) => {
			const { task_id, status } = task;
			return { item, result: { failure: { ...failure, task_id, status } } };
		};
	}
}

function createCheck(run: Run, connection: Connection): Check {
	const checks = createLimiter(CONCURRENT_CHECKS, run.signal);
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	const downloading = toDownloading(run, connection);
	const checking = {
		...run,
		fetchTask: async (task_id: string) => await fetchTask(connection, task_id),
	};
	return async (sleeper) => {
		let { render } = sleeper;
		const { item } = sleeper;
		const wishes = { ...sleeper.wishes, afterSleep: true };
		run.taskIds.set(item, render.task.task_id);
		const result = await attempt(run, item, async () => {
			const outcome = await checks(async () => await checkTask(render, checking));
			if (outcome) ({ render } = outcome);
			if (!outcome || outcome.state === 'rendering') return undefined;
			if (outcome.state !== 'done' || !wishes.downloadVideo) return toItemResult(outcome, wishes);
			return await downloads(async () => await addVideo(outcome.render, wishes, downloading));
		});
		return result ? { item, result } : { ...sleeper, render };
	};
}
