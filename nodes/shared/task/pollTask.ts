import type { ServiceError } from '../service/trouble';
import { addTroubles, areTooMany, NO_TROUBLES, toTroubleKind } from './troubles';
import type { FetchResult } from '../service/videoApi';
import { isFinal } from '../service/videoTask';
import type { Limiter } from '../lib/limiter';
import type { Render, RenderJob, RenderOutcome } from './render';
import type { Wait } from '../lib/pause';

export interface PollTools<Job> {
	fetchTask: (task_id: string) => Promise<FetchResult>;
	limiter: Limiter;
	wait: Wait;
	signal: AbortSignal;
	now: () => number;
	random: () => number;
	/** Told after each answer that is a task record. */
	onProgress?: (job: Job, render: Render) => void;
}

const GROWTH = 1.2;
/** Each delay is shorter by up to this share, so that the polls of a batch spread out. */
const SPREAD = 0.2;

type PollJob = Pick<RenderJob, 'itemIndex' | 'pollIntervalMs' | 'maxPollIntervalMs' | 'maxWaitMs'>;

/**
 * Polls one task until it ends, its time is up, its answers stay bad, or the run is stopped.
 * Updates `render` in place, so that its owner always holds the latest state.
 */
export async function pollTask<Job extends PollJob>(
	job: Job,
	render: Render,
	tools: PollTools<Job>,
): Promise<RenderOutcome> {
	const { now, signal, wait, limiter } = tools;
	const deadlineMs = now() + job.maxWaitMs;
	let troubles = NO_TROUBLES;
	let intervalMs = job.pollIntervalMs;
	// A task of an earlier try may be done by now; a new one cannot be.
	let delayMs = render.reused ? 0 : spread(intervalMs, tools.random());
	for (;;) {
		await wait(Math.min(delayMs, deadlineMs - now()));
		const result = await limiter(async () =>
			signal.aborted ? undefined : await tools.fetchTask(render.task.task_id),
		);
		if (result === undefined || signal.aborted) {
			// A poll that was under way when the run stopped may still have brought news.
			if (result?.kind === 'task') update(render, result, now());
			return { state: 'stopped', render };
		}
		render.pollCount++;
		if (result.kind === 'task') {
			troubles = NO_TROUBLES;
			update(render, result, now());
			tools.onProgress?.(job, render);
			if (isFinal(render.task.status)) return toEnd(render);
		} else {
			const { error } = result;
			troubles = addTroubles(troubles, { [toTroubleKind(error)]: 1 });
			if (areTooMany(troubles)) return { state: 'lost', render, error };
		}
		if (now() >= deadlineMs) {
			return {
				state: 'timedOut',
				render,
				error: result.kind === 'trouble' ? result.error : undefined,
			};
		}
		intervalMs = Math.min(intervalMs * GROWTH, job.maxPollIntervalMs);
		const asked = result.kind === 'trouble' ? (result.retryAfterMs ?? 0) : 0;
		delayMs = Math.max(spread(intervalMs, tools.random()), asked);
	}
}

const spread = (ms: number, random: number) => ms * (1 - SPREAD * random);

/** Keeps what the submit knew (the model) where a poll does not say it. */
export function update(
	render: Render,
	{ task, answer }: Extract<FetchResult, { kind: 'task' }>,
	nowMs: number,
): void {
	render.task = { ...task, model: task.model ?? render.task.model };
	render.answer = answer;
	if (isFinal(task.status)) render.finishedAtMs = nowMs;
}

/** A half-truth of some deployments, named for what it is. */
export const NO_VIDEO: ServiceError = {
	message: 'The service reports SUCCESS but names no video',
	description:
		'A prompt that is filtered out can end like this, and is billed. Video Download with the task ID tells whether there is a file after all.',
	retryable: false,
};

/** How a task with a final status ended. */
export function toEnd(render: Render): Extract<RenderOutcome, { state: 'done' | 'failed' }> {
	if (render.task.status === 'FAILURE') return { state: 'failed', render };
	if (!render.task.result_url) return { state: 'failed', render, error: NO_VIDEO };
	return { state: 'done', render };
}
