import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../shared/connect';
import { isFailed, stopsOnFailure, toOutput, type Failure, type ItemResult } from '../shared/items';
import { createBatchReport } from '../shared/rendering/batchReport';
import { CONCURRENT_DOWNLOADS } from '../shared/rendering/downloadVideo';
import { createLedger } from '../shared/rendering/ledger';
import { createLimiter } from '../shared/rendering/limiter';
import type { Render, RenderOutcome } from '../shared/rendering/render';
import { renderAll } from '../shared/rendering/renderAll';
import { saveTaskId } from '../shared/rendering/saveTaskId';
import { toItemResult } from '../shared/rendering/taskItem';
import { createWait, delayedSignal } from '../shared/rendering/wait';
import { createSend } from '../shared/service/http';
import { fetchTask, submit } from '../shared/service/videoApi';
import { addVideo } from './addVideo';
import { isJob, readJobs, type VideoJob } from './readJobs';

/** After Stop, a submit under way may still tell its task id; in milliseconds. */
const SUBMIT_GRACE_MS = 700;

/** All items of the node: read and check, submit, wait, download, and give one item for each. */
export async function generateVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const entries = await readJobs(context);
	const results: Array<ItemResult | undefined> = entries.map((entry) =>
		isJob(entry) ? undefined : toFailed(entry),
	);
	const badInput = results.some((result) => result !== undefined);
	const jobs = entries.filter(isJob);
	// In the default mode bad input ends the node before the first submission.
	if (jobs.length > 0 && !(badInput && stopsOnFailure(context))) {
		const rendered = await renderJobs(context, jobs);
		jobs.forEach(({ itemIndex }, i) => (results[itemIndex] = rendered[i]));
	}
	return toOutput(context, results);
}

const toFailed = (failure: Failure): ItemResult => ({ failure });

/**
 * In the default mode the first failure ends the run: what is under way is heard out, so that no
 * id is lost, and nothing new is submitted.
 */
async function renderJobs(
	context: IExecuteFunctions,
	jobs: VideoJob[],
): Promise<Array<ItemResult | undefined>> {
	const connection = await connect(context, 'videoGenerationApi');
	if ('failure' in connection) return jobs.map(() => connection);
	const send = createSend(context, connection);
	const ledger = createLedger(context, connection.baseUrl);
	const report = createBatchReport(context, Date.now);
	const limiter = createLimiter(jobs[0].concurrency);
	const downloadLimiter = createLimiter(CONCURRENT_DOWNLOADS);
	const halt = new AbortController();
	const stop = context.getExecutionCancelSignal();
	const signal = stop ? AbortSignal.any([stop, halt.signal]) : halt.signal;
	const submitSignal = delayedSignal(stop, SUBMIT_GRACE_MS);
	const wait = createWait(signal);

	const finish = async (job: VideoJob, outcome: RenderOutcome) => {
		if (outcome.state === 'failed' && outcome.render.task.status === 'FAILURE') ledger.forget(job);
		if (outcome.state === 'unclear') ledger.keepUnclear(job, outcome);
		report.onOutcome(outcome);
		let result = toItemResult(outcome, job);
		if (job.downloadVideo && outcome.state === 'done') {
			const tools = { context, connection, wait, signal, random: Math.random };
			result = await downloadLimiter(async () => await addVideo(outcome.render, job, tools));
		}
		if (result && isFailed(result) && stopsOnFailure(context)) halt.abort();
		return result;
	};
	const results = await renderAll(
		jobs,
		{
			submit: async (body) => await submit(send, body, submitSignal),
			fetchTask: async (task_id) => await fetchTask(send, task_id),
			find: (job: VideoJob) => {
				const known = ledger.find(job);
				return known && 'task' in known && !job.reuseTask ? undefined : known;
			},
			keep: (job: VideoJob, render: Render) => {
				ledger.keep(job, render);
				saveTaskId(context, job.itemIndex, render.task.task_id);
			},
			onProgress: ({ itemIndex }, render) => report.onProgress(itemIndex, render),
			limiter,
			wait,
			signal,
			now: Date.now,
			random: Math.random,
		},
		finish,
	);
	report.sumUp(stop?.aborted === true);
	return results;
}
