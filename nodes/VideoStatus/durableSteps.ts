import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addVideo, CONCURRENT_DOWNLOADS } from '../shared/download/downloadVideo';
import { RETURN_STEP, START, startSubExecution, toCheckerWorkflow } from '../shared/durable/park';
import {
	type BatchVideo,
	earliestDeadlineMs,
	isOver,
	isSleeping,
	MIN_SLEEP_S,
	readBatch,
	type SleepingVideo,
	toBatchItems,
} from '../shared/durable/sleepingVideo';
import { type Results, toItems, toOutput, toShown } from '../shared/item/output';
import { createRun, type Run } from '../shared/item/run';
import { workItems } from '../shared/item/runItems';
import { toVideos } from '../shared/item/words';
import { createLimiter } from '../shared/lib/turns';
import { delayMs } from '../shared/service/later';
import { createFetch } from '../shared/task/fetchRender';
import { follow } from '../shared/task/follow';
import { betweenSleeps, CONCURRENT_CHECKS } from '../shared/task/policies';
import { type Render, toItemResult } from '../shared/task/render';
import { videoStatusFields } from './fields';
import type { Reason } from '../shared/service/reason';

/** Works this node's step in a sub-execution of Durable; `undefined` in any other workflow. */
export async function workDurableStep(context: IExecuteFunctions) {
	const step = new Map([
		['launch', launchChecker],
		['check', checkBatch],
		['return', returnVideos],
	]).get(context.getNodeParameter('durableStep', 0, '') as string);
	return await step?.(
		createRun(context, 'videoGenerationApi', videoStatusFields, { submits: true }),
	);
}

/** How often the Keeper launches the Checker before it gives up the wait. */
const MAX_LAUNCHES = 20;

/**
 * Runs the Keeper's first step: starts the Checker, and the Keeper sleeps until the Checker ends.
 * Returns the items that the caller would have now: n8n shows them during the wait, and gives them
 * to the caller if n8n dies at the moment in which the Keeper hands the videos over.
 */
async function launchChecker(run: Run): Promise<INodeExecutionData[][]> {
	const { context, items } = run;
	try {
		const checker = toCheckerWorkflow(context.getNode());
		const ended = await startSubExecution(context, checker, items);
		if (ended) return [ended];
	} catch (error) {
		// The last step decides: the caller waits in process, or the Checker is launched again.
		return [[{ json: { not_started: (error as Error).message } }]];
	}
	return [toItems(run, toResults(run, readBatch(items)))];
}

/**
 * Runs the Checker's step: checks all videos that still render, checks those again that are nearly
 * ready, and downloads. Returns two outputs: [the wait is over, something still renders]. All items
 * leave by the same one, because each check needs the whole batch. Nothing is lost if n8n dies
 * here: the Keeper has the batch, too, and launches the Checker again.
 */
