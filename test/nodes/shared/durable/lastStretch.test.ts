import fc from 'fast-check';

import { afterStretch, toLastStretch } from '../../../../nodes/shared/durable/lastStretch';
import { toSleepSeconds, withCheck } from '../../../../nodes/shared/durable/nextCheck';
import { MIN_SLEEP_S } from '../../../../nodes/shared/durable/sleepLength';
import { type BatchVideo, isSleeping, type SleepingVideo } from '../../../../nodes/shared/durable/sleepingVideo';
import type { ItemResult } from '../../../../nodes/shared/item/output';
import { NO_TROUBLES } from '../../../../nodes/shared/task/render';
import { sleeper } from './support/sleeper';

const SUBMITTED_MS = Date.parse('2026-11-21T09:30:00Z');
const CAP_MS = 135_000;

const atS = (seconds: number) => SUBMITTED_MS + seconds * 1000;
/** A check that has seen so many percent. */
const seen = (video: SleepingVideo, progress: number, seconds: number) =>
	withCheck(video, { ...video.render, task: { ...video.render.task, progress } }, atS(seconds));
const at66 = (item: number, progress: number) => seen(sleeper(item, SUBMITTED_MS), progress, 66);
const done = (item: number, tookS: number, model = 'veo-3.1', status = 'SUCCESS'): BatchVideo => {
	const times = { submitted_at: new Date(SUBMITTED_MS), finished_at: new Date(atS(tookS)) };
	const said = Object.entries(times).map(([name, time]) => [name, time.toISOString()]);
	const json = { task_id: `task_${item}`, status, model, ...Object.fromEntries(said) };
	return { item, result: { json } };
};
const withDeadline = (video: SleepingVideo, seconds: number): SleepingVideo => ({
	...video,
	render: { ...video.render, deadlineMs: atS(seconds) },
});
const stretchOf = (videos: BatchVideo[], seconds = 66) => {
	const stretch = toLastStretch(videos, atS(seconds));
	return (
		stretch && {
			near: stretch.near.map(({ item }) => item),
			seconds: (stretch.untilMs - atS(seconds)) / 1000,
		}
	);
};

describe('the last stretch of a batch', () => {
	const trouble = { ...NO_TROUBLES, other: 1 };
	const troubled = (video: SleepingVideo) => ({
		...video,
		render: { ...video.render, troubles: trouble },
	});
	const spent = (video: SleepingVideo, seconds: number) => ({
		...video,
		stretchedMs: seconds * 1000,
	});
	it.each([
		['one that is near', [at66(0, 80)], { near: [0], seconds: 45 }],
		['one that is not', [at66(0, 55)], undefined],
		['constants', [at66(0, 50)], undefined],
		['one near beside one far', [at66(0, 5), at66(1, 90)], { near: [1], seconds: 45 }],
		['one of the same model is done', [done(0, 60), at66(1, 0)], { near: [1], seconds: 45 }],
		['one of another model is', [done(0, 60, 'other'), at66(1, 0)], undefined],
		[
			'one that is not done is no measure',
			[done(0, 60, 'veo-3.1', 'FAILURE'), at66(1, 0)],
			undefined,
		],
		['near, but the last look met trouble', [troubled(at66(0, 80))], undefined],
		['a part of all stretches is spent', [spent(at66(0, 80), 115)], { near: [0], seconds: 20 }],
		['all are spent', [spent(at66(0, 80), 130)], undefined],
		['spent by another of the batch', [spent(at66(0, 5), 130), at66(1, 80)], undefined],
		['Max Wait is near', [withDeadline(at66(0, 80), 66 + 66 + 20)], { near: [0], seconds: 20 }],
		['that of another', [withDeadline(at66(0, 5), 140), at66(1, 80)], undefined],
		['nothing renders', [done(0, 60)], undefined],
	] as Array<[string, BatchVideo[], unknown]>)('%s', (_name, videos, stretch) => {
		expect(stretchOf(videos)).toEqual(stretch);
	});
});

