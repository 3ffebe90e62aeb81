import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addVideo, CONCURRENT_DOWNLOADS } from '../shared/download/downloadVideo';
import { tellLastFrames } from '../shared/download/lastFrame';
import {
	type BatchVideo,
	earliestDeadlineMs,
	isOver,
	isSleeping,
	MAX_PAUSES,
	readBatch,
	type SleepingVideo,
	toAwakeMs,
	toBatchItems,
} from '../shared/durable/sleepingVideo';
import {
	RETURN_STEP,
	START,
	startSubExecution,
	toCheckerWorkflow,
} from '../shared/durable/workflows';
import { type Results, toItem, toOutput, toShown } from '../shared/item/output';
import { openRun, type Run } from '../shared/item/run';
import { openAndWork } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/turns';
import { delayMs } from '../shared/service/paid';
import { toVideos } from '../shared/task/batchReport';
import { CONCURRENT_CHECKS, openCheck } from '../shared/task/followTask';
import { type Render, toRenderItem } from '../shared/task/render';
import { tellBilled, toItemResult, toTaskFailure } from '../shared/task/taskResult';
import { videoStatusFields } from './fields';

/** Returns this node's step in a sub-execution of Durable; `undefined` in any other workflow. */
export const durableStepOf = (context: IExecuteFunctions) =>
	new Map([
		['launch', launchChecker],
		['check', checkBatch],
		['return', returnVideos],
	]).get(context.getNodeParameter('durableStep', 0, '') as string);

/** How often the Keeper launches the Checker before it gives up the wait. */
const MAX_LAUNCHES = 20;

/**
 * Runs the Keeper's first step: starts the Checker, and the Keeper sleeps until the Checker ends.
 * Returns the items that the caller would have now: n8n shows them during the wait, and gives them
 * to the caller if n8n dies at the moment in which the Keeper hands the videos over.
 */
async function launchChecker(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	try {
		const checker = toCheckerWorkflow(context.getNode());
		const ended = await startSubExecution(context, checker, items);
		if (ended) return [ended];
	} catch (error) {
		// The last step decides: the caller waits in process, or the Checker is launched again.
		return [[{ json: { not_started: (error as Error).message } }]];
	}
	return [toResults(readBatch(items)).flatMap((result, i) => (result ? [toItem(result, i)] : []))];
}

/**
 * Runs the Checker's step: checks all videos that still render, checks those again that are nearly
 * ready, and downloads. Returns two outputs: [the wait is over, something still renders]. All items
 * leave by the same one, because each check needs the whole batch. Nothing is lost if n8n dies
 * here: the Keeper has the batch, too, and launches the Checker again.
 */
async function checkBatch(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const opened = openRun(context, 'videoGenerationApi', videoStatusFields);
	const before = readBatch(opened.items);
	if (await isCallerGone(context, before)) return [opened.items, []];
	const sleeping = before.filter(isSleeping);
	// The caller's On Error decides whether a failing video ends the wait for the others.
	const stops = sleeping.some(({ stopsOnFailure }) => stopsOnFailure);
	const run: Run = stops ? opened : { ...opened, onFailure: () => {} };
	const { clock, signal } = run;
	const deadlineMs = earliestDeadlineMs(before);
	noteVideos(run, sleeping);
	const results: Results = [];
	const left = new Map<number, Render>();
	await openAndWork(run, sleeping, results, (_run, connection) => {
		const check = openCheck(run, connection);
		const checks = createLimiter(CONCURRENT_CHECKS, signal);
		const downloads = createLimiter(CONCURRENT_DOWNLOADS, signal);
		const work = async (video: SleepingVideo) => {
			const { job, itemIndex } = video;
			let last = video.render;
			for (let pauses = 0; ; pauses++) {
				const end = await checks(async () => await check(last));
				if (!end) return undefined;
				const { render } = end;
				left.set(itemIndex, render);
				if (end.state === 'done' && job.downloadVideo) {
					return await downloads(async () => await addVideo(render, job, run, connection));
				}
				if (end.state !== 'rendering') return toItemResult(end, job);
				const awakeMs = toAwakeMs({ ...video, render }, last, clock.now(), deadlineMs);
				last = render;
				if (awakeMs === undefined || pauses === MAX_PAUSES) return undefined;
				await clock.pause(awakeMs);
			}
		};
		return { work };
	});
	tellBilled(results);
	tellLastFrames(run);
	const videos = before.map((video): BatchVideo => {
		const { itemIndex } = video;
		const result = results[itemIndex];
		if (result) return { itemIndex, result: toShown(run, result, itemIndex) };
		return isSleeping(video) ? { ...video, render: left.get(itemIndex) ?? video.render } : video;
	});
	run.report.debug(`still rendering: ${videos.filter(isSleeping).length} of ${videos.length}`);
	const items = toBatchItems(videos, run);
	return isOver(videos) ? [items, []] : [[], items];
}

