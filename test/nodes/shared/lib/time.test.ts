import {
	createIdleTimeout,
	createTimeLimit,
	unlessAborted,
} from '../../../../nodes/shared/lib/time';
import { createVirtualTime } from '../../../support/virtualTime';

const TIMEOUT_MS = 120_000;

/** Waits for things that take so long each, with a pause after each, and tells when it gave up. */
async function waitFor(waitsMs: number[], pauseMs = 0) {
	const time = createVirtualTime();
	let gaveUpAtMs: number | undefined;
	const end = new AbortController();
	const giveUp = () => {
		gaveUpAtMs = time.now();
		end.abort();
	};
	const pauseOf = (over: AbortSignal) => async (ms: number) => {
		if (!over.aborted) await time.pause(ms);
	};
	const watch = createIdleTimeout(TIMEOUT_MS, giveUp, pauseOf);
	const work = async () => {
		for (const ms of waitsMs) {
			await watch.during(time.pause(ms));
			await time.pause(pauseMs);
		}
		watch.close();
	};
	await time.run(work());
	return { gaveUpAtMs, gaveUp: watch.gaveUp() };
}

describe('createIdleTimeout', () => {
	it('never gives up what goes on, however long it takes in total', async () => {
		const waits = Array.from({ length: 500 }, () => TIMEOUT_MS - 1);
		expect(await waitFor(waits)).toEqual({ gaveUpAtMs: undefined, gaveUp: false });
	});

	it.each([1, 29_999, 30_001, 3_600_000])(
		'gives up a wait that is too long, %d ms after the start',
		async (before) => {
			const waits = [...Array.from({ length: 100 }, () => before / 100), 10 * TIMEOUT_MS];
			const { gaveUpAtMs } = await waitFor(waits);
			expect(gaveUpAtMs! - before).toBeGreaterThanOrEqual(TIMEOUT_MS);
			expect(gaveUpAtMs! - before).toBeLessThanOrEqual(TIMEOUT_MS * 1.25);
		},
	);

	it('does not count the time in which nobody waits', async () => {
		const waits = [1, 1, 1, 1];
		expect(await waitFor(waits, 10 * TIMEOUT_MS)).toEqual({ gaveUpAtMs: undefined, gaveUp: false });
	});
});

const LIMIT_MS = 30_000;

async function play(workMs: number) {
	const time = createVirtualTime();
	const upAtMs: number[] = [];
	const limit = createTimeLimit(
		LIMIT_MS,
		() => upAtMs.push(time.now()),
		(ms) => {
			const timer = new AbortController();
			void time.pause(ms).then(() => timer.abort());
			return timer.signal;
		},
	);
	const work = async () => {
		await time.pause(workMs);
		return 'done';
	};
	const result = await time.run(limit.within(work()));
	limit.close();
	return { result, upAtMs, atMs: time.now() };
}

describe('createTimeLimit', () => {
	it('gives the result of what is done in time', async () => {
		expect(await play(LIMIT_MS - 1)).toEqual({ result: 'done', upAtMs: [], atMs: LIMIT_MS - 1 });
	});

	it('does not wait for what is not', async () => {
		const late = { result: undefined, upAtMs: [LIMIT_MS], atMs: LIMIT_MS };
		expect(await play(100 * LIMIT_MS)).toEqual(late);
	});

	it('hands on what work throws', async () => {
		const limit = createTimeLimit(LIMIT_MS, () => undefined);
		await expect(limit.within(Promise.reject(new Error('no')))).rejects.toThrow('no');
		limit.close();
	});
});

const never = new Promise<never>(() => {});

describe('unlessAborted', () => {
	it.each([5, undefined])('gives what comes: %p', async (value) => {
		const { signal } = new AbortController();
		await expect(unlessAborted(Promise.resolve(value), signal)).resolves.toEqual({ value });
	});

	it('hands on what is thrown', async () => {
		const { signal } = new AbortController();
		await expect(unlessAborted(Promise.reject(new Error('No')), signal)).rejects.toThrow('No');
	});

	it('waits no longer than the signal lets it', async () => {
		const end = new AbortController();
		const waiting = unlessAborted(never, end.signal);
		end.abort();
		await expect(waiting).resolves.toBeUndefined();
		await expect(unlessAborted(never, end.signal)).resolves.toBeUndefined();
	});

	it('leaves no listener behind', async () => {
		const { signal } = new AbortController();
		const removed = jest.spyOn(signal, 'removeEventListener');
		await unlessAborted(Promise.resolve(1), signal);
		expect(removed).toHaveBeenCalledTimes(1);
	});
});
