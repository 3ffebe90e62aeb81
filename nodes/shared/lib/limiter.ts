/**
 * Runs works in the order of their calls, never more than `limit` at once. Once the signal has
 * fired, no further work is begun: its caller gets `undefined`.
 */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T | undefined>;

export function createLimiter(limit: number, signal?: AbortSignal): Limiter {
	let running = 0;
	const waiting: Array<() => void> = [];
	return async (work) => {
		// A finished work hands its place on, so that nobody who comes later takes it.
		if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
		else running++;
		try {
			return signal?.aborted ? undefined : await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}
