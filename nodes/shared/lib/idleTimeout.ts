import { createPause, type Pause } from './clock';

export interface IdleTimeout {
	/**
	 * Waits for something, and counts the time that it takes. Where what came is no progress, the
	 * next wait goes on counting.
	 */
	during: <T>(work: Promise<T>, isProgress?: (came: T) => boolean) => Promise<T>;
	/** Whether the time was up. */
	gaveUp: () => boolean;
	close: () => void;
}

/** So often the clock is read in a time-out: one timer for an answer instead of one for a chunk. */
const MIN_READINGS = 4;
const MAX_LATE_MS = 3_000;

/**
 * Calls `giveUp` once nothing has come for `idleTimeoutMs`, or a quarter more, of three seconds at
 * most. Time in which nobody waits does not count: a slow disk at the other end is no stalled
 * download.
 */
export function createIdleTimeout(
	idleTimeoutMs: number,
	giveUp: () => void,
	create: (over: AbortSignal) => Pause = createPause,
): IdleTimeout {
	const over = new AbortController();
	const pause = create(over.signal);
	let turn = 1;
	let waits = false;
	let gaveUp = false;

	const wanted = Math.max(MIN_READINGS, Math.ceil(idleTimeoutMs / MAX_LATE_MS));

	const tick = async () => {
		for (let seen = 0, readings = 0; readings < wanted;) {
			const now = waits ? turn : 0;
			readings = now > 0 && now === seen ? readings + 1 : 0;
			seen = now;
			if (readings < wanted) await pause(idleTimeoutMs / wanted);
			if (over.signal.aborted) return;
		}
		gaveUp = true;
		giveUp();
	};
	void tick();

	return {
		async during(work, isProgress = () => true) {
			waits = true;
			try {
				const came = await work;
				if (isProgress(came)) turn++;
				return came;
			} finally {
				waits = false;
			}
		},
		gaveUp: () => gaveUp,
		close: () => over.abort(),
	};
}
