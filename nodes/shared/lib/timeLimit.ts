import { MAX_TIMER_MS } from './clock';

export interface TimeLimit {
	/** The work's result, or `undefined` once the time is up: the work may hang on unseen. */
	within: <T>(work: Promise<T>) => Promise<T | undefined>;
	isUp: () => boolean;
	close: () => void;
}

/**
 * Calls `onUp` when so many milliseconds are over, whatever has happened in between: one byte now
 * and then resets every time-out of an HTTP client. The timer keeps no process alive.
 */
export function createTimeLimit(
	limitMs: number,
	onUp: () => void,
	create: (ms: number) => AbortSignal = (ms) => AbortSignal.timeout(ms),
): TimeLimit {
	const timer = create(Math.min(Math.ceil(Math.max(limitMs, 0)), MAX_TIMER_MS));
	let isUp = false;
	let onAbort = () => {};
	const up = new Promise<undefined>((resolve) => {
		onAbort = () => {
			isUp = true;
			onUp();
			resolve(undefined);
		};
		timer.addEventListener('abort', onAbort, { once: true });
	});
	return {
		within: async (work) => await Promise.race([work, up]),
		isUp: () => isUp,
		close: () => timer.removeEventListener('abort', onAbort),
	};
}
