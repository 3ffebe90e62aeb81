import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import { type CheckFailure, readReason } from '../../../../nodes/shared/service/reason';
import type { Policy, WaitFacts } from '../../../../nodes/shared/task/follow';
import {
	betweenSleeps,
	briefly,
	inProcess,
	oneCheck,
} from '../../../../nodes/shared/task/policies';
import { type Render, toRender } from '../../../../nodes/shared/task/render';
import { answer, DONE, play, record, SHAKY, toJob } from './support/world';

const toProgress = (more: Partial<WaitFacts> = {}): WaitFacts => {
	const render = toRender({ task_id: 'task_1' });
	const counts = { fetches: 0, tries: 1, random: 0 };
	const times = { nowMs: 0, sinceMs: 0, pausedMs: 0 };
	return { render, before: render, ...counts, ...times, ...more };
};
const met = (status: number, retryAfter?: string): CheckFailure =>
	({
		kind: 'check',
	task_id: 'task_1',
		...readReason('check', {
			status,
			headers: retryAfter ? { 'retry-after': retryAfter } : {},
			body: '',
		}),
	});

describe('one check', () => {
	const pausesOf = (failure: WaitFacts['last'], maxPauseMs = Infinity) =>
		[1, 2, 3, 4, 5].map((tries) =>
			oneCheck(maxPauseMs).pauseMs(toProgress({ last: failure, tries })),
		);
	const LEAVE = 'leave';

	it.each([
		['a record', {}, [LEAVE, LEAVE, LEAVE, LEAVE, LEAVE]],
		['401', { failure: met(401) }, [1_000, LEAVE, LEAVE, LEAVE, LEAVE]],
		['404', { failure: met(404) }, [1_000, 2_000, LEAVE, LEAVE, LEAVE]],
		['502', { failure: met(502) }, [1_000, 2_000, 4_000, 8_000, LEAVE]],
		['503 with Retry-After', { failure: met(503, '7') }, [7_000, 7_000, 7_000, 7_000, LEAVE]],
		['a failure that may pass', { pauseMs: 20_000 }, Array(5).fill(20_000)],
	])('after %s comes another fetch after so many ms', (_what, last, pauses) => {
		expect(pausesOf(last)).toEqual(pauses);
	});

	it('makes nobody wait longer than they can', () => {
		expect(pausesOf({ failure: met(502) }, 2_000)).toEqual([1_000, 2_000, LEAVE, LEAVE, LEAVE]);
		expect(pausesOf({ pauseMs: 20_000 }, 10_000)[0]).toBe(LEAVE);
	});
});

describe('a wait in process', () => {
	const open = ({ shortestMs = Infinity, deadlineMs = Infinity, untilMs = Infinity } = {}) => {
		const render = toRender({ task_id: 'task_1' }, { submittedAtMs: 0, deadlineMs });
		const job = toJob(0, { pollIntervalMs: 5_000 });
		const policy = inProcess(job, render, untilMs, () => shortestMs);
		const pauseAt = (nowMs: number, more: Partial<WaitFacts> = {}) =>
			policy.pauseMs(toProgress({ ...more, render, nowMs, sinceMs: nowMs }));
		return { policy, pauseAt };
	};

	it.each([
		[0, 5_000],
		[1, 6_000],
		[3, 8_640],
		[9, 10_000],
	])('after %i fetches pauses for %i ms, and for a fifth less by chance', (fetches, ms) => {
		const { pauseAt } = open();
		expect(pauseAt(0, { fetches })).toBeCloseTo(ms);
		expect(pauseAt(0, { fetches, random: 1 })).toBeCloseTo(0.8 * ms);
	});

	it('pauses shorter from four fifths of the time that the first video of the batch took', () => {
		const { pauseAt } = open({ shortestMs: 100_000 });
		const pauses = [79_000, 80_000, 180_000].map((ms) => pauseAt(ms, { fetches: 9 }));
		expect(pauses).toEqual([10_000, 4_000, 9_000]);
	});

	it('waits as long as it is asked to, but not past its end', () => {
		const { policy, pauseAt } = open({ deadlineMs: 60_000 });
		const asked = { last: { failure: met(503, '40') } };
		expect([pauseAt(0, asked), pauseAt(50_000, asked)]).toEqual([40_000, 10_000]);
		expect(policy.limitMs!(50_000)).toBe(13_000);
	});
});

