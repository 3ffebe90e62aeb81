import { createIdleTimeout } from '../../../../nodes/shared/lib/time';
import { createVirtualTime } from '../../../support/virtualTime';

const TIMEOUT_MS = 120_000;

/** Waits for things that take so long each, with a pause after each, and tells when it gave up. */
async function play(waitsMs: number[], pauseMs = 0) {
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
		expect(await play(waits)).toEqual({ gaveUpAtMs: undefined, gaveUp: false });
	});

	it.each([1, 29_999, 30_001, 3_600_000])(
		'gives up a wait that is too long, %d ms after the start',
		async (before) => {
			const waits = [...Array.from({ length: 100 }, () => before / 100), 10 * TIMEOUT_MS];
			const { gaveUpAtMs } = await play(waits);
			expect(gaveUpAtMs! - before).toBeGreaterThanOrEqual(TIMEOUT_MS);
			expect(gaveUpAtMs! - before).toBeLessThanOrEqual(TIMEOUT_MS * 1.25);
		},
	);

	it('does not count the time in which nobody waits', async () => {
		const waits = [1, 1, 1, 1];
		expect(await play(waits, 10 * TIMEOUT_MS)).toEqual({ gaveUpAtMs: undefined, gaveUp: false });
	});
});
