import type { INodeExecutionData } from 'n8n-workflow';

import { toItem, toShown, type Results } from '../item/output';
import type { Run } from '../item/run';
import type { Render } from '../task/render';
import { toBatchItems } from './nextCheck';
import {
	type BatchVideo,
	type SleeperWishes,
	type SleepingVideo,
	type UnsubmittedVideo,
} from './sleepingVideo';
import { readNotStarted, startSubExecution } from './subExecution';
import { START, toKeeperWorkflow, UNSUBMITTED_START } from './workflows';

type ParkedJob = Omit<SleeperWishes, 'stopsOnFailure'> & { itemIndex: number };
type UnsubmittedJob = ParkedJob & Pick<UnsubmittedVideo, 'request' | 'concurrency'>;

/** What is to be waited for. */
export interface OpenJobs {
	rendering: Map<ParkedJob, Render>;
	/** To be submitted behind the sleep (Crash-Safe Submit). */
	unsubmitted: UnsubmittedJob[];
}

/**
 * Hands the open renders to a sub-execution that sleeps in n8n's database, together with the
 * results that are known already, and lets go: n8n parks this execution and resumes it with the
 * items of the sub-execution. What is returned here is what n8n stores meanwhile, or why it cannot do this.
 * The open ones come first: where the first item has failed, n8n's Retry On Fail would run the node
 * once more beside its own sleep.
 */
export async function park(
	run: Run,
	open: OpenJobs,
	results: Results,
): Promise<{ items: INodeExecutionData[] } | { whyNot: string }> {
	const { context, report } = run;
	try {
		const start = open.unsubmitted.length > 0 ? UNSUBMITTED_START : START;
		const keeper = toKeeperWorkflow(context.getNode(), start);
		const { data, waitTill } = await startSubExecution(
			context,
			keeper,
			toBatch(run, open, results),
		);
		if (!waitTill) return ended(data[0] ?? []);
	} catch (error) {
		return { whyNot: (error as Error).message };
	}
	const count = open.rendering.size + open.unsubmitted.length;
	report.debug(`sleeping in the database (videos to wait for: ${count})`);
	const parked = results.flatMap((result, item) =>
		result ? [toItem(toShown(run, result), item)] : [],
	);
	for (const { itemIndex } of open.unsubmitted)
		parked.push({ json: {}, pairedItem: { item: itemIndex } });
	const isOpen = ({ json }: INodeExecutionData) => json.error === undefined;
	return { items: [...parked.filter(isOpen), ...parked.filter((item) => !isOpen(item))] };
}

/** Without a sleep: n8n held the process for it, or the Checker could not be started. */
function ended(items: INodeExecutionData[]) {
	const whyNot = readNotStarted(items);
	return whyNot === undefined ? { items } : { whyNot };
}

function toBatch(run: Run, open: OpenJobs, results: Results): INodeExecutionData[] {
	const sleepers = [...open.rendering].map(([job, render]) => toSleeper(run, job, render));
	const unsubmitted = open.unsubmitted.map((job) => toUnsubmitted(run, job));
	const waiting: BatchVideo[] = [...sleepers, ...unsubmitted];
	const videos = results.flatMap((result, item): BatchVideo[] => {
		const video = waiting.find((one) => one.item === item);
		if (video) return [video];
		return result ? [{ item, result }] : [];
	});
	return toBatchItems(videos, run);
}

const toSleeper = (run: Run, job: ParkedJob, render: Render): SleepingVideo => ({
	...toOpen(run, job),
	render,
});

const toUnsubmitted = (run: Run, job: UnsubmittedJob): UnsubmittedVideo => ({
	...toOpen(run, job),
	request: job.request,
	concurrency: job.concurrency,
	begun: false,
});

/** What is kept of a job, whatever comes next for it. */
function toOpen({ context, stopsOnFailure }: Run, { itemIndex, ...job }: ParkedJob) {
	return {
		item: itemIndex,
		callerId: context.getExecutionId(),
		wishes: {
			simplify: job.simplify,
			carried: job.carried,
			timeOutFails: job.timeOutFails,
			maxWaitMs: job.maxWaitMs,
			reuseTask: job.reuseTask,
			downloadVideo: job.downloadVideo,
			binaryProperty: job.binaryProperty,
			maxSizeBytes: job.maxSizeBytes,
			allowPrivate: job.allowPrivate,
			linkHours: job.linkHours,
			stopsOnFailure,
		},
	};
}
