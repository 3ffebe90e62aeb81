import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toBatchItems } from '../../shared/durable/nextCheck';
import { type BatchVideo, hasBegun, isEnded, isOver, isUnsubmitted, readBatch } from '../../shared/durable/sleepingVideo';
import { readLastChildId, readSubmitter } from '../../shared/durable/stored';
import { isCallerGone, readNotStarted } from '../../shared/durable/subExecution';
import { RETURN_STEP } from '../../shared/durable/workflows';
import { type Results, toOutput } from '../../shared/item/output';
import { openRun } from '../../shared/item/run';
import { delayMs } from '../../shared/service/retry';
import { toRenderItem } from '../../shared/task/render';
import { toTaskFailure } from '../../shared/task/taskResult';
import { videoStatusFields } from '../fields';
import { toInterrupted, toNotSubmitted } from './failures';

/** Times that n8n may die in the middle of a check of one batch. */
const MAX_LAUNCHES = 20;

/**
 * Gives the caller its items, or has the videos checked again. Outputs: [items, open
 * videos]. What came in is the end of the Checker or Submitter, or of one that n8n left in the
 * middle: its last items, or its error.
 */
export async function returnVideos(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = openRun(context, 'videoGenerationApi', videoStatusFields);
	const { items, clock, report } = run;
	const videos = readBatch(items);
	const hasEnded = videos.length === items.length && !videos.some(hasBegun);
	const given = readGiven(context);
	const givenVideos = readBatch(given);
	if (hasEnded && isOver(videos)) return [toOutput(run, toResults(videos)), []];
	if (await isCallerGone(context, givenVideos)) return [toOutput(run, toResults(videos)), []];
	const launches = runIndexOf(context) + 1;
	const notStarted = readNotStarted(items);
	// The caller has not gone to sleep yet and can still wait in process.
	if (notStarted !== undefined && launches === 1) return [items, []];
	const reason = notStarted ?? String(items[0]?.json.error ?? 'it was interrupted');
	const open = givenVideos.some(isUnsubmitted)
		? await readLeft(context, givenVideos, videos)
		: givenVideos;
	if (isOver(open)) return [toOutput(run, toResults(open)), []];
	const waiting = open.filter((video) => !isEnded(video)).length;
	report.warn(`the wait for ${waiting} videos was interrupted (${reason}), which costs nothing`);
	if (launches < MAX_LAUNCHES) {
		// After a restart it may be the database that is not there yet.
		if (notStarted !== undefined) await clock.pause(delayMs(launches, clock.random()));
		return [[], open === givenVideos ? given : toBatchItems(open, run)];
	}
	return [toOutput(run, toResults(open.map((video) => giveUp(video, reason)))), []];
}

const runIndexOf = (context: IExecuteFunctions) =>
	context.getWorkflowDataProxy(0).$runIndex as number;

/** What the Checker or the Submitter was given: the videos of the start, or those of the last launch. */
function readGiven(context: IExecuteFunctions): INodeExecutionData[] {
	const proxy = context.getWorkflowDataProxy(0);
	const runIndex = runIndexOf(context);
	if (runIndex > 0) return proxy.$(RETURN_STEP).all(1, runIndex - 1) as INodeExecutionData[];
	const parents = context.getParentNodes(context.getNode().name);
	const start = parents.find(({ type }) => type.endsWith('.executeWorkflowTrigger'));
	return proxy.$(start!.name).all() as INodeExecutionData[];
}

/**
 * What a Submitter that did not end properly has left. Whatever may have begun stays that: where the
 * stored data cannot be read, it is all that has no task.
 */
async function readLeft(
	context: IExecuteFunctions,
	given: BatchVideo[],
	came: BatchVideo[],
): Promise<BatchVideo[]> {
	const submitterId = await readLastChildId(context);
	const left = await readSubmitter(context, submitterId, given);
	const known = left ?? (came.length === given.length ? came : given);
	return known.map((video) => {
		if (!isUnsubmitted(video)) return video;
		const open = { ...video, keeperId: undefined };
		if (left && !video.begun) return open;
		return { ...open, begun: true, submitterId: video.submitterId ?? submitterId };
	});
}

/** By input item; a video that still renders is the item of its task. */
function toResults(videos: BatchVideo[]): Results {
	const results: Results = [];
	for (const video of videos) {
		if (isUnsubmitted(video)) continue;
		results[video.item] = isEnded(video)
			? video.result
			: { json: toRenderItem(video.render, video.wishes) };
	}
	return Array.from(results);
}

function giveUp(video: BatchVideo, reason: string): BatchVideo {
	if (isEnded(video)) return video;
	const { item, wishes } = video;
	const message = `Its wait was interrupted ${MAX_LAUNCHES} times: ${reason}`;
	if (isUnsubmitted(video)) {
		const failure = video.begun ? toInterrupted() : toNotSubmitted(message);
		return { item, result: { failure } };
	}
	const outcome = {
		state: 'trouble' as const,
		render: video.render,
		trouble: { message, retryable: true },
	};
	return { item, result: { failure: toTaskFailure(outcome, { ...wishes, afterSleep: true }) } };
}