const NOW_MS = 1_000_000;

/** Follows a task from now on. */
async function playNow(render: Render, policy: Policy, answers: ServiceAnswer[]) {
	const { end, fetches, tookMs } = await play(render, policy, answers, { atMs: NOW_MS });
	return { state: end.state, fetches, tookS: tookMs / 1000 };
}

describe('between two sleeps', () => {
	const SLEEP_S = 66;
	/** Checks a video that was submitted so long ago, told so many percent before, and now tells these. */
	const check = async (
		tells: number[] = [80],
		{ waitedS = 80, before = 40, leftS = 600, last = [] as ServiceAnswer[] } = {},
	) => {
		const render = toRender(
			{ task_id: 'task_1' },
			{ submittedAtMs: NOW_MS - waitedS * 1000, deadlineMs: NOW_MS + leftS * 1000 },
		);
		const asleep = { ...render, task: { ...render.task, progress: before } };
		const latestMs = NOW_MS + (leftS - SLEEP_S) * 1000;
		const answers = [...tells.map((progress) => record({ progress })), ...last];
		return await playNow(asleep, betweenSleeps(latestMs, Infinity), answers);
	};

	it.each([
		['as long as it takes if it goes on so', [80], {}, 20],
		['five seconds at least', [99], {}, 5],
	])('stays awake for a video: %s', async (_what, tells, more, tookS) => {
		expect(await check(tells, { ...more, last: [DONE] })).toEqual({
			...{ state: 'done', fetches: 2, tookS },
		});
	});

	it.each([
		['it takes longer', [80], { waitedS: 200 }],
		['it stands', [80], { before: 80 }],
		['it falls', [80], { before: 90 }],
		['it tells the constants of a state', [50], { before: 30, waitedS: 40 }],
		['no whole sleep is left to Max Wait', [80], { leftS: 19 + SLEEP_S }],
	])('does not where %s', async (_what, tells, more) => {
		expect(await check(tells, more)).toEqual({ state: 'rendering', fetches: 1, tookS: 0 });
	});

	it('does where a whole sleep is left to Max Wait', async () => {
		expect(await check([80], { leftS: 20 + SLEEP_S, last: [DONE] })).toMatchObject({ tookS: 20 });
	});

	it('does three times, and each time only if it has moved', async () => {
		expect(await check([90, 92, 94, 96, 98])).toMatchObject({ state: 'rendering', fetches: 4 });
		expect(await check([90, 90])).toMatchObject({ state: 'rendering', fetches: 2 });
	});

	it('tries a failed check again, and looks at a failure that may pass until it is believed', async () => {
		const failed = { last: [answer(502), DONE] };
		expect(await check([], failed)).toEqual({ state: 'done', fetches: 2, tookS: 1 });
		expect(await check([], { last: [SHAKY] })).toEqual({ state: 'failed', fetches: 4, tookS: 60 });
	});

	it('tries a failed check again after Max Wait, too: the video may be ready', async () => {
		const late = { leftS: -1, last: [answer(502), DONE] };
		expect(await check([], late)).toEqual({ state: 'done', fetches: 2, tookS: 1 });
		const lost = { leftS: -1, last: [answer(401)] };
		expect(await check([], lost)).toEqual({ state: 'timedOut', fetches: 2, tookS: 1 });
	});
});

describe('a brief wait', () => {
	const wait = async (...answers: ServiceAnswer[]) =>
		await playNow(toRender({ task_id: 'task_1' }), briefly(45_000, 10_000), answers);

	it.each([
		['a render', [record()], 'timedOut', 6, 45],
		['a render that ends', [record(), DONE], 'done', 2, 10],
		['a failure that may pass: once more, at the end', [SHAKY], 'failed', 2, 45],
		['a failed check', [answer(502), DONE], 'done', 2, 1],
		['checks that go on failing', [answer(401)], 'rendering', 2, 1],
		['a failed check at the end', [SHAKY, answer(502), DONE], 'done', 3, 46],
	])('of 45 s looks every ten at %s', async (_what, answers, state, fetches, tookS) => {
		const { tookS: took, ...end } = await wait(...answers);
		expect(end).toEqual({ state, fetches });
		expect(Math.floor(took)).toBe(tookS);
	});
});
