import { setImmediate as settled } from 'node:timers/promises';

/** A clock that jumps to the next waiter once nothing else can happen; in milliseconds. */
export function createVirtualClock(random) {
	let nowMs = 0;
	let sleepers = [];
	const pause = async (ms) => {
		if (ms > 0) await new Promise((wake) => sleepers.push({ atMs: nowMs + ms, wake }));
	};
	/** Lets time pass until the work is done. */
	const run = async (work) => {
		let over = false;
		const end = () => (over = true);
		work.then(end, end);
		for (;;) {
			await settled();
			if (over) return await work;
			if (sleepers.length === 0) throw new Error('the work waits for nothing');
			nowMs = Math.min(...sleepers.map(({ atMs }) => atMs));
			const due = sleepers.filter(({ atMs }) => atMs <= nowMs);
			sleepers = sleepers.filter(({ atMs }) => atMs > nowMs);
			for (const { wake } of due) wake();
		}
	};
	return { now: () => nowMs, pause, random, run };
}

/** Chance that is the same in each run of a benchmark: 0 to 1. */
export function createChance(seed) {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** What spreads around 0 with a deviation of 1. */
export const normal = (chance) =>
	Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance());
