import { sleep } from 'n8n-workflow';

import type { Clock } from '../../nodes/shared/lib/time';

/** A clock that stands still until nothing else can happen, and then jumps to the next waiter. */
export interface VirtualTime {
	now: () => number;
	pause: (ms: number) => Promise<void>;
	/** The same as the code takes it, without chance unless given. */
	clock: (random?: () => number) => Clock;
	/** Lets time pass until the work is done. */
	run: <T>(work: Promise<T>) => Promise<T>;
}

/** Turns of the microtask queue after which code without real input has come to rest. */
const SETTLE_TURNS = 200;

export function createVirtualTime(signal?: AbortSignal): VirtualTime {
	let nowMs = 0;
	let sleepers: Array<{ atMs: number; wake: () => void }> = [];

	// One listener for all: Node.js warns of a leak where many wait on the same signal.
	signal?.addEventListener('abort', () => sleepers.forEach(({ wake }) => wake()), { once: true });

	const settle = async () => {
		for (let turn = 0; turn < SETTLE_TURNS; turn++) await Promise.resolve();
	};
	const pause = async (ms: number) => {
		if (signal?.aborted || ms <= 0) return;
		await new Promise<void>((wake) => sleepers.push({ atMs: nowMs + ms, wake }));
	};
	const run = async <T>(work: Promise<T>): Promise<T> => {
		let over = false;
		const end = () => (over = true);
		work.then(end, end);
		await settle();
		while (!over) {
			// Reading many items gives way to others, in real time.
			for (let more = 0; more < 1_000 && !over && sleepers.length === 0; more++) await sleep(1);
			if (over) break;
			if (sleepers.length === 0) throw new Error('the work waits for nothing');
			nowMs = Math.min(...sleepers.map(({ atMs }) => atMs));
			const due = sleepers.filter(({ atMs }) => atMs <= nowMs);
			sleepers = sleepers.filter(({ atMs }) => atMs > nowMs);
			due.forEach(({ wake }) => wake());
			await settle();
		}
		return await work;
	};
	const now = () => nowMs;
	return { now, pause, run, clock: (random = () => 0) => ({ now, pause, random }) };
}
