import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addFiles, CONCURRENT_DOWNLOADS } from '../shared/download/downloadFiles';
import {
	type BatchVideo,
	isOver,
	isSleeping,
	readBatch,
	type SleepingVideo,
	toBatchItems,
} from '../shared/durable/sleepingVideo';
import {
	RETURN_STEP,
	START,
	startSubExecution,
	toCheckerWorkflow,
} from '../shared/durable/subExecution';
import type { Reason } from '../shared/failure/reason';
import { toVideos } from '../shared/lib/text';
import { createLimiter } from '../shared/lib/turns';
import { type Results, toItems, toOutput, toShown } from '../shared/n8n/output';
import { createRun, type Run } from '../shared/n8n/run';
import { workItems } from '../shared/n8n/runItems';
import type { Connection } from '../shared/services/connection';
import { CONCURRENT_CHECKS, createCheck } from '../shared/task/poll';
import { type Render, toItemResult } from '../shared/task/render';
import { videoStatusFields } from './fields';

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

/**
 * Runs the Keeper's first step: starts the Checker, and the Keeper sleeps until the Checker ends.
 * Returns the items that the caller would have now: n8n shows them during the wait, and gives them
 * to the caller if n8n dies at the moment in which the Keeper hands the videos over.
 */
async function launchChecker(run: Run): Promise<INodeExecutionData[][]> {
	const { context, items } = run;
	const checker = toCheckerWorkflow(context.getNode());
	const ended = await startSubExecution(context, checker, items);
	return [ended ?? toItems(run, toResults(run, readBatch(items)))];
}

/**
 * Runs the Checker's step: checks all videos that still render, and downloads. Returns two outputs:
 * [next: the wait is over, again: something still renders]. All items leave by the same one, because each check
 * needs the whole batch. Nothing is lost if n8n dies here: the Keeper has the batch, too, and launches
 * the Checker again.
 */
async function checkBatch(nodeRun: Run): Promise<INodeExecutionData[][]> {
	const before = readBatch(nodeRun.items);
	const sleeping = before.filter(isSleeping);
	// The caller's On Error decides whether a failing video ends the wait for the others.
	const stops = sleeping.some(({ stopsOnFailure }) => stopsOnFailure);
	const run: Run = stops ? nodeRun : { ...nodeRun, onFailure: () => {} };
	noteVideos(run, before);
	const results: Results = [];
	const renders = new Map<number, Render>();
	await workItems(run, sleeping, results, (connection) =>
		createDurableChecks(run, connection, renders),
	);
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

/** Returns what checks a video, notes its render, and gives the result of one that has ended. */
function createDurableChecks(run: Run, connection: Connection, renders: Map<number, Render>) {
	const check = createCheck(run, connection, {
		limiter: createLimiter(CONCURRENT_CHECKS, run.signal),
	});
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	const work = async ({ job, itemIndex, render: asleep }: SleepingVideo) => {
		const end = await check(asleep);
		const { state, render } = end;
		renders.set(itemIndex, render);
		if (state === 'rendering' || state === 'stopped') return undefined;
		if (state !== 'done' || !job.downloadVideo) return toItemResult(end, job);
		return await downloads(async () => await addFiles(render, job, run, connection));
	};
	return { work };
}

/** How often the Keeper launches the Checker before it gives up: a file may be too large for n8n's memory. */
const MAX_LAUNCHES = 20;

/**
 * Runs the Keeper's last step: gives the caller its items, or has the Checker launched again.
 * Returns two outputs: [next: items for the caller, again: the batch for the next launch]. The input is the
 * Checker's last items, which may be incomplete if n8n died, or the Checker's error.
 */
async function returnVideos(run: Run): Promise<INodeExecutionData[][]> {
	const { context, items, report, runIndex } = run;
	const videos = readBatch(items);
	if (videos.length === items.length && isOver(videos)) {
		return [toOutput(toCaller(run, videos), toResults(run, videos)), []];
	}
	const proxy = context.getWorkflowDataProxy(0);
	// The input of this launch of the Checker: from the start, or from this step's last run.
	const launched = (
		runIndex > 0 ? proxy.$(RETURN_STEP).all(1, runIndex - 1) : proxy.$(START).all()
	) as INodeExecutionData[];
	const before = readBatch(launched);
	const reason = String(items[0]?.json.error ?? 'it was interrupted');
	const wait = `the wait for ${toVideos(before.filter(isSleeping).length)}`;
	report.warn(`${wait} was interrupted (${reason}), which costs nothing`);
	if (runIndex + 1 < MAX_LAUNCHES) return [[], launched];
	const message = `Its wait was interrupted ${MAX_LAUNCHES} times: ${reason}`;
	const because: Reason = { message, passes: true };
	return [toOutput(toCaller(run, before), toResults(run, before, because)), []];
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
function toResults(run: Run, videos: BatchVideo[], because?: Reason): Results {
	noteVideos(run, videos);
	const results: Results = [];
	for (const video of videos) {
		if (isSleeping(video)) {
			const { render, job } = video;
			const state = because ? 'lost' : 'rendering';
			results[video.itemIndex] = toItemResult({ state, render, because }, job);
		} else results[video.itemIndex] = video.result;
	}
	return Array.from(results);
}
