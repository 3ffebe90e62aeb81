import type { Clock } from '../lib/time';
import { delayMs } from '../service/paid';
import type { Trouble } from '../service/trouble';
import type { DownloadTrouble } from './downloadTrouble';

/** Waits for the next try of a file of which so many bytes are there; `false` where there is none. */
export type TryAgain = (met: DownloadTrouble, size: number) => Promise<boolean>;

interface Waiting {
	clock: Clock;
	signal: AbortSignal;
	maxPauseMs: number;
	/** Asked once, before the second try. */
	isInVain?: (met: Trouble) => Promise<boolean>;
}

/** Fewer new bytes are no progress: a server that gives one at a time would be asked for ever. */
const MIN_PROGRESS_BYTES = 64 * 1024;
/** Tries of one address in all, with or without progress. */
const MAX_TRIES = 1000;

/**
 * Counts the tries of one address since the last that brought the file on: a proxy that cuts every
 * transfer after a minute is only in the way of a file that gets no longer.
 */
export function countTries(
	retries: number,
	{ clock, signal, maxPauseMs, isInVain }: Waiting,
): TryAgain {
	let inVain = 0;
	let inAll = 0;
	// Of any file at this address: one that changes again and again makes no progress.
	let longest = 0;
	return async ({ trouble, retryAfterMs }, size) => {
		if (size >= longest + MIN_PROGRESS_BYTES) inVain = 0;
		longest = Math.max(longest, size);
		if (!trouble.retryable || inVain >= retries || inAll >= MAX_TRIES || signal.aborted)
			return false;
		if (inAll === 0 && (await isInVain?.(trouble))) return false;
		inVain++;
		inAll++;
		const pauseMs = retryAfterMs ?? delayMs(inVain, clock.random());
		if (pauseMs > maxPauseMs) return false;
		await clock.pause(pauseMs);
		return !signal.aborted;
	};
}
