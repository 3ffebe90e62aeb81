import { delayMs, PATIENCE, patienceFor } from '../service/later';
import type { Policy, Progress } from './follow';
import type { Render, RenderJob } from './render';

/** How many tasks a node checks at once that does not wait for them. */
export const CONCURRENT_CHECKS = 10;

const MAX_POLL_INTERVAL_MS = 10_000;
const GROWTH = 1.2;
/** Each pause is shortened by up to this share, so that the fetches of a batch spread out. */
const SPREAD = 0.2;
/**
 * Once a video of a run is done, the others take mostly about as long: from this share of its time
 * on, the pauses are shorter. They are shares of Poll Interval or, if that is longer, of the time
 * since the submit.
 */
const DUE = { from: 0.8, ofInterval: 0.7, ofAge: 0.05 };
/** A fetch has so many milliseconds for its answer after the time is up, or if it is sent then. */
const LAST_FETCH_MS = 3_000;

/**
 * Waits in process: the pauses grow from Poll Interval to ten seconds, and are shorter once a render
 * is due.
 *
 * @param untilMs when to leave the task, in milliseconds since 1970
 * @param shortestMs how long the first of the run's videos took, as far as one is done
 */
export function inProcess(
	{ pollIntervalMs }: RenderJob,
	{ submittedAtMs, deadlineMs = Infinity, reused }: Render,
	nowMs: () => number,
	untilMs: number,
	shortestMs: () => number,
): Policy {
	const startedMs = submittedAtMs ?? nowMs();
	const lastMs = Math.min(deadlineMs, untilMs);
	const longestMs = Math.max(pollIntervalMs, MAX_POLL_INTERVAL_MS);
	let leftMs = Infinity;
	return {
		// A task of an earlier try may be done by now.
		restsFirst: !reused,
		limitMs: () => Math.max(0, lastMs - nowMs()) + LAST_FETCH_MS,
		pauseMs({ last, fetches, restedMs, random }) {
			if (restedMs === 0) leftMs = lastMs - nowMs();
			if (last && restedMs === 0 && nowMs() >= untilMs) return 'leave';
			const ageMs = nowMs() - startedMs;
			const intervalMs = Math.min(longestMs, pollIntervalMs * GROWTH ** fetches);
			const isDue = ageMs >= DUE.from * shortestMs();
			const dueMs = isDue ? Math.max(DUE.ofInterval * pollIntervalMs, DUE.ofAge * ageMs) : Infinity;
			const wantedMs = (1 - SPREAD * random) * Math.min(intervalMs, dueMs);
			const askedMs = last?.failure?.retryAfterMs ?? last?.pauseMs ?? 0;
			return Math.min(Math.max(askedMs, wantedMs), leftMs);
		},
	};
}

/**
 * Checks a task once, and a few times more on a failed check or a failure that may pass: one of these
 * alone says nothing about the task.
 *
 * @param maxPauseMs the longest pause that whoever asks can wait
 */
export const oneCheck = (maxPauseMs: number): Policy => ({
	insists: true,
	pauseMs({ last, tries, sameTries, random }: Progress) {
		let pauseMs = last?.pauseMs;
		if (last?.failure) {
			const { failure } = last;
			const isOnce = sameTries >= PATIENCE[patienceFor(failure)].check;
			pauseMs = isOnce ? undefined : (failure.retryAfterMs ?? delayMs(tries, random));
		}
		return pauseMs === undefined || pauseMs > maxPauseMs ? 'leave' : pauseMs;
	},
});

/**
 * Checks a task for an agent until there is an end or the time is up. Agents ask again at once, and
 * each turn of a model costs time, money and one of the turns that n8n allows.
 */
export function briefly(forMs: number, maxPauseMs: number): Policy {
	const check = oneCheck(maxPauseMs);
	let leftMs = forMs;
	let pauseMs = 0;
	return {
		// It decides whether a failure that may pass is believed.
		isLast: () => leftMs <= 0,
		insists: true,
		pauseMs(progress) {
			const { last, restedMs } = progress;
			if (last?.failure) return check.pauseMs(progress);
			if (restedMs > 0) return pauseMs;
			// A failure that may pass is looked at once more, at the end.
			pauseMs = last?.pauseMs === undefined ? Math.min(leftMs, maxPauseMs) : leftMs;
			leftMs -= pauseMs;
			return pauseMs;
		},
	};
}

/** How many more times one step of Durable's Checker checks a video that is nearly ready. */
const MAX_PAUSES = 3;
/** A render is nearly ready if it should end within this time. */
const NEAR_MS = 45_000;
/** A render that should end sooner than this is checked again after this time. */
const SHORTEST_PAUSE_MS = 5_000;
/** Up to here, `progress` may be a mere state: many deployments write 10, 20, 30 or 50 for one. */
const HIGHEST_CONSTANT = 50;

/**
 * Checks a task between two sleeps. A nearly ready video is checked again, instead of sleeping past its
 * end: its progress must be above `HIGHEST_CONSTANT`, must have moved since the last check, and must
 * reach 100 within `NEAR_MS` at its average pace since the submit; and a whole sleep must be left
 * before the deadline.
 *
 * @param latestMs when the last sleep must begin, in milliseconds since 1970
 */
export function betweenSleeps(nowMs: () => number, latestMs: number, maxPauseMs: number): Policy {
	const check = oneCheck(maxPauseMs);
	let pauses = 0;
	const toAwakeMs = ({ render, before }: Progress): number | undefined => {
		const { task, submittedAtMs } = render;
		const { progress } = task;
		const moves = progress > Math.max(HIGHEST_CONSTANT, before.task.progress);
		if (!moves || submittedAtMs === undefined) return undefined;
		const leftMs = ((nowMs() - submittedAtMs) * (100 - progress)) / progress;
		const awakeMs = Math.max(SHORTEST_PAUSE_MS, leftMs);
		return awakeMs <= NEAR_MS && nowMs() + awakeMs <= latestMs ? awakeMs : undefined;
	};
	let awakeMs: number | undefined;
	return {
		insists: true,
		pauseMs(progress) {
			const { last, restedMs } = progress;
			if (last?.failure || last?.pauseMs !== undefined) return check.pauseMs(progress);
			if (restedMs > 0) return awakeMs!;
			awakeMs = pauses++ < MAX_PAUSES ? toAwakeMs(progress) : undefined;
			return awakeMs ?? 'leave';
		},
	};
}
