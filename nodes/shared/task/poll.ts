import { MAX_PAUSE_MS } from '../failure/later';
import { isReason, type Reason } from '../failure/reason';
import type { Clock } from '../lib/time';
import { createLimiter, type Limiter } from '../lib/turns';
import type { Run } from '../n8n/run';
import type { Connection } from '../services/connection';
import { createPrices } from '../services/cost';
import { fetchTask } from '../services/fetchTask';
import type { TaskAnswer } from '../services/videoTask';
import { createPace, type Pace } from './pace';
import type { Render, WaitState } from './render';
import { step } from './step';

/** How often a task is fetched, and what ends the wait before the task does. */
interface Wait {
	/** The shortest pause between two fetches, in milliseconds. */
	leastMs: number;
	/** The pause before a fetch that follows a failed one; the pauses grow to ten seconds. */
	missMs: number;
	/** A task that was just submitted is not fetched before the first pause. */
	pausesFirst: boolean;
	/** The first record that is believed ends the wait, not the render's deadline. */
	once: boolean;
	/** So many failed fetches in a row end the wait. */
	tries: number;
	/** The same from the render's deadline on. */
	triesLate: number;
}

/** The ways of waiting. Durable checks a task between two sleeps. */
export const WAITS = {
	/** The node waits until Max Wait. */
	inProcess: {
		leastMs: 2_000,
		missMs: 5_000,
		pausesFirst: true,
		once: false,
		tries: Infinity,
		triesLate: 1,
	},
	/** An agent waits in Video Status for some seconds. */
	agent: { leastMs: 2_000, missMs: 5_000, pausesFirst: false, once: false, tries: 4, triesLate: 1 },
	/** One record is enough, if it is believed. A fetch that fails says nothing about the task, so it is tried again. */
	check: { leastMs: 2_000, missMs: 2_000, pausesFirst: false, once: true, tries: 4, triesLate: 4 },
} satisfies Record<string, Partial<Wait>>;

/** What a wait works with, and whom it tells. */
interface Polling extends Wait {
	fetch: (render: Render, limitMs: number) => Promise<TaskAnswer | Reason>;
	clock: Clock;
	signal: AbortSignal;
	/** That of all tasks of the run. */
	pace?: Pace;
	/** Limits how many fetches are under way at once. */
	limiter?: Limiter;
	/** The service wants no two looks at a task within so many milliseconds. */
	everyMs?: number;
	/** The longest pause for another try that the caller can wait, in milliseconds. */
	maxPauseMs?: number;
	onRecord?: (render: Render) => void;
	/** Called with the end of the wait before the limiter lets another request begin. */
	onEnd?: (end: WaitState) => void;
}

/** How many tasks a node checks at once that does not wait for them. */
export const CONCURRENT_CHECKS = 10;

/** The share of a task's age that passes before it is asked again: what has taken long may well take longer. */
const SHARE_OF_AGE = 0.05;
/** A task of last week is asked as often as one of twenty minutes. */
const MAX_SHARE_MS = 60_000;
const MAX_MISS_MS = 10_000;
const GROWTH = 1.2;
/**
 * Between two fetches of a record for which New API asks the vendor (Veo). It looks at its tasks every 15
 * to 30 seconds by itself, and refunds a failed one only if that look, and not our fetch, was the first to
 * see the failure.
 */
const LIVE_RECORD_EVERY_MS = 30_000;
/** Before a failure of such a record is looked at again. */
const DOUBT_MS = 20_000;
/** A fetch that begins at the deadline has so many milliseconds for its answer. */
const LAST_FETCH_MS = 3_000;

/**
 * Fetches a task until it ends, something else ends the wait (`rendering`, `timedOut`, `lost`), or the
 * run is stopped. The render is plain JSON, so that any other wait can go on with it.
 */
export async function poll(started: Render, polling: Polling): Promise<WaitState> {
	const { pace = createPace(polling.clock, polling.signal) } = polling;
	return await pace.during(async () => await pollAt(pace, started, polling));
}

