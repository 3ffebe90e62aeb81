import { type Failure, isFailure } from '../shared/failure/failure';
import { createLimiter, inTurn } from '../shared/lib/turns';
import type { Run } from '../shared/n8n/run';
import type { Connection } from '../shared/services/connection';
import type { RenderJob, Sources } from '../shared/task/job';
import type { Ledger, Paid } from '../shared/task/ledger';
import { createPace } from '../shared/task/pace';
import { createFetch, poll, WAITS } from '../shared/task/poll';
import { type Outcome, type Render, type WaitState, toRender } from '../shared/task/render';
import { saveTaskId } from './savedIds';
import { type Begun, createSubmits } from './submitVideos';

/** Called with a job whose task was submitted or picked up, and with each record of it. */
type News = Record<'onTask' | 'onProgress', (job: RenderJob, render: Render) => void>;

/**
 * Returns what renders the videos of one run: from the ledger or a submit to the end of the wait.
 *
 * @param sources `concurrency`: requests under way at once; the number of renders is not limited
 */
export function createRenders(
	run: Run,
	connection: Connection,
	ledger: Ledger,
	sources: Sources & { concurrency: number },
	news: News,
) {
	const { clock, forAgent, signal } = run;
	const limiter = createLimiter(sources.concurrency, signal);
	const withRequest = async (job: RenderJob) => ({ ...job, ...(await sources.readRequest(job)) });
	const noteTask = (job: RenderJob, render: Render, otherIds: string[] = []) => {
		const { task_id } = render.task;
		run.taskIds.set(job.itemIndex, task_id);
		for (const id of [task_id, ...otherIds]) saveTaskId(run, job.itemIndex, id);
		news.onTask(job, render);
	};
	const submitNew = createSubmits(run, connection, ledger, limiter, sources, noteTask);
	const pace = createPace(clock, signal);
	const { askEveryMs: everyMs } = connection.service;
	const fetch = createFetch(clock, connection);
	const polling = { fetch, everyMs, clock, signal, pace, limiter };

	/** Returns a job's task from the ledger, or else submits it. */
	const start = async (wanted: RenderJob): Promise<Begun> => {
		const known = ledger.find(wanted);
		if (known) return toKnown(known, wanted);
		if (wanted.request) return await submitNew({ ...wanted, request: wanted.request });
		const job = await withRequest(wanted);
		// Once its request is written, it may be that of a task that has failed.
		const found = ledger.find(job);
		return found ? toKnown(found, job) : await submitNew(job);
	};

	/** Polls a task in process until it ends, its time is up, checks keep failing, or the run is stopped. */
	const pollInProcess = async (job: RenderJob, started: Render): Promise<WaitState> => {
		const { pollIntervalMs: leastMs, timeOutFails } = job;
		const onEnd = ({ state }: WaitState) => {
			if (state === 'timedOut' ? timeOutFails : state !== 'done') run.onFailure();
		};
		const onRecord = (render: Render) => news.onProgress(job, render);
		const wait = { ...WAITS.inProcess, ...(leastMs !== undefined && { leastMs, missMs: leastMs }) };
		return await poll(started, { ...wait, ...polling, onEnd, onRecord });
	};

	/** Takes one job from its ledger entry or its submit to the end of its wait. */
	const render = async (job: RenderJob): Promise<Outcome> => {
		// An agent may ask for the same video in two calls at once.
		const started = await (forAgent
			? inTurn(ledger.paid, async () => await start(job))
			: start(job));
		if (started === undefined || isFailure(started)) return started;
		// "Retry execution" makes a new execution, and a search for the ID must find that one, too.
		if (started.reused) noteTask(job, started);
		const paid = { ...started, deadlineMs: clock.now() + job.maxWaitMs };
		if (job.wait === 'none') return { state: 'submitted', render: paid };
		if (job.wait === 'inProcess') return await pollInProcess(job, paid);
		job.wait satisfies 'durable'; // A further way of waiting needs a line above.
		if (!paid.reused) return { state: 'rendering', render: paid };
		// A task of an earlier try is checked first. If it has failed, its job is submitted anew here.
		// After a wait in process, n8n's next try does that, but there is none after a sleep.
		const onRecord = (record: Render) => news.onProgress(job, record);
		const outcome = await poll(paid, { ...WAITS.check, ...polling, onRecord });
		if (outcome.state !== 'failed') return outcome;
		ledger.noteEnd(outcome);
		const whole = job.request ? job : await withRequest(job);
		return ledger.find(whole) ? outcome : await render(whole);
	};
	return { render, poll: pollInProcess };
}

/** Returns the render of a job that is paid for, or its unclear end. */
function toKnown(
	{ task, unclear, submittedAtMs, end }: Paid,
	{ model }: RenderJob,
): Render | Failure {
	if (!task) return unclear!;
	const done = end === 'done' ? { status: 'SUCCESS' as const, progress: 100, ...task } : undefined;
	const known = { task_id: task.task_id, model: task.model ?? model };
	return toRender(known, { submittedAtMs, reused: true, done });
}
