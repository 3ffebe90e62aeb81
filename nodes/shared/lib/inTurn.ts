/** The last of each line that is under way, by the object that all callers share and by key. */
const underWay = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Lets works with the same key run one after the other. The second finds all
 * that the first one has left.
 */
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

/** Of which works some are under way. */
export const keysInTurn = (place: object): string[] => [...(underWay.get(place)?.keys() ?? [])];
