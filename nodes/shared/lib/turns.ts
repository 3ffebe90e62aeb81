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

/**
 * Returns what runs works in the order of their calls, as long as their sizes add up to no more than `most`;
 * a larger one runs alone. One without a size does not wait.
 */
export function createSizeLimiter(most: number) {
	let taken = 0;
	const waiting: Array<{ size: number; go: () => void }> = [];
	const letIn = () => {
		while (waiting[0] && (taken === 0 || taken + waiting[0].size <= most)) {
			const { size, go } = waiting.shift()!;
			taken += size;
			go();
		}
	};
	return async <T>(size: number, work: () => Promise<T>): Promise<T> => {
		if (size === 0) return await work();
		await new Promise<void>((go) => {
			waiting.push({ size, go });
			letIn();
		});
		try {
			return await work();
		} finally {
			taken -= size;
			letIn();
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
