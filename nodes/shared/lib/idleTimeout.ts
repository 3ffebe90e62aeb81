import { createPause, type Pause } from './clock';

export interface IdleTimeout {
	/** Waits for something, and counts the time that it takes. */
	during: <T>(work: Promise<T>) => Promise<T>;
	/** Whether the time was up. */
	gaveUp: () => boolean;
	close: () => void;
}

/** So often the clock is read in a time-out: one timer for an answer instead of one for a chunk. */
const READINGS = 4;

/**
 * Calls `giveUp` once a single wait takes longer than `idleTimeoutMs`, or a quarter more. Time in
 * which nobody waits does not count: a slow disk at the other end is no stalled download.
 */
export function createIdleTimeout(
	idleTimeoutMs: number,
	giveUp: () => void,
	create: (over: AbortSignal) => Pause = createPause,
): IdleTimeout {
	const over = new AbortController();
	const pause = create(over.signal);
	let turn = 0;
	let waits = false;
	let gaveUp = false;

	const tick = async () => {
		for (let seen = 0, readings = 0; readings < READINGS;) {
			const now = waits ? turn : 0;
			readings = now > 0 && now === seen ? readings + 1 : 0;
			seen = now;
			if (readings < READINGS) await pause(idleTimeoutMs / READINGS);
			if (over.signal.aborted) return;
		}
		gaveUp = true;
		giveUp();
	};
	void tick();

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
