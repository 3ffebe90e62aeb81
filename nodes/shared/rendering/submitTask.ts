import { paidRetryDelayMs } from '../service/retry';
import type { SubmitRequest, SubmitResult } from '../service/videoApi';
import type { Limiter } from './limiter';
import type { Render, RenderJob, RenderOutcome } from './render';
import type { Wait } from './wait';

export interface SubmitTools<Job extends RenderJob> {
	submit: (body: SubmitRequest) => Promise<SubmitResult>;
	limiter: Limiter;
	wait: Wait;
	signal: AbortSignal;
	now: () => number;
	random: () => number;
	/** Puts a new task into safe keeping. Called in the same tick that its id becomes known. */
	keep: (job: Job, render: Render) => void;
}

/** Submits one job; a clear refusal is tried again, anything unclear never is. */
export async function submitTask<Job extends RenderJob>(
	job: Job,
	tools: SubmitTools<Job>,
): Promise<Render | RenderOutcome> {
	for (let attempt = 1; ; attempt++) {
		const result = await tools.limiter(async () =>
			tools.signal.aborted ? undefined : await submitOnce(job, tools),
		);
		if (result === undefined) return { state: 'notSubmitted' };
		if ('task' in result) return result;
		const delay = paidRetryDelayMs(result, attempt, tools.random());
		if (delay === undefined) return { state: result.kind, error: result.error };
		await tools.wait(delay);
	}
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
