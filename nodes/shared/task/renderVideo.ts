import type { Run } from '../item/run';
import { sendAgain } from '../item/runItems';
import { delayedSignal } from '../lib/time';
import { createLimiter, inTurn } from '../lib/turns';
import type { Connection } from '../service/connection';
import { submit } from '../service/submit';
import { createFetch } from './fetchRender';
import { follow } from './follow';
import type { Ledger, Paid } from './ledger';
import { inProcess } from './policies';
import { type Outcome, type Render, type RenderJob, type TaskOutcome, toRender } from './render';
import { saveTaskId } from './savedIds';
import { claimOfDay } from './videoLimits';
import { isFailure, type RefusedSubmit, type UnclearSubmit } from '../service/reason';

/**
 * Returns what renders the videos of one run: from the ledger or a submit to the end of the wait.
 *
 * @param concurrency requests under way at once; the number of renders is not limited
 * @param news `onTask`: a task was submitted or picked up; `onProgress`: a fetch brought its state
 */
export function createRenders(
	run: Run,
	connection: Connection,
	ledger: Ledger,
	concurrency: number,
	news: Record<'onTask' | 'onProgress', (job: RenderJob, render: Render) => void>,
) {
	const { clock, signal } = run;
	const limiter = createLimiter(concurrency, signal);
	const submitSignal = delayedSignal(run.stop, SUBMIT_GRACE_MS);
	const fetch = createFetch(run, connection);

	const noteTask = (job: RenderJob, render: Render, otherIds: string[] = []) => {
		const { itemIndex } = job;
		run.taskIds.set(itemIndex, render.task.task_id);
		for (const id of [render.task.task_id, ...otherIds]) saveTaskId(run, itemIndex, id);
		news.onTask(job, render);
	};

	/**
	 * Returns a job's task from the ledger, or else submits it and keeps it in the moment in which its ID
	 * is known.
	 */
	const start = async (
		wanted: RenderJob,
	): Promise<Render | RefusedSubmit | UnclearSubmit | undefined> => {
		const known = ledger.find(wanted);
		if (known) return toKnown(known, wanted);
		const job = { ...wanted, ...(await wanted.readRest?.()) };
		// Once its request is written, it may be that of a task that has failed.
		const found = wanted.readRest && ledger.find(job);
		if (found) return toKnown(found, job);
		const { model, requestFor, loadBytes, sendsForm } = job;
		const routes = job.route ? [job.route] : connection.routes;
		ledger.begin(job);
		try {
			const giveBack = await claimOfDay(run, job.maxVideosPerDay);
			if (typeof giveBack !== 'function') return giveBack;
			const end = await sendAgain(run, limiter, async () => {
				const answered = await submit(connection, {
					...{ routes, requestFor, loadBytes, sendsForm, signal: submitSignal, over: signal },
					submittedAtMs: clock.now(),
				});
				if (!answered) return undefined;
				if (isFailure(answered)) {
					if (answered.kind === 'unclear') ledger.keep(job, run.redaction.show(answered));
					return answered;
				}
				const { task_id, otherIds, route, isNewApi, answer } = answered;
				const hasLiveRecord = job.looksSeldom && isNewApi;
				const task = { task_id, route, model, hasLiveRecord };
				const render = toRender(task, { answer, submittedAtMs: clock.now() });
				ledger.keep(job, render);
				noteTask(job, render, otherIds);
				return render;
			});
			if (!end || (isFailure(end) && end.kind === 'refused')) await giveBack();
			return end;
		} finally {
			ledger.end(job);
		}
	};

	/**
	 * Polls a task in process until it ends, its time is up, checks keep failing, or the run is stopped.
	 *
	 * @param untilMs when to leave the task `rendering`, in milliseconds since 1970
	 * @param mayBeAnew the caller may submit a failed job anew, so a failure does not end the run
	 */
	const poll = async (
		job: RenderJob,
		started: Render,
		untilMs = Infinity,
		mayBeAnew = false,
	): Promise<TaskOutcome> => {
		const onEnd = ({ state }: TaskOutcome) => {
			const fails = state === 'timedOut' ? job.timeOutFails : state !== 'done';
			if (fails && !mayBeAnew) run.onFailure();
		};
		const onRecord = (render: Render) => news.onProgress(job, render);
		const policy = inProcess(job, started, untilMs);
		return await follow(started, policy, { fetch, clock, signal, limiter, onEnd, onRecord });
	};

	/** Takes one job from its ledger entry or its submit to the end of its wait. */
	const render = async (job: RenderJob): Promise<Outcome> => {
		// An agent may ask for the same video in two calls at once.
		const started = await (run.forAgent
			? inTurn(ledger.paid, async () => await start(job))
			: start(job));
		if (started === undefined || isFailure(started)) return started;
		// "Retry execution" makes a new execution, and a search for the ID must find that one, too.
		if (started.reused) noteTask(job, started);
		const paid = { ...started, deadlineMs: clock.now() + job.maxWaitMs };
		if (job.wait === 'none') return { state: 'submitted', render: paid };
		if (job.wait === 'inProcess') return await poll(job, paid);
		job.wait satisfies 'durable'; // A further way of waiting needs a line above.
		if (!paid.reused) return { state: 'rendering', render: paid };
		// A task of an earlier try gets one fetch. If it has failed, its job is submitted anew here.
		// After a wait in process, n8n's next try does that, but there is none after a sleep.
		const outcome = await poll(job, paid, clock.now(), true);
		if (outcome.state !== 'failed') return outcome;
		ledger.noteEnd(outcome);
		const whole = { ...job, ...(await job.readRest?.()), readRest: undefined };
		return ledger.find(whole) ? outcome : await render(whole);
	};
	return { render, poll };
}

/** Returns the render of a job that is paid for, or its unclear end. */
function toKnown(
	{ task, unclear, submittedAtMs, end }: Paid,
	{ model }: RenderJob,
): Render | UnclearSubmit {
	if (!task) return unclear!;
	const done = end === 'done' ? { status: 'SUCCESS' as const, progress: 100, ...task } : undefined;
	const { task_id, route } = task;
	const known = { task_id, route, model: task.model ?? model };
	return toRender(known, { submittedAtMs, reused: true, done });
}

/** Milliseconds after Stop in which a submit under way may still tell its task ID. */
const SUBMIT_GRACE_MS = 700;
