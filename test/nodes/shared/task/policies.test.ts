import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import { type CheckFailure, readReason } from '../../../../nodes/shared/service/reason';
import type { Policy, WaitFacts } from '../../../../nodes/shared/task/follow';
import { briefly, inProcess, oneCheck } from '../../../../nodes/shared/task/policies';
import { type Render, toRender } from '../../../../nodes/shared/task/render';
import { answer, DONE, play, record, SHAKY, toJob } from './support/world';

const toProgress = (more: Partial<WaitFacts> = {}): WaitFacts => {
	const render = toRender({ task_id: 'task_1' });
	const counts = { fetches: 0, tries: 1, random: 0 };
	const times = { sinceMs: 0, pausedMs: 0 };
	return { render, ...counts, ...times, ...more };
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
	const open = ({ deadlineMs = Infinity, untilMs = Infinity } = {}) => {
		const render = toRender({ task_id: 'task_1' }, { submittedAtMs: 0, deadlineMs });
		const job = toJob(0, { pollIntervalMs: 5_000 });
		const policy = inProcess(job, render, untilMs);
		const pauseAt = (nowMs: number, more: Partial<WaitFacts> = {}) =>
			policy.pauseMs(toProgress({ ...more, render, sinceMs: nowMs }));
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
