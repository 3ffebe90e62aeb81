import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readNotStarted } from '../shared/durable/notStarted';
import { toBatchItem, type BatchVideo, type SleepingVideo } from '../shared/durable/sleepingVideo';
import { sleepSeconds } from '../shared/durable/sleepLength';
import { startSubExecution } from '../shared/durable/startSubExecution';
import { toKeeperWorkflow } from '../shared/durable/workflows';
import { stopsOnFailure, toItem, type ItemResult } from '../shared/item/output';
import type { Render } from '../shared/task/render';
import { NO_TROUBLES } from '../shared/task/troubles';
import type { VideoJob } from './readJobs';

export interface OpenRender {
	job: VideoJob;
	render: Render;
	/** Milliseconds since 1970 after which On Timeout applies. */
	deadlineMs: number;
}

/**
 * Hands the open renders to a sub-execution that sleeps in n8n's database, together with the
 * results that are known already, and lets go: n8n parks this execution and resumes it with the
 * items of the sub-execution. What is returned here is what the executions list shows meanwhile, or
 * why n8n cannot do this.
 */
export async function waitDurably(
	context: IExecuteFunctions,
	open: OpenRender[],
	results: Array<ItemResult | undefined>,
): Promise<{ items: INodeExecutionData[] } | { whyNot: string }> {
	try {
		const keeper = toKeeperWorkflow(context.getNode());
		const { data, waitTill } = await startSubExecution(
			context,
			keeper,
			toBatch(context, open, results),
		);
		if (!waitTill) return ended(data[0] ?? []);
	} catch (error) {
		return { whyNot: (error as Error).message };
	}
	context.logger.debug(`${context.getNode().name}: ${open.length} videos sleep in the database`);
	return { items: results.flatMap((result, item) => (result ? [toItem(result, item)] : [])) };
}

/** Without a sleep: n8n held the process for it, or the worker could not be started. */
function ended(items: INodeExecutionData[]) {
	const whyNot = readNotStarted(items);
	return whyNot === undefined ? { items } : { whyNot };
}

function toBatch(
	context: IExecuteFunctions,
	open: OpenRender[],
	results: Array<ItemResult | undefined>,
): INodeExecutionData[] {
	const sleepers = open.map((one) => toSleeper(context, one));
	const sleeperOf = new Map(sleepers.map((sleeper) => [sleeper.item, sleeper]));
	const batch = results.flatMap((result, item): BatchVideo[] => {
		const sleeper = sleeperOf.get(item);
		if (sleeper) return [sleeper];
		return result ? [{ item, result }] : [];
	});
	const times = sleepers.map(({ render, deadlineMs }) => ({ ...render, deadlineMs }));
	const seconds = sleepSeconds(times, Date.now());
	return batch.map((video) => toBatchItem(video, seconds));
}

function toSleeper(
	context: IExecuteFunctions,
	{ job, render, deadlineMs }: OpenRender,
): SleepingVideo {
	const { itemIndex, simplify, timeOutFails, maxWaitMs, downloadVideo, binaryProperty } = job;
	return {
		item: itemIndex,
		callerId: context.getExecutionId(),
		render,
		deadlineMs,
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
