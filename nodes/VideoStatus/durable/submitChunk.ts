import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toBatchItems } from '../../shared/durable/nextCheck';
import {
	isEnded,
	isOver,
	isUnsubmitted,
	readBatch,
	type BatchVideo,
	type UnsubmittedVideo,
} from '../../shared/durable/sleepingVideo';
import { hasStoredPasses, isWaitedFor } from '../../shared/durable/stored';
import { isFailed } from '../../shared/item/output';
import { openRun, type Run } from '../../shared/item/run';
import { delayMs } from '../../shared/service/retry';
import { videoStatusFields } from '../fields';
import { toInterrupted, toNotSubmitted } from './failures';
import { hearOut } from './hearOut';
import { submitBegun } from './submitBegun';

/** Looks for n8n to store that all executions wait: two minutes. It takes some 0.1 s. */
const LOOKS_WHILE_STORING = 125;
/** Later it is stored, or not any more; but the database may not answer for a moment. */
const LOOKS = 4;
/** Passes that only store again what n8n could not; the rest are one for each chunk. */
const SPARE_PASSES = 10;

/**
 * One pass of the Submitter. Outputs: [there is another pass, all is submitted]. The first one
 * submits nothing: it waits until n8n has stored that the caller and the Keeper wait, and says which
 * videos the next pass submits. Each pass leaves only what n8n stores before the next, and looks
 * whether it did: so of whatever n8n dies in, it is known what had begun.
 */
export async function submitChunk(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = openRun(context, 'videoGenerationApi', videoStatusFields);
	const pass = context.getWorkflowDataProxy(0).$runIndex as number;
	const videos = readBatch(run.items);
	const [first] = videos.filter(isUnsubmitted);
	if (!first) return [[], run.items];
	const isStored = pass === 0 || (await hasStoredPasses(context, pass));
	if (!isStored && pass <= videos.length + SPARE_PASSES) {
		await run.clock.pause(delayMs(1, run.clock.random()));
		return [run.items, []];
	}
	const looks = pass === 0 ? LOOKS_WHILE_STORING : LOOKS;
	if (!isStored || !(await isWaitedForSoon(run, first, looks))) {
		return leave(run, giveUp(videos, pass));
	}
	const submitted = await (pass === 0 ? hearOut : submitBegun)(run, videos);
	if (!submitted.some(isUnsubmitted) || stops(submitted)) return leave(run, submitted);
	return [toBatchItems(beginChunk(submitted), run), []];
}

async function isWaitedForSoon(
	{ context, clock }: Run,
	video: UnsubmittedVideo,
	looks: number,
): Promise<boolean> {
	let pauseMs = 25;
	for (let look = 1; look <= looks; look++) {
		const waits = await isWaitedFor(context, video);
		if (waits !== undefined) return waits;
		await clock.pause(pauseMs);
		pauseMs = Math.min(pauseMs * 2, 1_000);
	}
	return false;
}

/** Nothing of what had been said to begin was submitted. */
const giveUp = (videos: BatchVideo[], pass: number): BatchVideo[] =>
	videos.map((video) => {
		if (!isUnsubmitted(video)) return video;
		if (pass > 0) return { ...video, begun: false };
		if (video.begun) return { item: video.item, result: { failure: toInterrupted() } };
		const reason = 'n8n has not stored that the execution waits for it';
		return { item: video.item, result: { failure: toNotSubmitted(reason) } };
	});

const stops = (videos: BatchVideo[]) =>
	videos.some((video) => isEnded(video) && isFailed(video.result)) && isOver(videos);

function beginChunk(videos: BatchVideo[]): BatchVideo[] {
	const waiting = videos.filter(isUnsubmitted);
	const chunk = new Set(waiting.slice(0, waiting[0].concurrency));
	return videos.map((video) =>
		isUnsubmitted(video) && chunk.has(video) ? { ...video, begun: true } : video,
	);
}

const leave = (run: Run, videos: BatchVideo[]) => [[], toBatchItems(videos, run)];
