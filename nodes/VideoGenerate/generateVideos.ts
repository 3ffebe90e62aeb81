import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isFailed, stopsOnFailure, toOutput, type Failure, type ItemResult } from '../shared/items';
import { createLedger } from '../shared/rendering/ledger';
import { createLimiter } from '../shared/rendering/limiter';
import { renderAll } from '../shared/rendering/renderAll';
import { saveTaskId } from '../shared/rendering/saveTaskId';
import { toItemResult } from '../shared/rendering/taskItem';
import { createWait } from '../shared/rendering/wait';
import { createSend, readConnection } from '../shared/service/http';
import { fetchTask, submit } from '../shared/service/videoApi';
import { addVideo } from './addVideo';
import { isJob, readConcurrency, readJobs, type VideoJob } from './readJobs';

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
	const connection = await readConnection(context, 'videoGenerationApi');
	const send = createSend(context, connection);
	const ledger = createLedger(context, connection.baseUrl);
	const limiter = createLimiter(readConcurrency(context));
	const halt = new AbortController();
	const stop = context.getExecutionCancelSignal();
	const signal = stop ? AbortSignal.any([stop, halt.signal]) : halt.signal;
	const tools = {
		submit: submit.bind(undefined, send),
		fetchTask: fetchTask.bind(undefined, send),
		find: (job: VideoJob) => (job.reuseTask ? ledger.find(job) : undefined),
		keep: (job: VideoJob, render: Parameters<typeof ledger.keep>[1]) => {
			ledger.keep(job, render);
			saveTaskId(context, render.task.task_id);
		},
		limiter,
		signal,
		wait: createWait(signal),
		now: Date.now,
		random: Math.random,
	};
	return await renderAll(jobs, tools, async (job, outcome) => {
		if (outcome.state === 'failed') ledger.forget(job);
		let result = toItemResult(outcome, job);
		if (result && !isFailed(result) && outcome.state === 'done' && job.downloadVideo) {
			const { json } = result;
			const download = { context, connection, ...tools };
			result = await limiter(async () => await addVideo(json, outcome.render, job, download));
		}
		if (result && isFailed(result) && stopsOnFailure(context)) halt.abort();
		return result;
	});
}