/**
 * Runs the Keeper's last step: gives the caller its items, or has the Checker launched again.
 * Returns two outputs: [items for the caller, the batch for the next launch]. The input is the
 * Checker's last items, which may be incomplete if n8n died, or the Checker's error.
 */
async function returnVideos(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = openRun(context, 'videoGenerationApi', videoStatusFields);
	const { items, clock, report } = run;
	const videos = readBatch(items);
	const proxy = context.getWorkflowDataProxy(0);
	const runIndex = proxy.$runIndex as number;
	// The input of this launch of the Checker: from the start, or from this step's last run.
	const given = (
		runIndex > 0 ? proxy.$(RETURN_STEP).all(1, runIndex - 1) : proxy.$(START).all()
	) as INodeExecutionData[];
	const open = readBatch(given);
	const hasEnded = videos.length === items.length && isOver(videos);
	if (hasEnded || (await isCallerGone(context, open))) {
		return [toOutput(run, toResults(videos)), []];
	}
	const launches = runIndex + 1;
	const notStarted = items[0]?.json.not_started as string | undefined;
	// The caller does not sleep yet, so it can still wait in process.
	if (notStarted !== undefined && launches === 1) return [items, []];
	const reason = notStarted ?? String(items[0]?.json.error ?? 'it was interrupted');
	const waiting = open.filter(isSleeping);
	const wait = `the wait for ${toVideos(waiting.length)}`;
	report.warn(`${wait} was interrupted (${reason}), which costs nothing`);
	if (launches < MAX_LAUNCHES) {
		// Right after a restart, n8n may not reach its database yet, so wait a moment.
		if (notStarted !== undefined) await clock.pause(delayMs(launches, clock.random()));
		return [[], given];
	}
	const results = toResults(open);
	noteVideos(run, waiting);
	const message = `Its wait was interrupted ${MAX_LAUNCHES} times: ${reason}`;
	for (const { itemIndex, render, job } of waiting) {
		const outcome = { state: 'trouble' as const, render, trouble: { message, retryable: true } };
		results[itemIndex] = { failure: toTaskFailure(outcome, job) };
	}
	return [toOutput(run, results), []];
}

/** Tells the run what is known of each video, so that any failure can name it. */
function noteVideos({ taskIds, asked }: Run, videos: SleepingVideo[]): void {
	for (const { itemIndex, render, job } of videos) {
		taskIds.set(itemIndex, render.task.task_id);
		if (job.asked) asked.set(itemIndex, job.asked);
	}
}

/** Returns results by input item; a video that still renders gets the item of its task. */
function toResults(videos: BatchVideo[]): Results {
	const results: Results = [];
	for (const video of videos) {
		results[video.itemIndex] = isSleeping(video)
			? { json: toRenderItem(video.render, video.job) }
			: video.result;
	}
	return Array.from(results);
}

/**
 * Resolves to whether the caller was stopped or deleted in its sleep. n8n does not end the caller's
 * sub-executions then, but stores an error with a stopped execution. If that cannot be read, the
 * caller counts as still there: a check is free, a lost video is not.
 */
export async function isCallerGone(
	context: Pick<IExecuteFunctions, 'getExecutionDataById'>,
	videos: BatchVideo[],
): Promise<boolean> {
	const open = videos.find(isSleeping);
	if (!open) return false;
	const unknown = { resultData: { error: undefined } };
	const data = await context.getExecutionDataById(open.callerId).catch(() => unknown);
	return data === undefined || data.resultData.error !== undefined;
}
