import type { INodeExecutionData } from 'n8n-workflow';

import { createVideoAgent } from '../shared/agent/videoAgent';
import { addVideo, CONCURRENT_DOWNLOADS } from '../shared/download/downloadVideo';
import { park, sayNotDurable, whyNotDurable } from '../shared/durable/park';
import type { ItemResult, Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { workAll } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { type BatchReport, createBatchReport } from '../shared/task/batchReport';
import type { CallerTasks } from '../shared/task/callerTasks';
import { createLedger } from '../shared/task/ledger';
import type { Outcome, Render } from '../shared/task/render';
import { toItemResult } from '../shared/task/renderResult';
import { poll, renderVideo } from '../shared/task/renderVideo';
import { toDryRun } from './dryRun';
import { toEndWords } from './endWords';
import type { VideoJob } from './readJob';
import { toRendering } from './rendering';
import { keepToLimit } from './spendingLimit';
import type { Talk } from './talk';

/** The videos of one run. */
export interface Batch {
	/** From the ledger or the submit to the item; a durable wait is left open. */
	work: (job: VideoJob) => Promise<ItemResult | undefined>;
	/** What the node gives while it sleeps for the open ones; `undefined` where none is open any more. */
	waitDurably: (results: Results) => Promise<INodeExecutionData[] | undefined>;
	report: BatchReport;
}

interface Around {
	callerTasks?: CallerTasks;
	/** Somebody hears how far the videos are. */
	talk?: Talk;
}

export function openBatch(
	run: Run,
	connection: Connection,
	jobs: VideoJob[],
	{ callerTasks, talk }: Around = {},
): Batch {
	const ledger = createLedger(run, connection.baseUrl, callerTasks);
	keepToLimit(run, jobs, ledger);
	const report = createBatchReport(run, run.items.length - jobs.length);
	const rendering = toRendering(run, connection, { ledger, report, jobs, talk });
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	const agent = run.forAgent ? createVideoAgent(run, connection, ledger) : undefined;
	const withWait = toPossibleWait(run, jobs);
	const read = new Set(jobs.map(({ itemIndex }) => itemIndex));
	for (const i of run.items.keys()) if (!read.has(i)) talk?.onRefused(i);
	const open = new Map<VideoJob, Render>();

	const finish = async (job: VideoJob, outcome: Outcome): Promise<ItemResult | undefined> => {
		if (outcome.state === 'failed') ledger.forget(job);
		if (outcome.state === 'open') open.set(job, outcome.render);
		else report.onOutcome(outcome);
		const withFile =
			job.downloadVideo && outcome.state === 'done'
				? await downloads(async () => await addVideo(outcome.render, job, run, connection))
				: undefined;
		const result = withFile ?? toItemResult(outcome, job);
		if (talk && outcome.state !== 'open') {
			const words = toEndWords({ job, outcome, result }, run, connection);
			if (words !== undefined) talk.onEnd(job.itemIndex, words);
		}
		return agent ? agent.tell(result, outcome) : result;
	};
	const work = async (wanted: VideoJob): Promise<ItemResult | undefined> => {
		if (wanted.dryRun) {
			report.onDryRun();
			talk?.onRefused(wanted.itemIndex);
			return toDryRun(wanted, run.forAgent);
		}
		const job = withWait(wanted);
		if (!agent) return await finish(job, await renderVideo(job, rendering));
		return await ledger.inTurn(job, async () => {
			// Calls for the same request have had their turn since, and may have submitted each its own.
			keepToLimit(run, [job], ledger);
			const brief = agent.toBrief(job);
			return await finish(brief, await renderVideo(brief, rendering));
		});
	};
	const waitDurably = async (results: Results) => {
		if (open.size === 0) return undefined;
		if (run.signal.aborted) {
			// Nobody waits for them any more, so this is where they are told of.
			for (const [job, render] of open) {
				results[job.itemIndex] = await finish(job, { state: 'stopped', render });
			}
			return undefined;
		}
		const parked = await park(run, open, results);
		if ('items' in parked) {
			talk?.onSleep(results);
			return parked.items;
		}
		sayNotDurable(run, parked.whyNot);
		const goOn = async (job: VideoJob) =>
			await finish(job, await poll(job, open.get(job)!, rendering));
		await workAll(run, [...open.keys()], results, { work: goOn });
		return undefined;
	};
	return { work, waitDurably, report };
}

/**
 * One way of waiting for all: the node gives its items together, so where one sleeps, a job beside
 * it gains nothing from holding the process. Where n8n cannot wait durably, all jobs wait in
 * process, and the node says so.
 */
function toPossibleWait(run: Run, jobs: VideoJob[]): (job: VideoJob) => VideoJob {
	if (jobs.every(({ wait }) => wait !== 'durable')) return (job) => job;
	const why = whyNotDurable(run);
	if (why !== undefined) sayNotDurable(run, why);
	const wait = why === undefined ? 'durable' : 'inProcess';
	return (job) => (job.wait === 'none' ? job : { ...job, wait });
}