async function checkBatch(nodeRun: Run): Promise<INodeExecutionData[][]> {
	const before = readBatch(nodeRun.items);
	if (await isCallerGone(nodeRun.context, before)) return [nodeRun.items, []];
	const sleeping = before.filter(isSleeping);
	// The caller's On Error decides whether a failing video ends the wait for the others.
	const stops = sleeping.some(({ stopsOnFailure }) => stopsOnFailure);
	const run: Run = stops ? nodeRun : { ...nodeRun, onFailure: () => {} };
	const { clock, maxPauseMs, signal } = run;
	const deadlineMs = earliestDeadlineMs(before);
	noteVideos(run, before);
	const results: Results = [];
	const renders = new Map<number, Render>();
	await workItems(run, sleeping, results, (connection) => {
		const fetch = createFetch(run, connection);
		const limiter = createLimiter(CONCURRENT_CHECKS, signal);
		const downloads = createLimiter(CONCURRENT_DOWNLOADS, signal);
		const latestMs = deadlineMs - MIN_SLEEP_S * 1000;
		const work = async ({ job, itemIndex, render: asleep }: SleepingVideo) => {
			const policy = betweenSleeps(latestMs, maxPauseMs);
			const end = await follow(asleep, policy, { fetch, clock, signal, limiter });
			const { state, render } = end;
			renders.set(itemIndex, render);
			if (state === 'rendering' || state === 'stopped') return undefined;
			if (state !== 'done' || !job.downloadVideo) return toItemResult(end, job);
			return await downloads(async () => await addVideo(render, job, run, connection));
		};
		return { work };
	});
	const videos = before.map((video): BatchVideo => {
		const { itemIndex, summary, incoming } = video;
		const result = results[itemIndex];
		if (result) return { itemIndex, summary, incoming, result: toShown(run, result) };
		return isSleeping(video) ? { ...video, render: renders.get(itemIndex) ?? video.render } : video;
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
async function returnVideos(run: Run): Promise<INodeExecutionData[][]> {
	const { context, items, clock, report, runIndex } = run;
	const videos = readBatch(items);
	const proxy = context.getWorkflowDataProxy(0);
	// The input of this launch of the Checker: from the start, or from this step's last run.
	const launched = (
		runIndex > 0 ? proxy.$(RETURN_STEP).all(1, runIndex - 1) : proxy.$(START).all()
	) as INodeExecutionData[];
	const before = readBatch(launched);
	const hasEnded = videos.length === items.length && isOver(videos);
	if (hasEnded || (await isCallerGone(context, before))) {
		return [toOutput(toCaller(run, videos), toResults(run, videos)), []];
	}
	const launches = runIndex + 1;
	const notStarted = items[0]?.json.not_started as string | undefined;
	// The caller does not sleep yet, so it can still wait in process.
	if (notStarted !== undefined && launches === 1) return [items, []];
	const reason = notStarted ?? String(items[0]?.json.error ?? 'it was interrupted');
	const wait = `the wait for ${toVideos(before.filter(isSleeping).length)}`;
	report.warn(`${wait} was interrupted (${reason}), which costs nothing`);
	if (launches < MAX_LAUNCHES) {
		// Right after a restart, n8n may not reach its database yet, so wait a moment.
		if (notStarted !== undefined) await clock.pause(delayMs(launches, clock.random()));
		return [[], launched];
	}
	const message = `Its wait was interrupted ${MAX_LAUNCHES} times: ${reason}`;
	const failure: Reason = { message, passes: true };
	return [toOutput(toCaller(run, before), toResults(run, before, failure)), []];
}

/** Returns the run with the items of the caller, as far as failing ones leave with their files. */
function toCaller(run: Run, videos: BatchVideo[]): Run {
	const items: Run['items'] = [];
	for (const { itemIndex, incoming } of videos) items[itemIndex] = { json: {}, binary: incoming };
	return { ...run, items: Array.from(items, (item = { json: {} }) => item), hasErrorOutput: true };
}

/** Tells the run what is known of each video, so that any failure can name it. */
function noteVideos(run: Run, videos: BatchVideo[]): void {
	for (const video of videos) {
		if (isSleeping(video)) run.taskIds.set(video.itemIndex, video.render.task.task_id);
		if (video.summary) run.summaries.set(video.itemIndex, video.summary);
	}
}

/**
 * Returns results by input item, and tells the run of them. A video that still renders gets the item
 * of its task or, if its wait is over, a failure.
 */
function toResults(run: Run, videos: BatchVideo[], failure?: Reason): Results {
	noteVideos(run, videos);
	const results: Results = [];
	for (const video of videos) {
		if (isSleeping(video)) {
			const { render, job } = video;
			const state = failure ? 'lost' : 'rendering';
			const { task_id } = render.task;
			const because = failure && { ...failure, kind: 'check' as const, task_id };
			results[video.itemIndex] = toItemResult({ state, render, failure: because }, job);
		} else results[video.itemIndex] = video.result;
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
	const video = videos.find(isSleeping);
	if (!video) return false;
	const unknown = { resultData: { error: undefined } };
	const data = await context.getExecutionDataById(video.callerId).catch(() => unknown);
	return data === undefined || data.resultData.error !== undefined;
}
