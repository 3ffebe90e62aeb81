import type { Clock } from '../lib/time';
import type { Limiter } from '../lib/turns';
import { TIMED_OUT } from '../service/http';
import { toTrouble } from '../service/trouble';
import type { FetchResult } from '../service/videoApi';
import type { Ended, Render } from './render';
import { step } from './step';

/** What polling asks of the world. */
export interface Polling {
	/** `limitMs`: how long the wait for the task lasts at most, in milliseconds. */
	fetchTask: (task_id: string, limitMs?: number) => Promise<FetchResult>;
	/** Leaves fetches undone once the signal has fired. */
	limiter: Limiter;
	clock: Clock;
	signal: AbortSignal;
	/** Told after each answer that is a task record. */
	onProgress?: (render: Render) => void;
	/** Told of the end, before the place of the last fetch goes to another request. */
	onEnd?: (end: Ended) => void;
}

export interface PollPace {
	/** First pause between polls; grows to `maxPollIntervalMs`. */
	pollIntervalMs: number;
	maxPollIntervalMs: number;
	/** When to leave the task to somebody else (`open`), in milliseconds since 1970. */
	untilMs?: number;
	/** Whether to fetch before the first pause: a task of an earlier try may be done by now. */
	startAtOnce?: boolean;
	/** Whether to leave it (`open`) at the first trouble, too, and at a failure that may pass. */
	leavesAtTrouble?: boolean;
}

const GROWTH = 1.2;
/** Each pause is shorter by up to this share, so that the polls of a batch spread out. */
const SPREAD = 0.2;

const NOT_FETCHED: FetchResult = { kind: 'trouble', trouble: toTrouble(TIMED_OUT) };

/** The last fetch is sent when the time is up; so many milliseconds later the wait is over. */
const LAST_FETCH_MS = 3_000;

/** Polls one task until it ends, its time is up, trouble lasts, or the run is stopped. */
export async function pollTask(
	started: Render,
	{ startAtOnce = started.reused, untilMs = Infinity, ...pace }: PollPace,
	{ fetchTask, limiter, clock, signal, onProgress, onEnd }: Polling,
): Promise<Ended | { state: 'stopped'; render: Render } | { state: 'open'; render: Render }> {
	const spread = (ms: number) => ms * (1 - SPREAD * clock.random());
	const lastMs = Math.min(started.deadlineMs ?? Infinity, untilMs);
	let render = started;
	let intervalMs = pace.pollIntervalMs;
	let pauseMs = startAtOnce ? 0 : spread(intervalMs);
	for (;;) {
		await clock.pause(Math.min(pauseMs, lastMs - clock.now()));
		const fetched = await limiter(async () => {
			const leftMs = lastMs + LAST_FETCH_MS - clock.now();
			// It has waited for its turn for so long: others are not answered, either.
			const result = leftMs > 0 ? await fetchTask(render.task.task_id, leftMs) : NOT_FETCHED;
			const next = step(render, result, clock.now());
			if (next.state !== 'rendering' && !signal.aborted) onEnd?.(next);
			return { result, next };
		});
		if (!fetched) return { state: 'stopped', render };
		const { result, next } = fetched;
		// A fetch that was under way when the run stopped may still have brought news.
		if (signal.aborted && next.state === 'rendering') {
			return { state: 'stopped', render: result.kind === 'task' ? next.render : render };
		}
		render = next.render;
		if (result.kind === 'task') onProgress?.(render);
		if (next.state !== 'rendering') return next;
		const met = next.trouble !== undefined || next.pauseMs !== undefined;
		if (clock.now() >= untilMs || (met && pace.leavesAtTrouble)) return { state: 'open', render };
		intervalMs = Math.min(intervalMs * GROWTH, pace.maxPollIntervalMs);
		const asked = result.kind === 'trouble' ? result.retryAfterMs : next.pauseMs;
		pauseMs = Math.max(spread(intervalMs), asked ?? 0);
	}
}
