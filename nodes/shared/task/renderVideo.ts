import type { Run } from '../item/run';
import { delayedSignal } from '../lib/time';
import { createLimiter } from '../lib/turns';
import type { Connection } from '../service/connection';
import { type PaidTrouble, sendPaid } from '../service/paid';
import { submit } from '../service/videoApi';
import type { BatchReport } from './batchReport';
import { saveTaskId, SUBMIT_GRACE_MS } from './customData';
import { askSeldom, openFetch, pollTask } from './followTask';
import type { Ledger } from './ledger';
import {
	type Ended,
	type NoTask,
	type Outcome,
	type Render,
	type RenderJob,
	toRender,
} from './render';
import type { VideoTeller } from './tellVideos';

interface Batch {
	ledger: Ledger;
	report: BatchReport;
	/** Missing if nobody listens. */
	talk?: VideoTeller;
	/** Requests under way at once; the number of renders is not limited. */
	concurrency: number;
}

/** Renders the videos of one run. */
export interface Renders {
	/** Takes one job from its ledger entry or its submit to the end of its wait. */
	render: (job: RenderJob) => Promise<Outcome>;
	/** Polls in process, from wherever the render stands. */
	poll: (job: RenderJob, render: Render, untilMs?: number) => Promise<Outcome>;
}

export function openRenders(
	run: Run,
	connection: Connection,
	{ ledger, report, talk, concurrency }: Batch,
): Renders {
	const { clock, maxPauseMs } = run;
	const limiter = createLimiter(concurrency, run.signal);
	const submitSignal = delayedSignal(run.stop, SUBMIT_GRACE_MS);
	const fetchRecord = openFetch(run, connection);

	/** Submits one job; resolves to its task, or to why there is none. */
	const submitOne = async (
		job: RenderJob,
	): Promise<Render | NoTask | { state: 'notSubmitted' }> => {
		const send = async () => {
			const submittedAtMs = clock.now();
			// Once a submit is on its way, a task may exist, whatever is thrown.
			const result = await submit(connection, job.request, submitSignal).catch(() => UNREADABLE);
			if (result.kind !== 'accepted') return { ...result, state: result.kind, submittedAtMs };
			const { task_id, otherIds, answer } = result;
			const task = { task_id, model: job.request.model };
			const render = toRender(task, { answer, submittedAtMs: clock.now() });
			// Keep the ID in the same tick in which it becomes known.
			ledger.keep(job, render);
			for (const other of otherIds) saveTaskId(run, job.itemIndex, other);
			saveTaskId(run, job.itemIndex, task_id);
			if (job.wait !== 'none') talk?.onTask(job.itemIndex, render);
			return { kind: 'accepted' as const, render };
		};
		const result = await sendPaid(send, { limiter, clock, maxPauseMs }, (end) => {
			if (end.kind === 'accepted') return;
			if (end.kind === 'unclear') ledger.keepUnclear(job, run.show(end));
			run.onFailure();
		});
		if (!result) return { state: 'notSubmitted' };
		return result.kind === 'accepted' ? result.render : result;
	};

	const pollWith = async (
		job: RenderJob,
		render: Render,
		untilMs: number | undefined,
		onEnd: (end: Ended) => void,
	) => {
		const { pollIntervalMs, maxPollIntervalMs } = job;
		const fetch = job.asksSeldom
			? askSeldom(fetchRecord, run, connection, render.reused)
			: fetchRecord;
		const onProgress = (next: Render) => {
			report.onProgress(job, next);
			talk?.onProgress(job.itemIndex, next);
		};
		const polling = { fetch, limiter, untilMs, onProgress, onEnd };
		return await pollTask(run, render, { pollIntervalMs, maxPollIntervalMs, ...polling });
	};
	const poll: Renders['poll'] = async (job, start, untilMs) =>
		await pollWith(job, start, untilMs, ({ state }) => {
			if (state === 'timedOut' ? job.timeOutFails : state !== 'done') run.onFailure();
		});

	const render = async (job: RenderJob): Promise<Outcome> => {
		const started = await ledger.inTurn(job, async () => {
			const known = ledger.find(job);
			if (!known) return await ledger.counted(async () => await submitOne(job));
			if ('task' in known) {
				// "Retry execution" makes a new execution, which must be found by the ID as well.
				saveTaskId(run, job.itemIndex, known.task.task_id);
				talk?.onTask(job.itemIndex, known);
			}
			return known;
		});
		if (!('task' in started)) return started;
		const start = { ...started, deadlineMs: clock.now() + job.maxWaitMs };
		if (job.wait === 'none') return { state: 'submitted', render: start };
		if (job.wait === 'inProcess') return await poll(job, start);
		const untilMs = clock.now() + job.headStartMs;
		if (!start.reused) {
			return job.headStartMs > 0
				? await poll(job, start, untilMs)
				: { state: 'open', render: start };
		}
		// A task of an earlier try gets at least one fetch. If it has failed, it is submitted again, as
		// it is after a wait in process, where n8n tries again.
		const outcome = await pollWith(job, start, untilMs, () => {});
		return outcome.state === 'failed' && ledger.forget(job) ? await render(job) : outcome;
	};
	return { render, poll };
}

const UNREADABLE: PaidTrouble = {
	kind: 'unclear',
	trouble: { message: 'The answer of the service cannot be read', retryable: false },
};
