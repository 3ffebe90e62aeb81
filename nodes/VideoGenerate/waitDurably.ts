import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	NO_TROUBLES,
	toBatchItem,
	type BatchVideo,
	type SleepingVideo,
} from '../shared/durable/sleepingVideo';
import { sleepSeconds } from '../shared/durable/sleepLength';
import { startSubExecution } from '../shared/durable/startSubExecution';
import { toKeeperWorkflow } from '../shared/durable/workflows';
import { stopsOnFailure, toItem, type ItemResult } from '../shared/items';
import type { Render } from '../shared/rendering/render';
import type { VideoJob } from './readJobs';

export interface OpenRender {
	job: VideoJob;
	render: Render;
}

/**
 * Hands the open renders to a sub-execution that sleeps in n8n's database, together with the
 * results that are known already, and lets go: n8n parks this execution and resumes it with the
 * items of the sub-execution. What is returned here is what the executions list shows meanwhile.
 */
export async function waitDurably(
	context: IExecuteFunctions,
	open: OpenRender[],
	results: Array<ItemResult | undefined>,
): Promise<INodeExecutionData[]> {
	const nowMs = Date.now();
	const sleepers = open.map(({ job, render }) => toSleeper(context, job, render, nowMs));
	const sleeperOf = new Map(sleepers.map((sleeper) => [sleeper.item, sleeper]));
	const batch = results.flatMap((result, item): BatchVideo[] => {
		const sleeper = sleeperOf.get(item);
		if (sleeper) return [sleeper];
		return result ? [{ item, result }] : [];
	});
	const times = sleepers.map(({ render, deadlineMs }) => ({ ...render, deadlineMs }));
	const seconds = sleepSeconds(times, nowMs);
	const items = batch.map((video) => toBatchItem(video, seconds));
	const { data, waitTill } = await startSubExecution(
		context,
		toKeeperWorkflow(context.getNode()),
		items,
	);
	if (!waitTill) return data[0] ?? [];
	context.logger.debug(`${context.getNode().name}: ${open.length} videos sleep in the database`);
	return results.flatMap((result, item) => (result ? [toItem(result, item)] : []));
}

function toSleeper(
	context: IExecuteFunctions,
	job: VideoJob,
	render: Render,
	nowMs: number,
): SleepingVideo {
	const { itemIndex, simplify, timeOutFails, maxWaitMs, downloadVideo, binaryProperty } = job;
	return {
		item: itemIndex,
		callerId: context.getExecutionId(),
		render,
		deadlineMs: nowMs + maxWaitMs - (job.headStartMs ?? 0),
		troubles: NO_TROUBLES,
		wishes: {
			simplify,
			timeOutFails,
			maxWaitMs,
			downloadVideo,
			binaryProperty,
			stopsOnFailure: stopsOnFailure(context),
		},
	};
}
