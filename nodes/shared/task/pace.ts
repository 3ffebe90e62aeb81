import type { Clock } from '../lib/time';
import { createLimiter } from '../lib/turns';

/** Checks of all tasks in a second; more for many tasks, so that each is asked every 20 seconds at least. */
export const MIN_RATE = 10;
const RATE_OF_TASK = 1 / 20;

export type Pace = ReturnType<typeof createPace>;

/** Returns the one pace at which a run checks its tasks, in the order in which their pauses end. */
export function createPace(clock: Pick<Clock, 'now' | 'pause'>, signal: AbortSignal) {
	const inOrder = createLimiter(1, signal);
	let underWay = 0;
	let rate = MIN_RATE;
	let freeAtMs = 0;
	return {
		/** Counts a task as under way until its wait is over. */
		async during<Result>(wait: () => Promise<Result>): Promise<Result> {
			underWay++;
			// It stays, so that the fewer there are left, the sooner each is asked again.
			rate = Math.max(rate, underWay * RATE_OF_TASK);
			try {
				return await wait();
			} finally {
				underWay--;
			}
		},
		/** Resolves when the next check may begin; at once when the run ends. */
		async turn(): Promise<void> {
			await inOrder(async () => {
				await clock.pause(freeAtMs - clock.now());
				freeAtMs = clock.now() + 1000 / rate;
			});
		},
	};
}
