import fc from 'fast-check';

import {
	estimate,
	toMedian,
	type Pace,
	type Reading,
} from '../../../../nodes/shared/durable/timeLeft';

const NOW_MS = 1_790_000_000_000;
const at = (secondsAgo: number, progress: number): Reading => ({
	atMs: NOW_MS - secondsAgo * 1000,
	progress,
});

/** A render that was submitted two minutes ago, checked once a minute; seconds, as people read them. */
function estimateOf(pace: Partial<Pace>, tookS: number[] = [], nowMs = NOW_MS) {
	const render = { isQueued: false, submittedAtMs: NOW_MS - 120_000, readings: [], ...pace };
	const took = tookS.map((seconds) => seconds * 1000);
	const left = estimate(render, toMedian(took), nowMs);
	return left && { seconds: Math.round(left.ms / 1000), isLikely: left.isLikely };
}
const likely = (seconds: number) => ({ seconds, isLikely: true });

describe('the time that a render still takes, by its progress', () => {
	it.each([
		['as long again, where as much is left', [at(70, 40), at(0, 70)], likely(70)],
		['less once it was read some time ago', [at(80, 40), at(10, 70)], likely(60)],
		['nothing once it should be over', [at(170, 40), at(100, 90)], likely(0)],
		['100 percent without an end', [at(70, 80), at(0, 100)], likely(0)],
		['more than 100 percent', [at(70, 80), at(0, 250)], likely(0)],
		['one reading alone', [at(0, 90)], undefined],
		['no reading', [], undefined],
		['constants of the state', [at(70, 30), at(0, 50)], undefined],
		['one that does not move', [at(70, 99), at(0, 99)], undefined],
		['one that falls', [at(70, 90), at(0, 60)], undefined],
		['two of the same moment', [at(0, 60), at(0, 70)], { seconds: 0, isLikely: false }],
	] as Array<[string, Reading[], unknown]>)('%s', (_name, readings, left) => {
		expect(estimateOf({ readings })).toEqual(left);
	});

	it('is a time, whatever the readings say', () => {
		const reading = fc.record({
			atMs: fc.integer({ min: NOW_MS - 1e9, max: NOW_MS }),
			progress: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
		});
		const readings = fc.array(reading, { maxLength: 2 });
		fc.assert(
			fc.property(readings, fc.array(fc.nat(1e9)), (pair, took) => {
				const left = estimate({ isQueued: false, readings: pair }, toMedian(took), NOW_MS);
				expect(left === undefined || left.ms >= 0).toBe(true);
			}),
		);
	});
});

describe('the time that a render still takes, by its siblings', () => {
	const silent = [at(66, 0), at(0, 0)];
	const far = [at(66, 11), at(0, 23)];
	const moving = [at(70, 40), at(0, 70)];
	it.each([
		['what is left of what they took', { readings: silent }, [150, 150], likely(30)],
		['the one in the middle counts', { readings: silent }, [130, 500, 140], likely(20)],
		['nothing once it has taken longer', { readings: silent }, [90], likely(0)],
		['half as long again: they tell nothing', { readings: silent }, [79], undefined],
		['none is done', { readings: silent }, [], undefined],
		['still queued', { readings: silent, isQueued: true }, [90], undefined],
		['its own progress says that it is far', { readings: far }, [90], undefined],
		['its own progress counts more', { readings: moving }, [125], likely(70)],
		['nobody knows when it began', { readings: silent, submittedAtMs: undefined }, [90], undefined],
	] as Array<[string, Partial<Pace>, number[], unknown]>)('%s', (_name, pace, took, left) => {
		expect(estimateOf(pace, took)).toEqual(left);
	});

	it('was looked at without a sleep in between: expected, and not waited for again', () => {
		const readings = [at(45, 0), at(0, 0)];
		expect(estimateOf({ readings }, [90])).toEqual({ seconds: 0, isLikely: false });
	});
});
