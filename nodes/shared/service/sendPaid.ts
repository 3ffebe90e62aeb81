import type { Clock } from '../lib/time';
import type { Limiter } from '../lib/turns';
import { type Failure, isFailure } from './failure';
import { delayMs, meansPassing } from './later';

/** Retries of a paid request that was refused; about two minutes together, without Retry-After. */
const MAX_REFUSAL_RETRIES = 8;
/** A host that cannot be reached is more often a typo than a passing state. */
const MAX_CONNECT_RETRIES = 2;

/** Returns how many milliseconds to wait after try `attempt` (from 1); `undefined` ends the tries. */
function retryDelayMs(
	{ certainty, httpCode, code, passes, retryAfterMs }: Failure,
	attempt: number,
	random: number,
): number | undefined {
	const isBusy = httpCode === 429 || meansPassing(code);
	const wasSent = httpCode !== undefined;
	// Anything but a clear refusal may have been charged.
	if (certainty !== 'refused' || !passes || (wasSent && !isBusy)) return undefined;
	if (attempt > (wasSent ? MAX_REFUSAL_RETRIES : MAX_CONNECT_RETRIES)) return undefined;
	return retryAfterMs ?? delayMs(attempt, random);
}

/**
 * Sends a request that costs money. It tries again after a refusal that passes, never after anything
 * unclear; while it waits, others have its place. Resolves to `undefined` if the run ended before the
 * request was sent.
 *
 * @param maxPauseMs the longest wait for another try; no try is made after a longer one
 * @param onEnd gets the last result before its place goes to the next request
 */
export async function sendPaid<Result extends object>(
	send: () => Promise<Result | Failure>,
	{ limiter, clock, maxPauseMs }: { limiter: Limiter; clock: Clock; maxPauseMs: number },
	onEnd: (result: Result | Failure) => void,
): Promise<Result | Failure | undefined> {
	for (let attempt = 1; ; attempt++) {
		let pauseMs: number | undefined;
		const result = await limiter(async () => {
			const end = await send();
			if (isFailure(end)) pauseMs = retryDelayMs(end, attempt, clock.random());
			if (pauseMs !== undefined && pauseMs > maxPauseMs) pauseMs = undefined;
			if (pauseMs === undefined) onEnd(end);
			return end;
		});
		if (result === undefined || pauseMs === undefined) return result;
		await clock.pause(pauseMs);
	}
}
