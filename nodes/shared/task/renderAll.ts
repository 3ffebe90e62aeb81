import { pollTask, type PollTools } from './pollTask';
import type { Render, RenderJob, RenderOutcome } from './render';
import { submitTask, type SubmitTools } from './submitTask';

export interface RenderTools<Job extends RenderJob> extends SubmitTools<Job>, PollTools<Job> {
	/** What an earlier try of this run has paid for, or may have. */
	find: (job: Job) => Render | RenderOutcome | undefined;
	/** For a task that ended in FAILURE: the job may be submitted anew. */
	forget: (job: Job) => void;
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
	if (job.headStartMs === undefined) return await pollTask(job, started, tools);
	return await giveHeadStart(job, job.headStartMs, started, tools);
}

/**
 * Polls for a while before the wait goes on elsewhere. A task of an earlier try gets a look at
 * least: it may have ended since, and one that failed is submitted anew, as after a wait in process.
 */
async function giveHeadStart<Job extends RenderJob>(
	job: Job,
	headStartMs: number,
	started: Render,
	tools: RenderTools<Job>,
): Promise<RenderOutcome> {
	const open = { state: 'open', render: started, deadlineMs: tools.now() + job.maxWaitMs } as const;
	if (headStartMs <= 0 && !started.reused) return open;
	const maxWaitMs = Math.min(headStartMs, job.maxWaitMs);
	const outcome = await pollTask({ ...job, maxWaitMs }, started, tools);
	if (outcome.state === 'timedOut' && headStartMs < job.maxWaitMs) return open;
	if (!started.reused || started.task.status !== 'FAILURE') return outcome;
	tools.forget(job);
	return await render(job, tools);
}
