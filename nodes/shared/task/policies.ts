import { delayMs, PATIENCE, patienceFor } from '../service/later';
import type { Policy } from './follow';
import type { Render, RenderJob } from './render';

/** How many tasks a node checks at once that does not wait for them. */
export const CONCURRENT_CHECKS = 10;

const MAX_POLL_INTERVAL_MS = 10_000;
const GROWTH = 1.2;
/** Each pause is shortened by up to this share, so that the fetches of a batch spread out. */
const SPREAD = 0.2;
/**
 * Between two fetches of a record for which New API asks the vendor (Veo). It looks at its tasks every 15
 * to 30 seconds by itself, and refunds a failed one only if that look, and not our fetch, was the first to
 * see the failure.
 */
const LIVE_RECORD_EVERY_MS = 30_000;
/** A fetch has so many milliseconds for its answer after the time is up, or if it is sent then. */
const LAST_FETCH_MS = 3_000;

/**
 * Waits in process: the pauses grow from Poll Interval to ten seconds.
 *
 * @param untilMs when to leave the task, in milliseconds since 1970; not before its first fetch
 */
export const inProcess = (
	{ pollIntervalMs }: RenderJob,
	{ deadlineMs = Infinity }: Render,
	untilMs: number,
): Policy => ({
	limitMs: (nowMs) => Math.max(0, Math.min(deadlineMs, untilMs) - nowMs) + LAST_FETCH_MS,
	pauseMs({ render: { reused, task }, last, fetches, sinceMs, random }) {
		// A task of an earlier try may be done by now.
		if (!last && reused) return 0;
		if (last && sinceMs >= untilMs) return 'leave';
		const longestMs = Math.max(pollIntervalMs, MAX_POLL_INTERVAL_MS);
		const intervalMs = Math.min(longestMs, pollIntervalMs * GROWTH ** fetches);
		const wantedMs = (1 - SPREAD * random) * intervalMs;
		const seldomMs = task.hasLiveRecord ? LIVE_RECORD_EVERY_MS : 0;
		const askedMs = last?.failure ? (last.failure.retryAfterMs ?? 0) : (last?.pauseMs ?? seldomMs);
		return Math.min(Math.max(askedMs, wantedMs), Math.min(deadlineMs, untilMs) - sinceMs);
	},
});

/**
 * Checks a task once, and a few times more on a failed check or a failure that may pass: one of these
 * alone says nothing about the task.
 *
 * @param maxPauseMs the longest pause that whoever asks can wait
 */
export const oneCheck = (maxPauseMs: number): Policy => ({
	insists: true,
	pauseMs({ last, tries, random }) {
		if (!last) return 0;
		const { failure } = last;
		const isEnough = failure && tries >= PATIENCE[patienceFor(failure)].check;
		const pauseMs = failure ? (failure.retryAfterMs ?? delayMs(tries, random)) : last.pauseMs;
		return isEnough || pauseMs === undefined || pauseMs > maxPauseMs ? 'leave' : pauseMs;
	},
});

/**
 * Checks a task for an agent until there is an end or the pauses have lasted so long. Agents ask again
 * at once, and each turn of a model costs time, money and one of the turns that n8n allows.
 */
export function briefly(forMs: number, maxPauseMs: number): Policy {
	const check = oneCheck(maxPauseMs);
	return {
		...check,
		// It decides whether a failure that may pass is believed.
		isLast: ({ pausedMs }) => pausedMs >= forMs,
		pauseMs(facts) {
			const { last, pausedMs, render } = facts;
			if (!last || last.failure) return check.pauseMs(facts);
			const usualMs = render.task.hasLiveRecord ? LIVE_RECORD_EVERY_MS : maxPauseMs;
			// A failure that may pass is looked at once more, at the end.
			const longestMs = last.pauseMs === undefined ? usualMs : Infinity;
			return Math.min(Math.max(0, forMs - pausedMs), longestMs);
		},
	};
}
