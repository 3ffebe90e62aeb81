import { sleep } from 'n8n-workflow';

/** Resolves after `ms` milliseconds, or at once when its signal fires. Never rejects. */
export type Pause = (ms: number) => Promise<void>;

/** Time and chance, so that tests can run hours in no time. */
export interface Clock {
	/** Milliseconds since 1970. */
	now: () => number;
	/** 0 to 1; spreads what a batch does. */
	random: () => number;
	pause: Pause;
}

export const createClock = (signal: AbortSignal): Clock => ({
	now: Date.now,
	random: Math.random,
	pause: createPause(signal),
});

/** Timers take no more, and end at once where they are given more: 24 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** `sleep` of n8n-workflow is the only timer: n8n does not allow nodes to use `setTimeout`. */
export function createPause(parent: AbortSignal): Pause {
	return async (ms) => {
		if (parent.aborted || ms <= 0) return;
		// One of its own: Node.js warns of a leak where many wait on the same signal.
		const signal = AbortSignal.any([parent]);
		let onAbort = () => {};
		const aborted = new Promise<void>((resolve) => {
			onAbort = resolve;
			signal.addEventListener('abort', onAbort, { once: true });
		});
		// `sleep` of current n8n takes the signal and rejects; older ones sleep on, which the race ends.
		const slept = sleep(Math.min(ms, MAX_TIMER_MS), signal).catch(() => undefined);
		await Promise.race([slept, aborted]);
		signal.removeEventListener('abort', onAbort);
	};
}

/** A signal that fires `ms` milliseconds after the other one. */
export function delayedSignal(signal: AbortSignal, ms: number): AbortSignal {
	const later = new AbortController();
	const onAbort = async () => {
		await sleep(ms);
		later.abort();
	};
	signal.addEventListener('abort', () => void onAbort(), { once: true });
	return later.signal;
}
