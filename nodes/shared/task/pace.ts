import type { Clock } from '../lib/time';

/** Checks of all tasks in a second; more for many tasks, so that each is asked every 20 seconds. */
const MIN_RATE = 10;
const RATE_OF_TASK = 1 / 20;
/** A pause that others shorten when they end is slept in parts of this share, of so many milliseconds at least. */
const PART = 0.5;
const MIN_PART_MS = 250;

export type Pace = ReturnType<typeof createPace>;

/** Returns the one pace at which a run checks its tasks. Its pauses end when the signal fires. */
export function createPace(clock: Pick<Clock, 'now' | 'pause'>, signal: AbortSignal) {
	let underWay = 0;
	let freeAtMs = 0;
	const rate = () => Math.max(MIN_RATE, underWay * RATE_OF_TASK);
	return {
		/** Counts a task as under way until its wait is over. */
		async during<Result>(wait: () => Promise<Result>): Promise<Result> {
			underWay++;
			try {
				return await wait();
			} finally {
				underWay--;
			}
		},
		/**
		 * Pauses between two checks of a task.
		 *
		 * @param ownMs its shortest pause, in milliseconds
		 * @param untilMs when the pause ends in any case
		 */
		async pause(ownMs: number, untilMs: number): Promise<void> {
			const mostMs = untilMs - clock.now();
			for (let sleptMs = 0; !signal.aborted;) {
				const shareMs = (underWay / rate()) * 1000;
				const leftMs = Math.min(Math.max(ownMs, shareMs), mostMs) - sleptMs;
				if (leftMs <= 0) return;
				const partMs = shareMs > ownMs ? Math.max(MIN_PART_MS, leftMs * PART) : leftMs;
				await clock.pause(partMs);
				sleptMs += partMs;
			}
		},
		/** Resolves when the next check may begin. */
		async turn(): Promise<void> {
			const atMs = Math.max(freeAtMs, clock.now());
			freeAtMs = atMs + 1000 / rate();
			await clock.pause(atMs - clock.now());
		},
	};
}
