import type { Run } from '../item/run';
import type { Limiter } from '../lib/turns';
import type { Connection } from '../service/connection';
import { TIMED_OUT, TOO_LARGE } from '../service/http';
import { delayMs } from '../service/paid';
import { isUnknownTask, toTrouble, type Trouble } from '../service/trouble';
import type { FetchResult } from '../service/videoApi';
import { isFinal } from '../service/videoTask';
import { type Fetch, openFetch } from './fetchRender';
import { type Ended, NO_TROUBLES, type Render } from './render';

/**
 * How much trouble of one kind, with no task record in between, ends a wait, or one check.
 * `denied`: 401 and 403, which a deployment under load gives now and then, and an answer over the
 * size limit. `unknown`: the record can appear some seconds after the submit. `other`: about ten
 * minutes at ten seconds per poll.
 */
const MAX_TROUBLES = {
	denied: { wait: 5, check: 2 },
	unknown: { wait: 6, check: 3 },
	other: { wait: 60, check: 5 },
};

function toTroubleKind(trouble: Trouble): keyof typeof MAX_TROUBLES {
	const { httpCode, code } = trouble;
	if (httpCode === 401 || httpCode === 403 || code === TOO_LARGE) return 'denied';
	if (isUnknownTask(trouble) || httpCode === 404 || httpCode === 410) return 'unknown';
	return 'other';
}

/**
 * A failure that may pass is believed once so many records in a row say it, which takes a minute.
 * Fewer are enough once the time is up. One is not: a task that is believed to have failed may be
 * submitted, and paid for, again.
 */
const LOOKS_AT_A_FAILURE = { inTime: 4, late: 2 };
const PAUSE_AFTER_A_FAILURE_MS = 20_000;

/**
 * A render after one more fetch. `trouble` is what the fetch met instead of the task; `pauseMs` is
 * the least time to wait before the next fetch.
 */
export type Step =
	Ended | { state: 'rendering'; render: Render; trouble?: Trouble; pauseMs?: number };

/**
 * Returns the render after a fetch, or its end. No other code decides this: the wait in process,
 * Durable, Video Status and agents all use it.
 */
export function step(before: Render, result: FetchResult, nowMs: number): Step {
	const pollCount = before.pollCount + 1;
	const addTrouble = (kind: keyof Render['troubles']): Render => {
		const troubles = { ...before.troubles, [kind]: before.troubles[kind] + 1 };
		return { ...before, pollCount, troubles };
	};
	const isLate = nowMs >= (before.deadlineMs ?? Infinity);
	const state = isLate ? 'timedOut' : 'rendering';
	if (result.kind === 'trouble') {
		const { trouble } = result;
		const kind = toTroubleKind(trouble);
		const render = addTrouble(kind);
		const isTooMuch = render.troubles[kind] >= MAX_TROUBLES[kind].wait;
		return { state: isTooMuch ? 'trouble' : state, render, trouble };
	}
	const { task, answer } = result;
	const looks = before.troubles.failed + 1;
	if (task.mayPass && looks < LOOKS_AT_A_FAILURE[isLate ? 'late' : 'inTime']) {
		return { state, render: addTrouble('failed'), pauseMs: PAUSE_AFTER_A_FAILURE_MS };
	}
	const render: Render = {
		...before,
		// Keep the model that the submit named if the record names none.
		task: { ...task, model: task.model ?? before.task.model },
		answer: answer ?? before.answer,
		pollCount,
		troubles: NO_TROUBLES,
		finishedAtMs: isFinal(task.status) ? (before.finishedAtMs ?? nowMs) : undefined,
	};
	if (task.status === 'FAILURE') return { state: 'failed', render };
	if (task.status === 'SUCCESS') return { state: task.result_url ? 'done' : 'noVideo', render };
	return { state, render };
}

/** Checks under way at once. */
export const CONCURRENT_CHECKS = 10;

/**
 * Returns a check: it fetches a task once; on trouble, or on a failure that may pass, a few times
 * more, because trouble that passes says nothing about the task.
 */
export function openCheck(run: Run, connection: Connection) {
	const { clock, signal, maxPauseMs } = run;
	const fetch = openFetch(run, connection);
	/** `limitMs` applies to each fetch. */
	return async (before: Render, limitMs?: number): Promise<Step> => {
		let render = before;
		for (let attempt = 1; ; attempt++) {
			const result = await fetch(render, limitMs);
			const next = step(render, result, clock.now());
			let pauseMs = next.state === 'rendering' ? next.pauseMs : undefined;
			if (result.kind === 'trouble' && next.state !== 'trouble') {
				const kind = toTroubleKind(result.trouble);
				const met = next.render.troubles[kind] - before.troubles[kind];
				const again = result.retryAfterMs ?? delayMs(attempt, clock.random());
				if (met < MAX_TROUBLES[kind].check) pauseMs = again;
			}
			if (pauseMs === undefined || pauseMs > maxPauseMs || signal.aborted) return next;
			await clock.pause(pauseMs);
			render = next.render;
		}
	};
}

export type Check = ReturnType<typeof openCheck>;

const MAX_POLL_INTERVAL_MS = 10_000;
const GROWTH = 1.2;
/** Each pause is shortened by up to this share, so that the polls of a batch spread out. */
const SPREAD = 0.2;
/** The last fetch is sent when the time is up; the wait ends this many milliseconds later. */
const LAST_FETCH_MS = 3_000;

interface Polling {
	fetch: Fetch;
	/** Skips fetches once the signal of the run has fired. */
	limiter: Limiter;
	/** The first pause between polls; it grows to ten seconds. */
	pollIntervalMs: number;
	/** When to hand the task over (`open`), in milliseconds since 1970. */
	untilMs?: number;
	/** Called after each answer that is a task record. */
	onProgress: (render: Render) => void;
	/** Called at the end, before the limiter starts another request in place of the last fetch. */
	onEnd: (end: Ended) => void;
}

/** Polls one task until it ends, its time is up, trouble lasts, or the run is stopped. */
export async function pollTask(
	{ clock, signal }: Run,
	started: Render,
	{ fetch, limiter, pollIntervalMs, untilMs = Infinity, onProgress, onEnd }: Polling,
): Promise<Ended | { state: 'stopped' | 'open'; render: Render }> {
	const spread = (ms: number) => ms * (1 - SPREAD * clock.random());
	const lastMs = Math.min(started.deadlineMs ?? Infinity, untilMs);
	const longestMs = Math.max(pollIntervalMs, MAX_POLL_INTERVAL_MS);
	let render = started;
	let intervalMs = pollIntervalMs;
	// A task of an earlier try may be done by now.
	let pauseMs = started.reused ? 0 : spread(intervalMs);
	for (;;) {
		await clock.pause(Math.min(pauseMs, lastMs - clock.now()));
		const fetched = await limiter(async () => {
			const leftMs = lastMs + LAST_FETCH_MS - clock.now();
			// If the time ran out while this waited for its turn, other requests get no answers either.
			const result: FetchResult =
				leftMs > 0
					? await fetch(render, leftMs)
					: { kind: 'trouble', trouble: toTrouble(TIMED_OUT) };
			const next = step(render, result, clock.now());
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
		if (result.kind === 'task') onProgress(render);
		if (next.state !== 'rendering') return next;
		if (clock.now() >= untilMs) return { state: 'open', render };
		intervalMs = Math.min(intervalMs * GROWTH, longestMs);
		const asked = result.kind === 'trouble' ? result.retryAfterMs : next.pauseMs;
		pauseMs = Math.max(spread(intervalMs), asked ?? 0);
	}
}
