import { toItemName } from '../item/failure';
import type { Run } from '../item/run';
import { delayedSignal } from '../lib/time';
import { createLimiter } from '../lib/turns';
import type { Connection } from '../service/connection';
import { TIMED_OUT } from '../service/http';
import { type PaidTrouble, sendPaid } from '../service/paid';
import { toTrouble } from '../service/trouble';
import { type FetchResult, submit } from '../service/videoApi';
import { openFetch } from './fetchRender';
import { step } from './followTask';
import type { Ledger } from './ledger';
import {
	type Ended,
	type NoTask,
	type Outcome,
	type Render,
	type RenderJob,
	toRender,
} from './render';

const MAX_POLL_INTERVAL_MS = 10_000;
const GROWTH = 1.2;
/** Each pause is shortened by up to this share, so that the polls of a batch spread out. */
const SPREAD = 0.2;
/**
 * Once a video of a run is done, the others take mostly about as long: from this share of its time
 * on, the pauses are shorter. They are shares of Poll Interval or, if that is longer, of the time
 * since the submit.
 */
const DUE = { from: 0.8, ofInterval: 0.7, ofAge: 0.05 };
/** How often a pause looks whether it is to be shorter. */
const LOOK_MS = 3_000;
/** The last fetch is sent when the time is up, and has so many milliseconds for its answer. */
const LAST_FETCH_MS = 3_000;

/**
 * Returns what renders the videos of one run: from the ledger or a submit to the end of the wait.
 *
 * @param concurrency requests under way at once; the number of renders is not limited
 * @param tell `onTask`: a task was submitted or picked up; `onProgress`: a fetch brought its state
 */
export function openRenders(
	run: Run,
	connection: Connection,
	ledger: Ledger,
	concurrency: number,
	tell: Record<'onTask' | 'onProgress', (job: RenderJob, render: Render) => void>,
) {
	const { clock, maxPauseMs, signal } = run;
	const limiter = createLimiter(concurrency, signal);
	const submitSignal = delayedSignal(run.stop, SUBMIT_GRACE_MS);
	const fetch = openFetch(run, connection);
	/** How long the first of this run's videos took, as far as one is done. */
	let shortestMs = Infinity;

	/** Submits one job; resolves to its task, or to why there is none. */
	const submitOne = async (
		job: RenderJob,
	): Promise<Render | NoTask | { state: 'notSubmitted' }> => {
		const send = async () => {
			const submittedAtMs = clock.now();
			// Once a submit is on its way, a task may exist, whatever is thrown.
			const result = await submit(connection, job.sent ?? job.request, submitSignal).catch(
				() => UNREADABLE,
			);
			if (result.kind !== 'accepted') return { ...result, state: result.kind, submittedAtMs };
			const { task_id, otherIds, answer } = result;
			const { hasLiveRecord, request } = job;
			const task = { task_id, model: request.model, hasLiveRecord };
			const render = toRender(task, { answer, submittedAtMs: clock.now() });
			// Keep the ID in the same tick in which it becomes known.
			ledger.keep(job, render);
			for (const id of [task_id, ...otherIds.slice(0, 20)]) saveTaskId(run, job.itemIndex, id);
			run.taskIds.set(job.itemIndex, task_id);
			tell.onTask(job, render);
			return { kind: 'accepted' as const, render };
		};
		const result = await sendPaid(send, { limiter, clock, maxPauseMs }, (end) => {
			if (end.kind === 'accepted') return;
			if (end.kind === 'unclear') ledger.keep(job, run.show(end));
			run.onFailure();
		});
		if (!result) return { state: 'notSubmitted' };
		return result.kind === 'accepted' ? result.render : result;
	};

	/**
	 * Polls a task in process until it ends, its time is up, trouble lasts, or the run is stopped.
	 *
	 * @param untilMs when to leave the task `open`, in milliseconds since 1970
	 * @param mayBeAnew the caller may submit a failed job anew, so a failure does not end the run
	 */
	const poll = async (
		job: RenderJob,
		started: Render,
		untilMs = Infinity,
		mayBeAnew = false,
	): Promise<Ended | { state: 'stopped' | 'open'; render: Render }> => {
		const { reused, deadlineMs = Infinity, submittedAtMs = clock.now() } = started;
		const ageMs = () => clock.now() - submittedAtMs;
		const onEnd = ({ state }: Ended) => {
			// Nobody knows when the task of an earlier try was done.
			if (state === 'done' && !reused) shortestMs = Math.min(shortestMs, ageMs());
			const fails = state === 'timedOut' ? job.timeOutFails : state !== 'done';
			if (fails && !mayBeAnew) run.onFailure();
		};
		const lastMs = Math.min(deadlineMs, untilMs);
		const longestMs = Math.max(job.pollIntervalMs, MAX_POLL_INTERVAL_MS);
		/** Waits until the next fetch, at least as long as asked. */
		const rest = async (intervalMs: number, askedMs = 0) => {
			const share = 1 - SPREAD * clock.random();
			await clock.pause(Math.min(askedMs, lastMs - clock.now()));
			for (let restedMs = askedMs; !signal.aborted; restedMs += LOOK_MS) {
				const dueMs = Math.max(DUE.ofInterval * job.pollIntervalMs, DUE.ofAge * ageMs());
				const isDue = ageMs() >= DUE.from * shortestMs;
				const wantedMs = share * Math.min(intervalMs, isDue ? dueMs : Infinity);
				const leftMs = Math.min(wantedMs - restedMs, lastMs - clock.now());
				if (leftMs <= 0) return;
				await clock.pause(Math.min(leftMs, LOOK_MS));
			}
		};
		let render = started;
		let intervalMs = job.pollIntervalMs;
		// A task of an earlier try may be done by now.
		if (!reused) await rest(intervalMs);
		for (;;) {
			const fetched = await limiter(async () => {
				const leftMs = lastMs + LAST_FETCH_MS - clock.now();
				// If the time ran out while this fetch waited for its turn, it counts as one without an answer.
				const result: FetchResult =
					leftMs > 0
						? await fetch(render, leftMs)
						: { kind: 'trouble', trouble: toTrouble(TIMED_OUT) };
				const next = step(render, result, clock.now());
				// A failure ends the run here, before the limiter starts another request in place of this one.
				if (next.state !== 'rendering' && !signal.aborted) onEnd(next);
				return { result, next };
			});
			if (!fetched) return { state: 'stopped', render };
			const { result, next } = fetched;
			// A fetch that was under way when the run stopped may still have brought news.
			if (signal.aborted && next.state === 'rendering') {
				return { state: 'stopped', render: result.kind === 'task' ? next.render : render };
			}
			render = next.render;
			if (result.kind === 'task') tell.onProgress(job, render);
			if (next.state !== 'rendering') return next;
			if (clock.now() >= untilMs) return { state: 'open', render };
			intervalMs = Math.min(intervalMs * GROWTH, longestMs);
			await rest(intervalMs, result.kind === 'trouble' ? result.retryAfterMs : next.pauseMs);
		}
	};

	/** Takes one job from its ledger entry or its submit to the end of its wait. */
	const render = async (job: RenderJob): Promise<Outcome> => {
		const started = await ledger.findOrSubmit(job, submitOne);
		if (!('task' in started)) return started;
		if (started.reused) {
			// "Retry execution" makes a new execution, and a search for the ID must find that one, too.
			saveTaskId(run, job.itemIndex, started.task.task_id);
			tell.onTask(job, started);
		}
		const start = { ...started, deadlineMs: clock.now() + job.maxWaitMs };
		if (job.wait === 'none') return { state: 'submitted', render: start };
		if (job.wait === 'inProcess') return await poll(job, start);
		if (job.headStartMs === 0 && !start.reused) return { state: 'open', render: start };
		// A task of an earlier try gets at least one fetch. If it has failed, its job is submitted anew
		// here. After a wait in process, n8n's next try does that, but there is none after a sleep.
		const outcome = await poll(job, start, clock.now() + job.headStartMs, start.reused);
		const isAnew = start.reused && outcome.state === 'failed' && ledger.forget(job);
		return isAnew ? await render(job) : outcome;
	};
	return { render, poll };
}

