import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../shared/item/connect';
import { sayNotDurable, whyNotDurable } from '../shared/durable/support';
import type { Failure } from '../shared/item/failure';
import { isTool } from '../shared/item/isTool';
import { isFailed, stopsOnFailure, toOutput, type ItemResult } from '../shared/item/output';
import { addVideo } from '../shared/download/addVideo';
import { CONCURRENT_DOWNLOADS } from '../shared/download/downloadVideo';
import type { Ledger } from '../shared/task/ledger';
import { createLimiter } from '../shared/lib/limiter';
import { pollTask } from '../shared/task/pollTask';
import type { RenderOutcome } from '../shared/task/render';
import { renderAll } from '../shared/task/renderAll';
import { toItemResult } from '../shared/task/taskItem';
import { createToolSide, type ToolSide } from './asTool';
import { openBatch, type Batch } from './batch';
import { isJob, readJobs, type VideoJob } from './readJobs';
import { waitDurably, type OpenRender } from './waitDurably';

/** Results by input item; `undefined` for an item that has none. */
type Results = Array<ItemResult | undefined>;

/** All items of the node: read and check, submit, wait, download, and give one item for each. */
export async function generateVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const entries = await readJobs(context);
	const results: Results = entries.map((entry) => (isJob(entry) ? undefined : toFailed(entry)));
	const badInput = results.some((result) => result !== undefined);
	const jobs = entries.filter(isJob);
	// In the default mode bad input ends the node before the first submission.
	if (jobs.length === 0 || (badInput && stopsOnFailure(context))) return toOutput(context, results);
	const connection = await connect(context, 'videoGenerationApi');
	if ('failure' in connection) {
		for (const { itemIndex } of jobs) results[itemIndex] = connection;
		return toOutput(context, results);
	}
	const batch = openBatch(context, connection, jobs);
	const tool = isTool(context) ? createToolSide(batch) : undefined;
	const able = withPossibleWait(context, jobs);
	try {
		const parked = tool
			? await tool.inTurn(able, async (brief) => await renderJobs(batch, brief, results, tool))
			: await renderJobs(batch, able, results);
		if (parked) return parked;
	} finally {
		batch.close();
	}
	batch.report.sumUp(batch.isStopped());
	return toOutput(context, results);
}

const toFailed = (failure: Failure): ItemResult => ({ failure });

/**
 * One way of waiting for all: the node gives its items together, so where one sleeps, a job beside
 * it gains nothing from holding the process. Where n8n cannot wait durably, all jobs wait in
 * process, and the node says so.
 */
function withPossibleWait(context: IExecuteFunctions, jobs: VideoJob[]): VideoJob[] {
	if (jobs.every(({ headStartMs }) => headStartMs === undefined)) return jobs;
	const why = whyNotDurable(context);
	if (why === undefined) return jobs.map((job) => ({ ...job, headStartMs: job.headStartMs ?? 0 }));
	sayNotDurable(context, why);
	return jobs.map((job) => ({ ...job, headStartMs: undefined }));
}

/** Fills in the results; gives the items of a node that sleeps instead, where one does. */
async function renderJobs(
	batch: Batch,
	jobs: VideoJob[],
	results: Results,
	tool?: ToolSide,
): Promise<INodeExecutionData[] | undefined> {
	const { context, tools, signal } = batch;
	const open: OpenRender[] = [];
	const finish = createFinish(batch, results, open, tool);
	await renderAll(jobs, tools, finish);
	if (open.length === 0 || signal.aborted) return undefined;
	const wait = await waitDurably(context, open, results);
	if ('items' in wait) return wait.items;
	sayNotDurable(context, wait.whyNot);
	const goOn = async ({ job, render, deadlineMs }: OpenRender) => {
		const maxWaitMs = Math.max(0, deadlineMs - tools.now());
		await finish(job, await pollTask({ ...job, maxWaitMs }, render, tools));
	};
	await Promise.all(open.map(goOn));
	return undefined;
}

/** What becomes of a job when its outcome is known. */
function createFinish(batch: Batch, results: Results, open: OpenRender[], tool?: ToolSide) {
	const { context, connection, tools, ledger, report, onFailure } = batch;
	const downloads = createLimiter(CONCURRENT_DOWNLOADS);
	return async (job: VideoJob, outcome: RenderOutcome): Promise<void> => {
		settle(ledger, job, outcome);
		if (outcome.state === 'open')
			open.push({ job, render: outcome.render, deadlineMs: outcome.deadlineMs });
		else report.onOutcome(outcome);
		const result =
			job.downloadVideo && outcome.state === 'done'
				? await downloads(
						async () => await addVideo(outcome.render, job, { ...tools, context, connection }),
					)
				: toItemResult(outcome, job);
		if (result && isFailed(result)) onFailure();
		results[job.itemIndex] = result && tool ? tool.tell(result, outcome) : result;
	};
}

/** What a retry of this execution must know of how a job ended. */
function settle(ledger: Ledger, job: VideoJob, outcome: RenderOutcome): void {
	if (outcome.state === 'unclear') ledger.keepUnclear(job, outcome);
	if (outcome.state === 'failed' && outcome.render.task.status === 'FAILURE') ledger.forget(job);
}
