import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../shared/connect';
import { isFailed, stopsOnFailure, toOutput, type Failure, type ItemResult } from '../shared/items';
import { createBatchReport } from '../shared/rendering/batchReport';
import { CONCURRENT_DOWNLOADS } from '../shared/rendering/downloadVideo';
import { createLedger, type Ledger } from '../shared/rendering/ledger';
import { createLimiter } from '../shared/rendering/limiter';
import type { RenderOutcome } from '../shared/rendering/render';
import { renderAll } from '../shared/rendering/renderAll';
import { noteStop } from '../shared/rendering/saveTaskId';
import { toItemResult } from '../shared/rendering/taskItem';
import { addVideo } from './addVideo';
import { isJob, readJobs, type VideoJob } from './readJobs';
import { createRenderTools } from './renderTools';

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
	const halt = new AbortController();
	const stop = context.getExecutionCancelSignal();
	const onStop = () => noteStop(context);
	stop?.addEventListener('abort', onStop, { once: true });
	const signal = stop ? AbortSignal.any([stop, halt.signal]) : halt.signal;
	const onFailure = () => {
		if (stopsOnFailure(context)) halt.abort();
	};
	const ledger = createLedger(context, connection.baseUrl);
	const report = createBatchReport(context, Date.now);
	const tools = createRenderTools(context, connection, {
		jobs,
		signal,
		onFailure,
		ledger,
		report,
	});
	const downloadLimiter = createLimiter(CONCURRENT_DOWNLOADS);

	const finish = async (job: VideoJob, outcome: RenderOutcome) => {
		settle(ledger, job, outcome);
		report.onOutcome(outcome);
		const result =
			job.downloadVideo && outcome.state === 'done'
				? await downloadLimiter(
						async () => await addVideo(outcome.render, job, { ...tools, context, connection }),
					)
				: toItemResult(outcome, job);
		if (result && isFailed(result)) onFailure();
		return result;
	};
	const results = await renderAll(jobs, tools, finish);
	stop?.removeEventListener('abort', onStop);
	report.sumUp(stop?.aborted === true);
	return results;
}

/** What a retry of this execution must know of how a job ended. */
function settle(ledger: Ledger, job: VideoJob, outcome: RenderOutcome): void {
	if (outcome.state === 'unclear') ledger.keepUnclear(job, outcome);
	if (outcome.state === 'failed' && outcome.render.task.status === 'FAILURE') ledger.forget(job);
}
