import fc from 'fast-check';

import { MIN_SLEEP_S, sleepSeconds } from '../../../../nodes/shared/durable/sleepLength';

const MAX_SLEEP_S = 240;
const HOUR_MS = 3_600_000;
const NOW_MS = 1_790_000_000_000;

/** A render by how long it has been waited for, and how much of its time is left. */
interface Wait {
	waitedMs: number;
	leftMs: number;
}

const sleepOf = (waits: Wait[], nowMs = NOW_MS) =>
	sleepSeconds(
		waits.map(({ waitedMs, leftMs }) => ({
			submittedAtMs: nowMs - waitedMs,
			deadlineMs: nowMs + leftMs,
		})),
		nowMs,
	);

const wait: fc.Arbitrary<Wait> = fc.record({
	waitedMs: fc.integer({ min: 0, max: 6 * HOUR_MS }),
	leftMs: fc.integer({ min: -HOUR_MS, max: 6 * HOUR_MS }),
});
const batch = fc.array(wait, { minLength: 1, maxLength: 6 });
const leftSeconds = (waits: Wait[]) =>
	Math.ceil(Math.min(...waits.map(({ leftMs }) => leftMs)) / 1000);

/** All sleeps of one render that never ends, from its submit to its deadline. */
function sleepsUntil(maxWaitMs: number): number[] {
	const sleeps: number[] = [];
	for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += sleeps.at(-1)! * 1000) {
		sleeps.push(sleepOf([{ waitedMs, leftMs: maxWaitMs - waitedMs }]));
	}
	return sleeps;
}
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const maxWaitMs = fc.integer({ min: MIN_SLEEP_S * 1000, max: 12 * HOUR_MS });

describe('sleepSeconds', () => {
	it('is long enough for n8n to sleep in its database', () => {
		expect(MIN_SLEEP_S).toBeGreaterThan(65);
		fc.assert(
			fc.property(batch, (waits) => {
				const seconds = sleepOf(waits);
				expect(Number.isInteger(seconds)).toBe(true);
				expect(seconds).toBeGreaterThanOrEqual(MIN_SLEEP_S);
			}),
		);
	});

	it('ends at the earliest deadline at the latest, but for the shortest sleep', () => {
		fc.assert(
			fc.property(batch, (waits) => {
				expect(sleepOf(waits)).toBeLessThanOrEqual(Math.max(MIN_SLEEP_S, leftSeconds(waits)));
			}),
		);
	});

	it('leaves nothing to the deadline, or enough for another sleep', () => {
		fc.assert(
			fc.property(batch, (waits) => {
				const restS = leftSeconds(waits) - sleepOf(waits);
				expect(restS <= 0 || restS >= MIN_SLEEP_S).toBe(true);
			}),
		);
	});

	it('is four minutes at most, unless it is stretched to the deadline', () => {
		fc.assert(
			fc.property(batch, (waits) => {
				const seconds = sleepOf(waits);
				if (seconds > MAX_SLEEP_S) expect(seconds).toBe(leftSeconds(waits));
				expect(seconds).toBeLessThan(MAX_SLEEP_S + MIN_SLEEP_S);
			}),
		);
	});

	it.each([
		['a new render', 0, MIN_SLEEP_S],
		['five minutes', 300, 75],
		['ten minutes', 600, 150],
		['sixteen minutes', 960, MAX_SLEEP_S],
		['an hour', 3600, MAX_SLEEP_S],
	])('is a quarter of the time so far: %s', (_name, waitedS, seconds) => {
		expect(sleepOf([{ waitedMs: waitedS * 1000, leftMs: 6 * HOUR_MS }])).toBe(seconds);
	});

	it('goes by the oldest render and by the earliest deadline', () => {
		const old = { waitedMs: 600_000, leftMs: HOUR_MS };
		const young = { waitedMs: 0, leftMs: 100_000 };
		expect(sleepOf([old, { ...young, leftMs: HOUR_MS }])).toBe(150);
		expect(sleepOf([{ ...young, leftMs: HOUR_MS }, old])).toBe(150);
		expect(sleepOf([old, young])).toBe(100);
		expect(sleepOf([young, old])).toBe(100);
	});

	it('has no end before the deadline, not even by half a second', () => {
		expect(sleepOf([{ waitedMs: 0, leftMs: 99_001 }])).toBe(100);
	});
});

describe('the sleeps of one render', () => {
	it('end at its deadline', () => {
		fc.assert(
			fc.property(maxWaitMs, (maxMs) => {
				expect(sum(sleepsUntil(maxMs))).toBe(Math.ceil(maxMs / 1000));
			}),
		);
	});

	it('grow from one to the next, the last one aside', () => {
		fc.assert(
			fc.property(maxWaitMs, (maxMs) => {
				const sleeps = sleepsUntil(maxMs).slice(0, -1);
				expect(sleeps).toEqual([...sleeps].sort((a, b) => a - b));
				expect(Math.max(0, ...sleeps)).toBeLessThanOrEqual(MAX_SLEEP_S);
			}),
		);
	});
});
