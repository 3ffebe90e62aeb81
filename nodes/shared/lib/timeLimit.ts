import { createPause, MAX_TIMER_MS, type Pause } from './clock';

export interface TimeLimit {
	/** The work's result, or `undefined` once the time is up: the work may hang on unseen. */
	within: <T>(work: Promise<T>) => Promise<T | undefined>;
	isUp: () => boolean;
	close: () => void;
}

/**
 * Calls `onUp` when so many milliseconds are over, whatever has happened in between: one byte now
 * and then resets every time-out of an HTTP client.
 */
export function createTimeLimit(
	limitMs: number,
	onUp: () => void,
	create: (over: AbortSignal) => Pause = createPause,
): TimeLimit {
	const closed = new AbortController();
	let isUp = false;
	const up = (async () => {
		await create(closed.signal)(Math.min(limitMs, MAX_TIMER_MS));
		if (closed.signal.aborted) return;
		isUp = true;
		onUp();
	})();
	return {
		within: async (work) => {
			const late = up.then(async () => (isUp ? undefined : await work));
			return await Promise.race([work, late]);
		},
		isUp: () => isUp,
		close: () => closed.abort(),
	};
}
