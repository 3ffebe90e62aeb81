import { sleep } from 'n8n-workflow';

/** Time and chance, replaceable so that tests can run hours in no time. */
export interface Clock {
	/** Returns milliseconds since 1970. */
	now: () => number;
	/** Returns 0 to 1; spreads the requests of a batch. */
	random: () => number;
	/** Resolves after `ms` milliseconds, or at once when the clock's signal fires. Never rejects. */
	pause: (ms: number) => Promise<void>;
}

/** Returns a time in milliseconds since 1970 as ISO 8601. */
export const toIso = (ms: number | undefined) =>
	ms === undefined ? undefined : new Date(ms).toISOString();

/** Returns milliseconds since 1970 of a time that a service tells, as ISO 8601 or in seconds. */
export function toMs(time: unknown): number | undefined {
	const ms =
		typeof time === 'number' ? time * 1000 : typeof time === 'string' ? Date.parse(time) : NaN;
	return Number.isFinite(ms) ? ms : undefined;
}

/** The longest time that timers accept, 24 days; given more, they end at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Pauses with `sleep` of n8n-workflow: n8n does not allow nodes to use `setTimeout`. */
export const createClock = (parent: AbortSignal): Clock => ({
	now: Date.now,
	random: Math.random,
	async pause(ms) {
		if (parent.aborted || ms <= 0) return;
		// Each pause has its own signal: Node.js warns of a leak if many wait on the same one.
		const signal = AbortSignal.any([parent]);
		// `sleep` of current n8n takes the signal and rejects; older versions sleep on.
		const slept = sleep(Math.min(ms, MAX_TIMER_MS), signal).catch(() => undefined);
		await unlessAborted(slept, signal);
	},
});

/**
 * Lets others have a turn of n8n's one thread, also after Stop: at once, or before the 11th item and each
 * after it.
 */
export async function giveWay(itemIndex = Infinity): Promise<void> {
	if (itemIndex >= 10) await sleep(1);
}

/** Resolves to the work's result, or to `undefined` once the signal fires; the work goes on unseen. */
export async function unlessAborted<T>(
	work: Promise<T>,
	signal: AbortSignal,
): Promise<{ value: T } | undefined> {
	let onAbort = () => {};
	const aborted = new Promise<undefined>((resolve) => {
		onAbort = () => resolve(undefined);
		signal.addEventListener('abort', onAbort, { once: true });
	});
	if (signal.aborted) onAbort();
	try {
		// Always listens to the work, because nobody else handles an error that it throws later.
		return await Promise.race([aborted, work.then((value) => ({ value }))]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Returns a signal that fires `ms` milliseconds after the given one; never if that had fired before. */
export function delayedSignal(signal: AbortSignal, ms: number): AbortSignal {
	const later = new AbortController();
	const onAbort = () => void sleep(ms).then(() => later.abort());
	signal.addEventListener('abort', onAbort, { once: true });
	return later.signal;
}

/**
 * Limits requests to so many milliseconds, whatever happens in between: one byte now and then is
 * enough to reset any time-out of an HTTP client. The timer does not keep the process alive.
 *
 * @param stop ends the requests, too
 */
export function createTimeLimit(limitMs: number, stop?: AbortSignal) {
	const timer = AbortSignal.timeout(Math.min(Math.ceil(Math.max(limitMs, 0)), MAX_TIMER_MS));
	const over = new AbortController();
	const close = () => {
		timer.removeEventListener('abort', close);
		over.abort();
	};
	timer.addEventListener('abort', close);
	return {
		/** Fires once the time is up, when `stop` fires, and on `close`. */
		signal: AbortSignal.any(stop ? [over.signal, stop] : [over.signal]),
		/** Resolves to the work's result, or to `undefined` once the time is up. */
		within: async <T>(work: Promise<T>) => (await unlessAborted(work, timer))?.value,
		isUp: () => timer.aborted,
		/** Ends the requests and closes their sockets; destroying n8n's (wrapped) stream does not. */
		close,
	};
}

/** How often per time-out the clock is read, at least: one timer serves all chunks of an answer. */
const MIN_READINGS = 4;
const MAX_LATE_MS = 3_000;

/**
 * Calls `giveUp` once nothing has come for `idleTimeoutMs`, at most three seconds or a quarter of
 * that time late, whichever is less. Time in which nobody waits does not count: a slow disk at the
 * other end is no stalled download.
 */
export function createIdleTimeout(
	idleTimeoutMs: number,
	giveUp: () => void,
	pauseUntil = (over: AbortSignal) => createClock(over).pause,
) {
	const over = new AbortController();
	const pause = pauseUntil(over.signal);
	const wanted = Math.max(MIN_READINGS, Math.ceil(idleTimeoutMs / MAX_LATE_MS));
	/** Readings of the clock in a row at which somebody waited for news. */
	let silent = 0;
	let waits = false;
	let gaveUp = false;

	const watch = async () => {
		// Not `<`: the first of them may come right after the beginning of the wait.
		while (silent <= wanted) {
			await pause(idleTimeoutMs / wanted);
			if (over.signal.aborted) return;
			silent = waits ? silent + 1 : 0;
		}
		gaveUp = true;
		giveUp();
	};
	void watch();

	return {
		/** Waits for the work and counts the time; once it comes, the count begins at zero again. */
		async during<T>(work: Promise<T>): Promise<T> {
			waits = true;
			try {
				const came = await work;
				silent = 0;
				return came;
			} finally {
				waits = false;
			}
		},
		gaveUp: () => gaveUp,
		close: () => over.abort(),
	};
}