it.each<[what: string, estimate: (videos: BatchVideo[]) => unknown]>([
	['the stretch', (videos) => toLastStretch(videos, atS(66))],
	['the sleep', (videos) => toSleepSeconds(videos, atS(66))],
])(
	'reads each video that is done as often in a large batch as in a small one: %s',
	(_what, estimate) => {
		const toReads = (count: number) => {
			let reads = 0;
			const videos = Array.from({ length: count }, (_none, i): BatchVideo => {
				if (i % 2) return at66(i, 55);
				const video = done(i, 60) as { item: number; result: ItemResult };
				const { result } = video;
				return Object.defineProperty(video, 'result', { get: () => (reads++, result) });
			});
			estimate(videos);
			return reads / count;
		};
		expect(toReads(400)).toBe(toReads(4));
	},
);

describe('sleeps that are aimed', () => {
	const at132 = (from: number, to: number) => seen(at66(0, from), to, 132);
	it.each([
		['at the end, and a little more', at132(30, 52), 66 + 81],
		['never below the shortest', at132(30, 90), MIN_SLEEP_S],
		['at the end of Max Wait', withDeadline(at132(30, 52), 132 + 90), 90],
		['by the time so far, where nothing is known', at132(30, 50), MIN_SLEEP_S],
	])('%s', (_name, video, seconds) => {
		expect(toSleepSeconds([video], atS(132))).toBe(seconds);
	});

	it('at the first that ends', () => {
		const videos = [at132(30, 52), { ...at132(30, 80), item: 1 }];
		expect(toSleepSeconds(videos, atS(132))).toBe(MIN_SLEEP_S);
	});
});

describe('all stretches of a batch', () => {
	/** Lets a batch sleep and be watched until its Max Wait; nothing ever ends, whatever it says. */
	function play(progresses: number[][]) {
		let nowMs = SUBMITTED_MS;
		let stretchedMs = 0;
		let looks = 0;
		const look = (videos: BatchVideo[], some: BatchVideo[]) =>
			videos.map((video) => {
				if (!isSleeping(video) || !some.includes(video)) return video;
				const says = progresses[video.item];
				return seen(video, says[looks++ % says.length], (nowMs - SUBMITTED_MS) / 1000);
			});
		let videos: BatchVideo[] = progresses.map((_one, item) => sleeper(item, SUBMITTED_MS));
		const endMs = SUBMITTED_MS + 1_800_000;
		while (nowMs < endMs) {
			const seconds = toSleepSeconds(videos, nowMs);
			expect(seconds).toBeGreaterThanOrEqual(MIN_SLEEP_S);
			nowMs += seconds * 1000;
			videos = look(videos, videos);
			for (let stretch; (stretch = toLastStretch(videos, nowMs));) {
				expect(stretch.untilMs - nowMs).toBeLessThanOrEqual(45_000);
				stretchedMs += stretch.untilMs - nowMs;
				videos = afterStretch(videos, stretch.untilMs - nowMs);
				nowMs = stretch.untilMs;
				videos = look(
					videos,
					videos.filter((_video, i) => stretch!.near.some(({ item }) => item === i)),
				);
			}
		}
		return { stretchedMs, lateMs: nowMs - endMs };
	}

	it('have a bound, and Max Wait is kept, whatever the renders say', () => {
		const says = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 30 });
		fc.assert(
			fc.property(fc.array(says, { minLength: 1, maxLength: 4 }), (progresses) => {
				const { stretchedMs, lateMs } = play(progresses);
				expect(stretchedMs).toBeLessThanOrEqual(CAP_MS);
				expect(lateMs).toBe(0);
			}),
		);
	});

	it('reach it where a render always seems to be near', () => {
		const creeping = Array.from({ length: 30 }, (_none, i) => 100 - 40 / 2 ** i);
		expect(play([creeping]).stretchedMs).toBe(CAP_MS);
	});
});
