import { pollTask, type PollTools } from './pollTask';
import type { Render, RenderJob, RenderOutcome } from './render';
import { submitTask, type SubmitTools } from './submitTask';

export interface RenderTools<Job extends RenderJob> extends SubmitTools<Job>, PollTools<Job> {
	/** What an earlier try of this run has paid for, or may have. */
	find: (job: Job) => Render | RenderOutcome | undefined;
}

/**
 * Renders all jobs at once; `finish` makes a result of each outcome as it comes, and the results
 * are given in the order of the jobs. Requests are bounded by the limiter, not renders: those go
 * on side by side at the service.
 */
export async function renderAll<Job extends RenderJob, Result>(
	jobs: Job[],
	tools: RenderTools<Job>,
	finish: (job: Job, outcome: RenderOutcome) => Promise<Result>,
): Promise<Result[]> {
	return await Promise.all(jobs.map(async (job) => await finish(job, await render(job, tools))));
}

async function render<Job extends RenderJob>(
	job: Job,
	tools: RenderTools<Job>,
): Promise<RenderOutcome> {
	const started = tools.find(job) ?? (await submitTask(job, tools));
	if (!('task' in started)) return started;
	if (!job.waitForCompletion) return { state: 'done', render: started };
	return await pollTask(job, started, tools);
}
