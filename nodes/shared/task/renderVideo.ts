import type { Ledger } from './ledger';
import { pollTask, type Polling } from './pollTask';
import type { Ended, Outcome, Render, RenderJob } from './render';
import { submitVideo, type Submitting } from './submitVideo';

/** What rendering asks of the world; requests are bounded by the limiter, not renders. */
export interface Rendering extends Submitting, Omit<Polling, 'onProgress' | 'onEnd'> {
	/** For one task that is to be asked for seldom. */
	openSeldomFetch: (render: Render) => Polling['fetchTask'];
	ledger: Pick<Ledger, 'find' | 'forget'>;
	/** Told of a task that an earlier try has paid for. */
	onReused: (job: RenderJob, render: Render) => void;
	onProgress?: (job: RenderJob, render: Render) => void;
	/** Told of the end of a wait, before the place of its last fetch goes to another request. */
	onEnd?: (job: RenderJob, end: Ended) => void;
}

/** How long an item is held that comes back though nothing can be done for it. */
const COMES_BACK_MS = 10_000;

/** One job from its ledger entry or its submit to the end of its wait. */
export async function renderVideo(job: RenderJob, rendering: Rendering): Promise<Outcome> {
	const { ledger, clock, onReused } = rendering;
	const known = ledger.find(job);
	if (known && 'task' in known) onReused(job, known);
	// A loop that sends it here again and again would leave n8n no moment for anything else, Stop too.
	if (known && !('task' in known) && job.wasUnclear) await clock.pause(COMES_BACK_MS);
	const started = known ?? (await submitVideo(job, rendering));
	if (!('task' in started)) return started;
	const render = { ...started, deadlineMs: clock.now() + job.maxWaitMs };
	if (job.wait === 'none') return { state: 'submitted', render };
	return job.wait === 'durable'
		? await giveHeadStart(job, render, rendering)
		: await poll(job, render, rendering);
}

/** Polls in process, from wherever the render stands. */
export const poll = async (
	job: RenderJob,
	render: Render,
	rendering: Rendering,
	untilMs?: number,
) => {
	const onProgress = (next: Render) => rendering.onProgress?.(job, next);
	const onEnd = (end: Ended) => rendering.onEnd?.(job, end);
	const fetchTask = job.asksSeldom ? rendering.openSeldomFetch(render) : rendering.fetchTask;
	const polling = { ...rendering, fetchTask, onProgress, onEnd };
	return await pollTask(render, { ...job, untilMs }, polling);
};

/**
 * Polls for a while before the wait goes on elsewhere. A task of an earlier try gets a fetch at
 * least: it may have ended since, and one that failed is submitted anew, as after a wait in process.
 */
async function giveHeadStart(
	job: RenderJob,
	render: Render,
	rendering: Rendering,
): Promise<Outcome> {
	if (job.headStartMs <= 0 && !render.reused) return { state: 'open', render };
	// That an earlier task has failed ends nothing here.
	const onEnd = render.reused ? undefined : rendering.onEnd;
	const untilMs = rendering.clock.now() + job.headStartMs;
	const outcome = await poll(job, render, { ...rendering, onEnd }, untilMs);
	if (!render.reused || outcome.state !== 'failed') return outcome;
	rendering.ledger.forget(job);
	return await renderVideo(job, rendering);
}