async function pollAt(pace: Pace, started: Render, polling: Polling): Promise<WaitState> {
	const { clock, fetch, pausesFirst, signal } = polling;
	const { everyMs = 0, limiter = createLimiter(1, signal), maxPauseMs = Infinity } = polling;
	const { deadlineMs = Infinity } = started;
	let render = started;
	let misses = 0;
	/** Before the next fetch; `undefined` if that is at once. */
	let pauseMs = pausesFirst && !started.reused ? toPauseMs(polling, render) : undefined;
	for (let isLate = false; ;) {
		// The last fetch begins at the deadline.
		const untilMs = isLate ? Infinity : deadlineMs;
		if (pauseMs !== undefined) {
			const leftMs = untilMs - clock.now();
			// No fetch comes so close to the deadline that the last one would be too soon after it.
			await clock.pause(leftMs - pauseMs < everyMs ? leftMs : pauseMs);
		}
		if (clock.now() < deadlineMs) await pace.turn();
		let isOver = false;
		const next = await limiter(async () => {
			const limitMs = Math.max(0, deadlineMs - clock.now()) + LAST_FETCH_MS;
			const result = await fetch(render, limitMs);
			const outcome = step(render, result, clock.now());
			const { because } = outcome;
			const isDoubted = outcome.render.doubted > render.doubted;
			misses = because ? misses + 1 : 0;
			pauseMs = because
				? toMissMs(polling, because, misses)
				: toPauseMs(polling, outcome.render, isDoubted);
			const isTooLong = (because || polling.once) && pauseMs > maxPauseMs;
			isOver = isTooLong || endsWait(polling, outcome, misses, isDoubted);
			if (isOver && !signal.aborted) polling.onEnd?.(outcome);
			return outcome;
		});
		if (!next) return { state: 'stopped', render };
		if (!next.because) polling.onRecord?.(next.render);
		if (isOver) return next;
		render = next.render;
		isLate = next.state === 'timedOut';
	}
}

/** Returns whether a wait ends with this outcome, after so many failed checks in a row. */
function endsWait(
	{ once, tries, triesLate }: Wait,
	{ state, because }: WaitState,
	misses: number,
	isDoubted: boolean,
): boolean {
	const isLate = state === 'timedOut';
	if (state !== 'rendering' && !isLate) return true;
	if (because) return misses >= (isLate ? triesLate : tries);
	return isLate || (once && !isDoubted);
}

/** Returns the shortest pause, in milliseconds, after so many failed fetches in a row. */
const toMissMs = (
	{ everyMs = 0, missMs }: Polling,
	{ retryAfterMs = 0 }: Reason,
	misses: number,
): number =>
	Math.max(
		everyMs,
		Math.min(retryAfterMs, MAX_PAUSE_MS),
		Math.min(Math.max(missMs, MAX_MISS_MS), missMs * GROWTH ** misses),
	);

/** Returns the shortest pause, in milliseconds, before a task is fetched again. */
function toPauseMs(
	{ clock, everyMs = 0, leastMs }: Polling,
	{ task, submittedAtMs = clock.now() }: Render,
	isDoubted = false,
): number {
	const shareMs = Math.min(MAX_SHARE_MS, (clock.now() - submittedAtMs) * SHARE_OF_AGE);
	const liveMs = isDoubted ? DOUBT_MS : task.hasLiveRecord ? LIVE_RECORD_EVERY_MS : 0;
	return Math.max(leastMs, everyMs, shareMs, liveMs);
}

/** Returns a function that checks a task, or waits for it until its deadline, outside Video Generate. */
export function createCheck(
	{ clock, maxPauseMs, signal }: Pick<Run, 'clock' | 'maxPauseMs' | 'signal'>,
	connection: Connection,
	{ wait = WAITS.check, limiter }: { wait?: Wait; limiter?: Limiter } = {},
) {
	const fetch = createFetch(clock, connection);
	const pace = createPace(clock, signal);
	const { askEveryMs: everyMs } = connection.service;
	const polling = { ...wait, fetch, everyMs, clock, signal, pace, limiter, maxPauseMs };
	return async (render: Render) => await poll(render, polling);
}

/** Returns a function that fetches a task, and adds the cost on SUCCESS if the service tells it. */
export function createFetch(clock: Clock, connection: Connection): Polling['fetch'] {
	const toCost = createPrices(connection);
	return async ({ task }, limitMs) => {
		const endMs = clock.now() + limitMs;
		const result = await fetchTask(connection, task.task_id, limitMs);
		if (isReason(result) || !result.task.charge) return result;
		const cost = await toCost(result.task.charge, Math.max(0, endMs - clock.now()));
		return cost ? { ...result, task: { ...result.task, cost } } : result;
	};
}
