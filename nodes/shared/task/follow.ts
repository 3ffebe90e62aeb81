import type { Clock } from '../lib/time';
import type { Limiter } from '../lib/turns';
import { DOUBT, PATIENCE, patienceFor } from '../service/later';
import type { FetchedTask } from '../service/fetchTask';
import { isFinal } from '../service/videoTask';
import { NO_TROUBLES, type Render, type TaskOutcome } from './render';
import { type CheckFailure, isFailure } from '../service/reason';

/**
 * Returns the render after a fetch, or its end. No other code decides this, whoever waits for the task.
 *
 * @param askedMs when the fetch began: one of before the deadline does not tell what is there by then
 */
export function step(
	before: Render,
	result: FetchedTask | CheckFailure,
	nowMs: number,
	askedMs = nowMs,
): TaskOutcome {
	const pollCount = before.pollCount + 1;
	const count = (kind: keyof Render['troubles']): Render => {
		const troubles = { ...before.troubles, [kind]: before.troubles[kind] + 1 };
		return { ...before, pollCount, troubles };
	};
	const isLate = askedMs >= deadlineOf(before);
	const state = isLate ? 'timedOut' : 'rendering';
	if (isFailure(result)) {
		const kind = patienceFor(result);
		const render = count(kind);
		const isTooMuch = render.troubles[kind] >= PATIENCE[kind].wait;
		return { state: isTooMuch ? 'lost' : state, render, failure: result };
	}
	const { answer } = result;
	// A finished video is paid for. Its record may say FAILURE later, as where Google has forgotten it.
	const task = (result.task.status === 'FAILURE' && before.done) || result.task;
	const done = task.status === 'SUCCESS' ? task : before.done;
	const mayBeTemporary = task.status === 'FAILURE' && task.hasLiveRecord;
	if (mayBeTemporary && before.troubles.failed + 1 < DOUBT[isLate ? 'late' : 'inTime']) {
		return { state, render: count('failed'), pauseMs: DOUBT.pauseMs };
	}
	const { model, hasLiveRecord } = before.task;
	const render: Render = {
		...before,
		// Keep what the submit told if the record does not tell it.
		task: { model, ...(!isFinal(task.status) && { hasLiveRecord }), ...task },
		answer: answer ?? before.answer,
		done,
		pollCount,
		troubles: NO_TROUBLES,
		finishedAtMs: isFinal(task.status) ? (before.finishedAtMs ?? nowMs) : undefined,
	};
	const ends = { FAILURE: 'failed', SUCCESS: 'done' } as const;
	return { state: isFinal(task.status) ? ends[task.status] : state, render };
}

const deadlineOf = ({ deadlineMs = Infinity }: Render) => deadlineMs;

/** How far a wait is: all that a policy knows. */
export interface WaitFacts {
	render: Render;
	/** What the last fetch brought; missing before the first one. */
	last?: Pick<TaskOutcome, 'failure' | 'pauseMs'>;
	/** Fetches so far. */
	fetches: number;
	/** Fetches since the last record that was believed which failed as the last one did. */
	tries: number;
	/** When this pause begins, in milliseconds since 1970. */
	sinceMs: number;
	/** How long the pauses before this one lasted together. */
	pausedMs: number;
	/** 0 to 1, the same for the whole pause; spreads the requests of a batch. */
	random: number;
}

/** How often and how long to wait for a task: functions of these facts alone (`policies.ts`). */
export interface Policy {
	/**
	 * Returns how many milliseconds the pause before the next fetch, also the first one, lasts in all, or
	 * `leave` to wait no longer.
	 */
	pauseMs: (facts: WaitFacts) => number | 'leave';
	/** Returns how long a fetch that begins now may take, in milliseconds. */
	limitMs?: (nowMs: number) => number;
	/** Returns whether the time is up at the next fetch, although the render has no deadline. */
	isLast?: (facts: WaitFacts) => boolean;
	/** Whether a check that fails when the time is up is tried again: one alone says nothing. */
	insists?: boolean;
}

/** What a wait works with, and whom it tells. */
interface Following {
	fetch: (render: Render, limitMs?: number) => Promise<FetchedTask | CheckFailure>;
	clock: Clock;
	signal: AbortSignal;
	/** Limits how many fetches are under way at once. */
	limiter?: Limiter;
	/** Called with the end of the wait before the limiter lets another request begin. */
	onEnd?: (end: TaskOutcome) => void;
	onRecord?: (render: Render) => void;
}

/**
 * Fetches a task until it ends, the policy leaves it (`rendering`) or the run is stopped. The state is
 * plain JSON, so that any other wait can go on with it.
 */
export async function follow(
	started: Render,
	policy: Policy,
	following: Following,
): Promise<TaskOutcome> {
	const { fetch, clock, signal, limiter = async (work) => await work() } = following;
	const beginPause = () => ({ sinceMs: clock.now(), random: clock.random() });
	let facts: WaitFacts = {
		...{ render: started, fetches: 0, tries: 0, pausedMs: 0 },
		...beginPause(),
	};
	let troubles = started.troubles;
	for (let end: TaskOutcome = { state: 'rendering', render: started }, ranOut = false; ;) {
		const pauseMs = ranOut ? 0 : policy.pauseMs(facts);
		if (pauseMs === 'leave') return end;
		await clock.pause(pauseMs);
		facts.pausedMs += pauseMs;
		const { render, fetches, pausedMs } = facts;
		let askedMs = 0;
		const next = await limiter(async () => {
			askedMs = clock.now();
			const current = policy.isLast?.(facts) ? { ...render, deadlineMs: askedMs } : render;
			const result = await fetch(current, policy.limitMs?.(askedMs));
			const outcome = step(current, result, clock.now(), askedMs);
			if (outcome.state !== 'rendering' && !signal.aborted) following.onEnd?.(outcome);
			return outcome;
		});
		if (!next) return { state: 'stopped', render };
		const { failure } = next;
		if (signal.aborted && next.state === 'rendering') {
			// A fetch that was under way when the run stopped may still have brought news.
			return { state: 'stopped', render: failure ? render : next.render };
		}
		if (!failure) following.onRecord?.(next.render);
		const insists = policy.insists && next.state === 'timedOut' && failure && !signal.aborted;
		if (next.state !== 'rendering' && !insists) return next;
		if (!failure && next.pauseMs === undefined) troubles = NO_TROUBLES;
		const kind = failure && patienceFor(failure);
		facts = {
			...{ render: next.render, last: next, fetches: fetches + 1, pausedMs },
			tries: kind === undefined ? 0 : next.render.troubles[kind] - troubles[kind],
			...beginPause(),
		};
		// A machine may sleep for hours during a fetch, and the end of the wait needs a look of its own.
		ranOut = askedMs < deadlineOf(next.render) && clock.now() >= deadlineOf(next.render);
		end = next;
	}
}
