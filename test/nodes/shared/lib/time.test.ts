import {
	createIdleTimeout,
	createTimeLimit,
	unlessAborted,
} from '../../../../nodes/shared/lib/time';
import { createVirtualTime } from '../../../support/virtualTime';

const TIMEOUT_MS = 120_000;

/** Waits for things that take so long each, with a pause after each, and tells when it gave up. */
async function waitFor(waitsMs: number[], pauseMs = 0, delayMs = 0) {
	const time = createVirtualTime();
	let gaveUpAtMs: number | undefined;
	const pauseUntil = (over: AbortSignal) => async (ms: number) => {
		if (!over.aborted) await time.pause(ms);
	};
	const watch = createIdleTimeout(TIMEOUT_MS, () => (gaveUpAtMs = time.now()), pauseUntil);
	const work = async () => {
		await time.pause(delayMs);
		for (const ms of waitsMs) {
			await watch.during(time.pause(ms));
			await time.pause(pauseMs);
		}
		watch.close();
	};
	await time.run(work());
	expect(watch.gaveUp()).toBe(gaveUpAtMs !== undefined);
	return gaveUpAtMs;
}

describe('createIdleTimeout', () => {
	it('never gives up what goes on, however long it takes in total', async () => {
		const waits = Array.from({ length: 500 }, () => TIMEOUT_MS - 1);
		expect(await waitFor(waits)).toBeUndefined();
	});

	it.each([1, 3_600_000])('gives up a wait %d ms after the start', async (before) => {
		const waits = [...Array.from({ length: 100 }, () => before / 100), 10 * TIMEOUT_MS];
		const gaveUpAtMs = await waitFor(waits);
		expect(gaveUpAtMs! - before).toBeGreaterThanOrEqual(TIMEOUT_MS);
		expect(gaveUpAtMs! - before).toBeLessThanOrEqual(TIMEOUT_MS * 1.25);
	});

	it('gives the first wait its whole time, though it begins shortly after the clock', async () => {
		expect(await waitFor([10 * TIMEOUT_MS], 0, 1)).toBeGreaterThan(TIMEOUT_MS);
	});

	it('does not count the time in which nobody waits', async () => {
		expect(await waitFor([1, 1, 1, 1], 10 * TIMEOUT_MS)).toBeUndefined();
	});
});

const never = new Promise<never>(() => {});

it('a time limit gives what is done in time, and then does not wait for the rest', async () => {
	const limit = createTimeLimit(5);
	expect(await limit.within(Promise.resolve('done'))).toBe('done');
	await expect(limit.within(Promise.reject(new Error('no')))).rejects.toThrow('no');
	expect([limit.isUp(), limit.signal.aborted]).toEqual([false, false]);
	expect(await limit.within(never)).toBeUndefined();
	expect([limit.isUp(), limit.signal.aborted]).toEqual([true, true]);
});

it('work is waited for as long as the signal lets it, and no listener is left behind', async () => {
	const end = new AbortController();
	const removed = jest.spyOn(end.signal, 'removeEventListener');
	expect(await unlessAborted(Promise.resolve(5), end.signal)).toEqual({ value: 5 });
	expect(removed).toHaveBeenCalledTimes(1);
	const waiting = unlessAborted(never, end.signal);
	end.abort();
	expect(await waiting).toBeUndefined();
	expect(await unlessAborted(never, end.signal)).toBeUndefined();
});
