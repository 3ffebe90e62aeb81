import { createWait, type Wait } from './pause';

export interface IdleWatch {
	/** Waits for something, and counts the time that it takes. */
	during: <T>(work: Promise<T>) => Promise<T>;
	/** Whether the watch has given up. */
	gaveUp: () => boolean;
	close: () => void;
}

/** So many looks at the clock in a time-out: one timer for an answer instead of one for a chunk. */
const LOOKS = 4;

/**
 * Calls `giveUp` once a single wait takes longer than `idleTimeoutMs`, or a quarter more. Time in
 * which nobody waits does not count: a slow disk at the other end is no stalled download.
 */
export function watchIdle(
	idleTimeoutMs: number,
	giveUp: () => void,
	create: (over: AbortSignal) => Wait = createWait,
): IdleWatch {
	const over = new AbortController();
	const pause = create(over.signal);
	let turn = 0;
	let waits = false;
	let gaveUp = false;

	const watch = async () => {
		for (let seen = 0, looks = 0; looks < LOOKS;) {
			const now = waits ? turn : 0;
			looks = now > 0 && now === seen ? looks + 1 : 0;
			seen = now;
			if (looks < LOOKS) await pause(idleTimeoutMs / LOOKS);
			if (over.signal.aborted) return;
		}
		gaveUp = true;
		giveUp();
	};
	void watch();

	return {
		async during(work) {
			turn++;
			waits = true;
			try {
				return await work;
			} finally {
				waits = false;
			}
		},
		gaveUp: () => gaveUp,
		close: () => over.abort(),
	};
}
