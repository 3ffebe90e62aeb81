/**
 * Runs works in the order of their calls, never more than `limit` at once. Once the signal has
 * fired, no further work begins; its caller gets `undefined`.
 */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T | undefined>;

export function createLimiter(limit: number, signal?: AbortSignal): Limiter {
	let running = 0;
	const waiting: Array<() => void> = [];
	return async (work) => {
		// A finished work passes its place on, so that no later caller can take it.
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

/** The last work of each queue, by the object that all callers share. */
const queues = new WeakMap<object, Promise<unknown>>();

/** Runs works of the same queue one after the other, each with what the last has left. */
export async function inTurn<Result>(queue: object, work: () => Promise<Result>): Promise<Result> {
	const turn = (queues.get(queue) ?? Promise.resolve()).then(work, work);
	queues.set(queue, turn);
	return await turn;
}
