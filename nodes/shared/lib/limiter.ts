/** Runs tasks in the order of their calls, never more than `limit` at once. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

export function createLimiter(limit: number): Limiter {
	let running = 0;
	const waiting: Array<() => void> = [];
	return async (task) => {
		// A finished task hands its place on, so that nobody who comes later takes it.
		if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
		else running++;
		try {
			return await task();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}
