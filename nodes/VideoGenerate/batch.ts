import type { INodeExecutionData } from 'n8n-workflow';

import { tellAgent, toBrief } from '../shared/agent/videoAgent';
import { addVideo, CONCURRENT_DOWNLOADS } from '../shared/download/downloadVideo';
import { park, sayNotDurable, whyNotDurable } from '../shared/durable/park';
import type { ItemResult, Results } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { workAll } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { type BatchReport, createBatchReport } from '../shared/task/batchReport';
import { createLedger, type Ledger } from '../shared/task/ledger';
import type { Outcome, Render } from '../shared/task/render';
import { openRenders } from '../shared/task/renderVideo';
import { toItemResult } from '../shared/task/taskResult';
import { toDryRun } from './dryRun';
import { toEndWords } from './endWords';
import type { VideoJob } from './readJob';
import type { Talk } from './talk';

/** The videos of one run. */
export interface Batch {
	/** From the ledger or the submit to the item; a durable wait is left open. */
	work: (job: VideoJob) => Promise<ItemResult | undefined>;
	/** What the node gives while it sleeps for the open ones; `undefined` where none is open any more. */
	waitDurably: (results: Results) => Promise<INodeExecutionData[] | undefined>;
	report: BatchReport;
}

export function openBatch(run: Run, connection: Connection, jobs: VideoJob[], talk?: Talk): Batch {
	const ledger = createLedger(run, connection.baseUrl);
	keepToLimit(jobs, ledger);
	const report = createBatchReport(run, run.items.length - jobs.length);
	const { concurrency } = jobs[0];
	const renders = openRenders(run, connection, { ledger, report, talk, concurrency });
	const downloads = createLimiter(CONCURRENT_DOWNLOADS, run.signal);
	const withWait = toPossibleWait(run, jobs);
	const read = new Set(jobs.map(({ itemIndex }) => itemIndex));
	for (const i of run.items.keys()) if (!read.has(i)) talk?.onRefused(i);
	const open = new Map<VideoJob, Render>();

	const finish = async (job: VideoJob, outcome: Outcome): Promise<ItemResult | undefined> => {
		if (outcome.state === 'failed') ledger.forget(job);
		if (outcome.state === 'open') open.set(job, outcome.render);
		const withFile =
			job.downloadVideo && outcome.state === 'done'
				? await downloads(async () => await addVideo(outcome.render, job, run, connection))
				: undefined;
		const result = withFile ?? toItemResult(outcome, job);
		if (outcome.state !== 'open') report.onOutcome(outcome, result);
		if (talk && outcome.state !== 'open') {
			const words = toEndWords({ job, outcome, result }, run, connection);
			if (words !== undefined) talk.onEnd(job.itemIndex, words);
		}
		return run.forAgent ? tellAgent(result, outcome, connection) : result;
	};
	const work = async (wanted: VideoJob): Promise<ItemResult | undefined> => {
		if (wanted.dryRun) {
			report.onDryRun();
			talk?.onRefused(wanted.itemIndex);
			return toDryRun(wanted, run.forAgent);
		}
		const possible = withWait(wanted);
		const job = run.forAgent ? toBrief(possible, ledger) : possible;
		return await finish(job, await renders.render(job));
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
			await finish(job, await renders.poll(job, open.get(job)!));
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

/**
 * Refuses all jobs where they are more than Max Videos per Run. Called before anything is sent: what
 * is submitted cannot be taken back. A dry run is refused like the run that it is to foretell.
 */
function keepToLimit(jobs: VideoJob[], ledger: Ledger): void {
	const max = Math.min(...jobs.map(({ maxVideos }) => maxVideos ?? Infinity));
	const real = jobs.filter(({ dryRun }) => !dryRun);
	ledger.limitTo(max, real.length > 0 ? real : jobs);
}
