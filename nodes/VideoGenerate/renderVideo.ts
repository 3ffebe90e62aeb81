import type { IDataObject } from 'n8n-workflow';

import { type Failure, isFailure } from '../shared/failure/failure';
import { withoutFiles } from '../shared/lib/json';
import { sentences, toItemName } from '../shared/lib/text';
import { delayedSignal } from '../shared/lib/time';
import { fileBytesOf } from '../shared/lib/heldFile';
import { createLimiter, createSizeLimiter, inTurn, type Limiter } from '../shared/lib/turns';
import type { Run } from '../shared/n8n/run';
import { createThrottle } from '../shared/n8n/throttle';
import type { Connection } from '../shared/services/connection';
import type { ListedTask } from '../shared/services/contract';
import { submit, type Submitted } from '../shared/services/submit';
import type { RenderJob, Sources } from '../shared/task/job';
import type { Ledger, Paid } from '../shared/task/ledger';
import { createPace } from '../shared/task/pace';
import { createFetch, poll, WAITS } from '../shared/task/poll';
import { type Outcome, type Render, type WaitState, toRender } from '../shared/task/render';
import { claimOfDay } from '../shared/task/videoLimits';
import { createLookUp, type SentOrder } from './lookUp';
import { saveTaskId } from './savedIds';

/** Called with a job whose task was submitted or picked up, and with each record of it. */
type News = Record<'onTask' | 'onProgress', (job: RenderJob, render: Render) => void>;

/** The render of a job, why it has none, or `undefined` if the run ended before its submit. */
type Begun = Render | Failure | undefined;

/** The bytes of pictures in the requests that are under way at once. In a request, each takes a third more, as base64. */
const MAX_PICTURE_BYTES = 64 * 1024 ** 2;

/** Milliseconds after Stop in which a submit under way may still tell its task ID. */
const SUBMIT_GRACE_MS = 700;

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

/** An order that may have been accepted, and is to be looked for. */
interface Unclear {
	unclear: Failure;
	sent: SentOrder;
}

type WrittenJob = RenderJob & Required<Pick<RenderJob, 'request'>>;

/** Returns what submits a job and keeps its task in the moment in which the ID is known. */
function createSubmits(
	run: Run,
	connection: Connection,
	ledger: Ledger,
	limiter: Limiter,
	{ filesOf, letGo }: Sources,
	noteTask: (job: RenderJob, render: Render, otherIds: string[]) => void,
) {
	const { clock, signal: over } = run;
	const signal = delayedSignal(run.stop, SUBMIT_GRACE_MS);
	const throttle = createThrottle(run, limiter);
	const bySize = createSizeLimiter(MAX_PICTURE_BYTES);

	const lookUp = createLookUp(run, connection, ledger, limiter);

	const keep = createKeeper(run, ledger, noteTask);

	const send = async (job: WrittenJob): Promise<Begun | Unclear> => {
		const { itemIndex, request } = job;
		const { video } = request;
		const sent = { video, fields: video.fields, submittedAtMs: clock.now() };
		const submission = {
			...{ request, loadFile: filesOf(itemIndex), submittedAtMs: sent.submittedAtMs, signal, over },
			onSent: (fields: IDataObject) => void (sent.fields = fields),
		};
		const submitOne = async () => await submit(connection, submission);
		const answered = await (lookUp ? lookUp.during(video, submitOne) : submitOne());
		if (!answered) return undefined;
		if (!isFailure(answered)) return keep.render(job, answered);
		if (answered.kind !== 'unclear') return answered;
		// It is no failure yet, so it does not end the run.
		return lookUp ? { unclear: answered, sent } : keep.unclear(job, answered);
	};

	/** Follows an order without a clear answer, if the service lists it. */
	const follow = async (job: WrittenJob, { unclear, sent }: Unclear): Promise<Begun> => {
		const found = await lookUp!.find(sent);
		if (typeof found === 'string') {
			return keep.unclear(job, {
				...unclear,
				description: sentences(unclear.description, found),
			});
		}
		sayFound(run, job, unclear, found);
		const { model, makes } = sent.video;
		const task = { task_id: found.task_id, model, makes };
		return keep.render(job, { task, otherIds: [], answer: withoutFiles(found.record) });
	};
	const sendInTurn = async (job: WrittenJob): Promise<Begun | Unclear> => {
		for (;;) {
			let isHeld = false;
			const sendOne = async () => {
				isHeld = lookUp?.holds() === true;
				return isHeld ? undefined : await send(job);
			};
			// Outside of the throttle, so that a picture that waits keeps no other request from its place.
			const end = await bySize(
				fileBytesOf(job.request.video),
				async () => await throttle(sendOne, job.maxWaitMs),
			);
			if (!isHeld) return end;
			await lookUp!.settled();
		}
	};

	return async (job: WrittenJob): Promise<Begun> => {
		ledger.begin(job);
		try {
			const giveBack = await claimOfDay(run, job.maxVideosPerDay);
			if (typeof giveBack !== 'function') return giveBack;
			const sent = await sendInTurn(job);
			const end = sent && 'unclear' in sent ? await follow(job, sent) : sent;
			if (!end || (isFailure(end) && end.kind === 'refused')) await giveBack();
			return end;
		} finally {
			ledger.end(job);
			letGo(job.itemIndex);
		}
	};
}

/** Returns what keeps the end of a submit in the moment in which it is known. */
function createKeeper(
	run: Run,
	ledger: Ledger,
	noteTask: (job: RenderJob, render: Render, otherIds: string[]) => void,
) {
	return {
		render(job: RenderJob, { task, otherIds, answer }: Submitted): Render {
			const hasLiveRecord = job.pollIntervalMs === undefined ? task.hasLiveRecord : undefined;
			const submittedAtMs = run.clock.now();
			const render = toRender({ ...task, hasLiveRecord }, { answer, submittedAtMs });
			ledger.keep(job, render);
			noteTask(job, render, otherIds);
			return render;
		},
		unclear(job: RenderJob, failure: Failure): Failure {
			ledger.keep(job, run.redaction.show(failure));
			return failure;
		},
	};
}

function sayFound(
	{ report }: Run,
	{ itemIndex }: RenderJob,
	{ message }: Failure,
	{ task_id }: ListedTask,
): void {
	const words = `${toItemName(itemIndex)} ${message}. The list of tasks of the service shows it, so it is followed: ${task_id}`;
	report.warn(words);
	report.hint(words, 'info');
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
