import { MIN_SLEEP_S } from './sleepLength';

/** A progress in percent, and when it was read, in milliseconds since 1970. */
export interface Reading {
	atMs: number;
	progress: number;
}

/** Of a render, what an estimate goes by. */
export interface Pace {
	/** It has not begun. */
	isQueued: boolean;
	submittedAtMs?: number;
	/** The last two, the newest one last. */
	readings: Reading[];
}

/** Milliseconds until the render is probably ready, and whether it is worth waiting for. */
export interface TimeLeft {
	ms: number;
	isLikely: boolean;
}

/**
 * Many deployments tell the state in the form of a progress: 10, 20, 30 or 50 percent, whatever the
 * render has done. What is above that and moves is a progress; so is what is no multiple of ten.
 */
const HIGHEST_CONSTANT = 50;

/** Renders of one model differ: a sibling that took so many times less says nothing any more. */
const SIBLINGS_DIFFER = 1.5;

/**
 * How long a render still takes: by its own progress where that moves, otherwise by the renders of
 * the same model that were submitted beside it and are done. `undefined`: nobody can tell.
 *
 * @param usualMs what those took until they were seen, in milliseconds: their median
 */
export function estimate(
	{ isQueued, submittedAtMs, readings }: Pace,
	usualMs: number | undefined,
	nowMs: number,
): TimeLeft | undefined {
	const [before, last] = readings;
	const byProgress = before && last && extrapolate(before, last);
	if (byProgress !== undefined) {
		return { ms: Math.max(0, last.atMs + byProgress - nowMs), isLikely: true };
	}
	// Read twice without a sleep in between: it was expected to end there.
	const wasExpected = before && last && last.atMs - before.atMs < MIN_SLEEP_S * 1000;
	if (wasExpected) return { ms: 0, isLikely: false };
	// It tells how far it is, and that is not near, whatever the others took.
	const isFar = last && last.progress < HIGHEST_CONSTANT && last.progress % 10 !== 0;
	if (isQueued || isFar) return undefined;
	const waitedMs = submittedAtMs === undefined ? Infinity : nowMs - submittedAtMs;
	if (usualMs !== undefined && waitedMs <= usualMs * SIBLINGS_DIFFER) {
		return { ms: Math.max(0, usualMs - waitedMs), isLikely: true };
	}
	return undefined;
}

/** Milliseconds from the last reading to 100 percent, if it goes on like this. */
function extrapolate(before: Reading, last: Reading): number | undefined {
	const gained = last.progress - before.progress;
	const inMs = last.atMs - before.atMs;
	if (last.progress <= HIGHEST_CONSTANT || gained <= 0 || inMs <= 0) return undefined;
	return (Math.max(0, 100 - last.progress) * inMs) / gained;
}

export function toMedian(numbers: number[]): number | undefined {
	const sorted = [...numbers].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)];
}