const UNREADABLE: PaidTrouble = {
	kind: 'unclear',
	trouble: { message: 'The answer of the service cannot be read', retryable: false },
};

/** Milliseconds after Stop in which a submit under way may still tell its task ID. */
const SUBMIT_GRACE_MS = 700;

/** n8n keeps ten entries per execution; one is for the note below, one for the workflow's owner. */
const KEYS = Array.from({ length: 8 }, (_, i) => `video_task_ids${i === 0 ? '' : `_${i + 1}`}`);
/**
 * n8n stores 512 characters of a value, and complains in its log above 255. The longer limit is
 * used only once all entries have reached the shorter one. Together they hold about 100 IDs.
 */
const MAX_VALUE_CHARS = [255, 512];
const STOP_NOTE =
	'Stopped. Renders in progress continue and are billed: follow their task IDs with Video Status.';

/**
 * Saves a task ID where it outlives the run: in n8n's log, and in the execution's custom data, by
 * which the executions list can be searched. n8n stores nothing else of a stopped run: neither the
 * node's output nor its context.
 */
export function saveTaskId(run: Run, itemIndex: number, task_id: string): void {
	run.taskIds.set(itemIndex, task_id);
	run.report.info(`${toItemName(itemIndex)} is video task ${task_id}`);
	const shown = run.redaction.redact(task_id);
	inCustomData(run, 'the task ID', (data) => {
		if (KEYS.some((key) => data.get(key)?.split(',').includes(shown))) return;
		for (const maxChars of MAX_VALUE_CHARS) {
			for (const key of KEYS) {
				const ids = data.get(key);
				const joined = ids ? `${ids},${shown}` : shown;
				// An ID is never cut: one that fits nowhere is only in the log and in the item.
				if (joined.length <= maxChars) return void data.set(key, joined);
			}
		}
	});
}

/**
 * Adds a note about the renders to the IDs of a stopped run. The note must be written during the
 * stop event itself: n8n stores the run right after it, and shows no hint of a stopped node.
 * @returns a function that removes the listener
 */
export function noteStop(run: Run): () => void {
	const note = () =>
		inCustomData(run, 'the note about the renders', (data) => data.set('video_note', STOP_NOTE));
	run.stop.addEventListener('abort', note, { once: true });
	return () => run.stop.removeEventListener('abort', note);
}

/** Only warns if writing fails: a paid run must not end over this. */
function inCustomData(run: Run, what: string, write: (data: Map<string, string>) => unknown): void {
	try {
		// Of n8n's custom data, only the `get` and `set` of a map are used.
		write(run.context.getWorkflowDataProxy(0).$execution.customData as Map<string, string>);
	} catch (error) {
		const { message } = error as Error;
		run.report.warn(`could not write ${what} to the custom data of the execution: ${message}`);
	}
}
