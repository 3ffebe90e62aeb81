import type { INodeExecutionData } from 'n8n-workflow';

import { toItem, toShown, type Results } from '../item/output';
import type { Run } from '../item/run';
import type { Render } from '../task/render';
import {
	toBatchItem,
	toSleepSeconds,
	type BatchVideo,
	type SleeperWishes,
	type SleepingVideo,
} from './sleepingVideo';
import { readNotStarted, startSubExecution } from './subExecution';
import { toKeeperWorkflow } from './workflows';

type ParkedJob = Omit<SleeperWishes, 'stopsOnFailure'> & { itemIndex: number };

/**
 * Hands the open renders to a sub-execution that sleeps in n8n's database, together with the
 * results that are known already, and lets go: n8n parks this execution and resumes it with the
 * items of the sub-execution. What is returned here is what n8n stores meanwhile, or why it cannot do this.
 * The open ones come first: where the first item has failed, n8n's Retry On Fail would run the node
 * once more beside its own sleep.
 */
export async function park(
	run: Run,
	open: Map<ParkedJob, Render>,
	results: Results,
): Promise<{ items: INodeExecutionData[] } | { whyNot: string }> {
	const { context, report } = run;
	try {
		const keeper = toKeeperWorkflow(context.getNode());
		const { data, waitTill } = await startSubExecution(
			context,
			keeper,
			toBatch(run, open, results),
		);
		if (!waitTill) return ended(data[0] ?? []);
	} catch (error) {
		return { whyNot: (error as Error).message };
	}
	report.debug(`sleeping in the database (videos to wait for: ${open.size})`);
	const parked = results.flatMap((result, item) =>
		result ? [toItem(toShown(run, result), item)] : [],
	);
	const isOpen = ({ json }: INodeExecutionData) => json.error === undefined;
	return { items: [...parked.filter(isOpen), ...parked.filter((item) => !isOpen(item))] };
}

/** Without a sleep: n8n held the process for it, or the Checker could not be started. */
function ended(items: INodeExecutionData[]) {
	const whyNot = readNotStarted(items);
	return whyNot === undefined ? { items } : { whyNot };
}

function toBatch(run: Run, open: Map<ParkedJob, Render>, results: Results): INodeExecutionData[] {
	const sleepers = [...open].map(([job, render]) => toSleeper(run, job, render));
	const videos = results.flatMap((result, item): BatchVideo[] => {
		const sleeper = sleepers.find((one) => one.item === item);
		if (sleeper) return [sleeper];
		return result ? [{ item, result }] : [];
	});
	const seconds = toSleepSeconds(sleepers, run.clock.now());
	return videos.map((video) => toBatchItem(video, seconds, run));
}

function toSleeper(
	{ context, stopsOnFailure }: Run,
	{ itemIndex, ...job }: ParkedJob,
	render: Render,
): SleepingVideo {
	return {
		item: itemIndex,
		callerId: context.getExecutionId(),
		render,
		wishes: {
			simplify: job.simplify,
			timeOutFails: job.timeOutFails,
			maxWaitMs: job.maxWaitMs,
			reuseTask: job.reuseTask,
			downloadVideo: job.downloadVideo,
			binaryProperty: job.binaryProperty,
			maxSizeBytes: job.maxSizeBytes,
			allowPrivate: job.allowPrivate,
			stopsOnFailure,
		},
	};
}
