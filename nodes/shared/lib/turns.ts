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

/** The last work of each queue, by the object that all callers share and by key. */
const underWay = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs works with the same place and key one after the other, each with what the last has left. */
export async function inTurn<Result>(
	place: object,
	key: string,
	work: () => Promise<Result>,
): Promise<Result> {
	const lines = underWay.get(place) ?? new Map<string, Promise<unknown>>();
	underWay.set(place, lines);
	const mine = (lines.get(key) ?? Promise.resolve()).then(work, work);
	lines.set(key, mine);
	try {
		return await mine;
	} finally {
		if (lines.get(key) === mine) lines.delete(key);
	}
}

/**
 * Yields the pieces that a work tells, and returns its result or throws what it throws. A reader
 * that stops early must end the work itself.
 */
export async function* relay<Piece, End>(
	work: (tell: (piece: Piece) => void) => Promise<End>,
): AsyncGenerator<Piece, End> {
	const told: Piece[] = [];
	let hasEnded = false;
	let wake = () => {};
	const end = work((piece) => {
		told.push(piece);
		wake();
	}).finally(() => {
		hasEnded = true;
		wake();
	});
	// Whoever reads gets the error; until then, nobody else would handle it.
	end.catch(() => {});
	for (;;) {
		while (told.length > 0) yield told.shift() as Piece;
		if (hasEnded) return await end;
		await new Promise<void>((resolve) => (wake = resolve));
	}
}
