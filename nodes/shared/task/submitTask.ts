import { paidRetryDelayMs } from '../service/retry';
import type { SubmitRequest, SubmitResult } from '../service/videoApi';
import type { Limiter } from '../lib/limiter';
import type { Render, RenderJob, RenderOutcome } from './render';
import type { Wait } from '../lib/pause';

export interface SubmitTools<Job extends RenderJob> {
	submit: (body: SubmitRequest) => Promise<SubmitResult>;
	limiter: Limiter;
	wait: Wait;
	signal: AbortSignal;
	now: () => number;
	random: () => number;
	maxPauseMs?: number;
	/** Puts a new task into safe keeping. Called in the same tick that its id becomes known. */
	keep: (job: Job, render: Render) => void;
	/** Told that a job has no task and never will, before its place goes to the next submit. */
	onRefused: () => void;
}

/** Submits one job; a clear refusal is tried again, anything unclear never is. */
export async function submitTask<Job extends RenderJob>(
	job: Job,
	tools: SubmitTools<Job>,
): Promise<Render | RenderOutcome> {
	for (let attempt = 1; ; attempt++) {
		const result = await tools.limiter(async () =>
			tools.signal.aborted ? NOT_SUBMITTED : await tryToSubmit(job, attempt, tools),
		);
		if (!('retryInMs' in result)) return result;
		await tools.wait(result.retryInMs);
	}
}

const NOT_SUBMITTED: RenderOutcome = { state: 'notSubmitted' };

async function tryToSubmit<Job extends RenderJob>(
	job: Job,
	attempt: number,
	tools: SubmitTools<Job>,
): Promise<Render | RenderOutcome | { retryInMs: number }> {
	const result = await submitOnce(job, tools);
	if ('task' in result) return result;
	const retryInMs = paidRetryDelayMs(result, attempt, tools.random(), tools.maxPauseMs);
	if (retryInMs !== undefined) return { retryInMs };
	tools.onRefused();
	return { state: result.kind, error: result.error };
}

async function submitOnce<Job extends RenderJob>(
	job: Job,
	{ submit, now, keep }: SubmitTools<Job>,
): Promise<Render | Exclude<SubmitResult, { kind: 'accepted' }>> {
	const result = await submit(job.request);
	if (result.kind !== 'accepted') return result;
	const render: Render = {
		task: {
			task_id: result.task_id,
			status: 'queued',
			progress: 0,
			model: job.request.model,
		},
		submittedAtMs: now(),
		pollCount: 0,
		reused: false,
		answer: result.answer,
	};
	keep(job, render);
	return render;
}
