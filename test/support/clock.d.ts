/** The delays that were asked for, in milliseconds, and the way back to real time. */
interface Haste {
	asked: number[];
	restore(): void;
}

/**
 * Lets the timers of nodes and engine run `times` as fast, and those of requests that wait for an
 * answer, so that a minute of delays passes in a second. The sandbox keeps its own time.
 */
export function hurry(times: number): Haste;

/** Resolves once `holds()` is true; fails after ten seconds. */
export function until(holds: () => boolean): Promise<void>;
