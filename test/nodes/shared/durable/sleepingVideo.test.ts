import fc from 'fast-check';

import {
	type BatchVideo,
	MIN_SLEEP_S,
	readBatch,
	type SleepingVideo,
	toBatchItems,
	toSleepSeconds,
} from '../../../../nodes/shared/durable/sleepingVideo';
import { type Render, toRender } from '../../../../nodes/shared/task/render';
import { renderFailed } from '../../../../nodes/shared/task/renderFailed';
import { makeRun } from '../../../support/makeRun';
import { createVirtualTime } from '../../../support/virtualTime';

const NOW_MS = Date.parse('2026-11-21T09:30:00.123Z');
const HOUR_MS = 3_600_000;
const MAX_SLEEP_S = 240;

const job = {
	...{ itemIndex: 0, rawResponse: false, timeOutFails: true, maxWaitMs: 1_800_000 },
	...{ downloadVideo: false, binaryProperty: 'data' },
};
const sleeping = (itemIndex: number, changes: Partial<Render> = {}): SleepingVideo => ({
	...{ itemIndex, stopsOnFailure: true, job: { ...job, itemIndex } },
	render: toRender(
		{ task_id: `task_${itemIndex}`, model: 'veo-3.1' },
		{ submittedAtMs: NOW_MS, deadlineMs: NOW_MS + HOUR_MS, ...changes },
	),
});
const done = (itemIndex: number): BatchVideo => ({
	...{ itemIndex, result: { json: { task_id: `task_${itemIndex}`, status: 'SUCCESS' } } },
});
const failure = renderFailed(
	'failed',
	{ task_id: 'task_9', status: 'FAILURE', progress: 0, fail_reason: 'Not allowed' },
	{ maxWaitMs: 60_000 },
);
const failed = (itemIndex: number): BatchVideo => ({ itemIndex, result: failure });

const run = { ...makeRun(), clock: { ...createVirtualTime().clock(), now: () => NOW_MS } };
const toItems = (videos: BatchVideo[]) => toBatchItems(videos, run);
/** n8n stores items as JSON. */
const stored = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

describe('a batch on its way through n8n', () => {
	it('comes back as it was', () => {
		const answer = { any: ['JSON', null] };
		const counts = { pollCount: 3, missed: 2, doubted: 1, reused: true };
		const asleep = [sleeping(0, { answer, ...counts }), sleeping(1, { deadlineMs: undefined })];
		asleep[0].job.rawResponse = true;
		const videos = [...asleep, done(2), failed(3)];
		expect(stored(readBatch(stored(toItems(videos))))).toEqual(stored(videos));
	});

	it('begins with what people want to read, and holds no answer that nobody wants', () => {
		const [{ json }] = toItems([sleeping(0, { answer: { large: true } })]);
		expect(json).toMatchObject({
			...{ item: 0, task_id: 'task_0', status: 'queued', progress: 0, poll_count: 0 },
			...{ give_up_at: '2026-11-21T10:30:00.123Z', sleep_seconds: MIN_SLEEP_S },
		});
		expect(JSON.stringify(json)).not.toContain('large');
	});
});

describe('the length of a sleep', () => {
	const sleepOf = (...waits: Array<{ waitedMs: number; leftMs: number }>) => {
		const videos = waits.map(({ waitedMs, leftMs }, i) =>
			sleeping(i, { submittedAtMs: NOW_MS - waitedMs, deadlineMs: NOW_MS + leftMs }),
		);
		return toSleepSeconds(videos, NOW_MS);
	};
	const wait = fc.record({
		waitedMs: fc.integer({ min: 0, max: 6 * HOUR_MS }),
		leftMs: fc.integer({ min: -HOUR_MS, max: 6 * HOUR_MS }),
	});

	it('is one that n8n sleeps in its database, and leaves nothing or a whole sleep to the deadline', () => {
		expect(MIN_SLEEP_S).toBeGreaterThan(65);
		fc.assert(
			fc.property(fc.array(wait, { minLength: 1, maxLength: 6 }), (some) => {
				const leftS = Math.ceil(Math.min(...some.map(({ leftMs }) => leftMs)) / 1000);
				const seconds = sleepOf(...some);
				expect(Number.isInteger(seconds)).toBe(true);
				expect(seconds).toBeGreaterThanOrEqual(MIN_SLEEP_S);
				expect(seconds).toBeLessThanOrEqual(Math.max(MIN_SLEEP_S, leftS));
				expect(leftS - seconds <= 0 || leftS - seconds >= MIN_SLEEP_S).toBe(true);
				if (seconds > MAX_SLEEP_S) expect(seconds).toBe(leftS);
			}),
		);
	});

	it.each([
		['a new render', 0, 21_600, MIN_SLEEP_S],
		['ten minutes', 600, 21_600, 150],
		['ten minutes, close to the deadline', 600, 99.001, 100],
	])('is a quarter of the time so far: %s', (_name, waitedS, leftS, seconds) => {
		const old = { waitedMs: waitedS * 1000, leftMs: leftS * 1000 };
		expect(sleepOf({ waitedMs: 0, leftMs: 6 * HOUR_MS }, old)).toBe(seconds);
	});
});
