import type { CheckFailure } from '../../../../nodes/shared/service/reason';
import type { FetchedTask } from '../../../../nodes/shared/service/fetchTask';
import type { TaskStatus } from '../../../../nodes/shared/service/answerPaths';
import { createFetch } from '../../../../nodes/shared/task/fetchRender';
import { step } from '../../../../nodes/shared/task/follow';
import { oneCheck } from '../../../../nodes/shared/task/policies';
import { NO_TROUBLES, type Render, toRender } from '../../../../nodes/shared/task/render';
import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import {
	answer,
	DONE,
	openWorld,
	play,
	record,
	serve,
	SHAKY,
	toJob,
	toRenders,
} from './support/world';

const DEADLINE_MS = 1_200_000;
const MINUTE_MS = 60_000;

/** A render that was polled twice before. */
const before: Render = toRender(
	{ task_id: 'task_1', model: 'veo-3.1' },
	{ submittedAtMs: -600_000, deadlineMs: DEADLINE_MS, pollCount: 2, reused: true },
);

describe('step', () => {
	const said = (status: TaskStatus, more: object = {}): FetchedTask => ({
		task: { task_id: 't', status, progress: 50, ...more },
		answer: { status },
	});
	const met = (httpCode: number): CheckFailure => ({
		...{ kind: 'check', task_id: 'task_1', message: `Status ${httpCode}`, httpCode, passes: true },
	});
	const url = { result_url: 'https://a.example/v.mp4' };
	const shaky = said('FAILURE', { hasLiveRecord: true });

	const rows: Array<[string, FetchedTask | CheckFailure, number, string]> = [
		['queued', said('queued'), 0, 'rendering'],
		['IN_PROGRESS', said('IN_PROGRESS'), DEADLINE_MS - 1, 'rendering'],
		['IN_PROGRESS', said('IN_PROGRESS'), DEADLINE_MS, 'timedOut'],
		['SUCCESS', said('SUCCESS', url), DEADLINE_MS, 'done'],
		['FAILURE', said('FAILURE'), DEADLINE_MS, 'failed'],
		['a failure that may pass', shaky, 0, 'rendering'],
		['a failure that may pass', shaky, DEADLINE_MS, 'timedOut'],
		['trouble', met(502), DEADLINE_MS - 1, 'rendering'],
		['trouble', met(502), DEADLINE_MS, 'timedOut'],
	];
	it.each(rows)('%s (%#) makes it what it is', (_name, result, nowMs, state) => {
		expect(step(before, result, nowMs).state).toBe(state);
	});

	it('counts every fetch, and keeps the model of the submit', () => {
		for (const result of [said('queued'), met(502)]) {
			const { render } = step(before, result, 0);
			expect([render.pollCount, render.task.model]).toEqual([3, 'veo-3.1']);
		}
		expect(step(before, said('queued', { model: 'veo-2' }), 0).render.task.model).toBe('veo-2');
	});

	it('takes no SUCCESS back', () => {
		const { render } = step(before, said('SUCCESS', url), 0);
		const between = step(render, said('IN_PROGRESS'), 0).render;
		for (const earlier of [render, between]) {
			expect(step(earlier, said('FAILURE'), DEADLINE_MS)).toMatchObject({ state: 'done' });
		}
	});

	it('puts down when it ended, once', () => {
		const { render } = step(before, said('SUCCESS', url), 7);
		expect(render.finishedAtMs).toBe(7);
		expect(step(render, said('SUCCESS', url), 9).render.finishedAtMs).toBe(7);
		expect(step(before, said('IN_PROGRESS'), 7).render.finishedAtMs).toBeUndefined();
	});

	it('keeps the last answer through trouble, and forgets trouble at the next answer', () => {
		const first = step(before, said('IN_PROGRESS'), 0).render;
		const second = step(first, met(404), 0);
		expect(second).toMatchObject({ failure: { httpCode: 404 } });
		expect(second.render.answer).toEqual({ status: 'IN_PROGRESS' });
		expect(second.render.troubles).toEqual({ ...NO_TROUBLES, unknown: 1 });
		expect(step(second.render, said('queued'), 0).render.troubles).toEqual(NO_TROUBLES);
	});
});

async function check(answers: ServiceAnswer[], more: Parameters<typeof play>[3] = {}) {
	const policy = oneCheck(more.maxPauseMs ?? Infinity);
	const { end: checked, ...rest } = await play(before, policy, answers, more);
	return { checked, looks: rest.fetches, tookMs: rest.tookMs };
}

describe('a check', () => {
	it('makes nobody wait longer for another try than they would', async () => {
		const { checked, looks, tookMs } = await check([answer(502)], { maxPauseMs: 1_500 });
		expect([looks, tookMs]).toEqual([2, 1_000]);
		expect(checked).toMatchObject({ state: 'rendering', failure: { httpCode: 502 } });
	});

	it('comes before the deadline: a render that has ended by then is done', async () => {
		const { checked } = await check([answer(502), DONE], { atMs: DEADLINE_MS + MINUTE_MS });
		expect(checked.state).toBe('done');
	});

	it.each([
		['is looked at for a minute before it is believed', [SHAKY], Infinity, 'failed', 4],
		['is forgotten where it has passed', [SHAKY, SHAKY, DONE], Infinity, 'done', 3],
		['does not hold whoever does not wait', [SHAKY], 10_000, 'rendering', 1],
		['is believed at once of a record of its own', [record({ status: 'FAILURE' })], 0, 'failed', 1],
	])('a failure that may pass %s', async (_what, answers, maxPauseMs, state, looks) => {
		const { checked, ...rest } = await check(answers, { maxPauseMs });
		expect([checked.state, rest.looks]).toEqual([state, looks]);
	});
});

describe('one look at a task takes no longer than whoever asks can wait', () => {
	const PRICED = record({ status: 'SUCCESS', quota: 5, result_url: 'https://a.example/v' });
	it.each([
		['with the price list', PRICED, 2_000, [3_000, 1_000]],
		['with nothing left', PRICED, 4_000, [3_000, 0]],
	])('%s', async (_what, body, tookMs, expected) => {
		const { run, time } = openWorld();
		const { connection, limits } = serve({
			fetch: async () => {
				await time.pause(tookMs);
				return body;
			},
		});
		await time.run(createFetch(run, connection)(before, 3_000));
		expect(limits).toEqual(expected);
	});
});

describe('a machine that sleeps past the deadline of a video', () => {
	const STALE = record({ progress: 80 });
	/** What has its video from the first fetch on that begins after the jump of the clock. */
	function open(jumpAt: 'pause' | 'fetch', stale = STALE) {
		const { run, time } = openWorld();
		let sleptMs = 0;
		const sleep = () => (sleptMs = 120 * MINUTE_MS);
		const { connection, asked } = serve({
			fetch: async () => {
				const hasSlept = sleptMs > 0;
				await time.pause(1_000);
				if (jumpAt === 'fetch' && time.now() > MINUTE_MS) sleep();
				if (hasSlept) return DONE;
				return time.now() > MINUTE_MS ? stale : STALE;
			},
		});
		if (jumpAt === 'pause') void time.pause(MINUTE_MS + 3_500).then(sleep);
		const clock = { ...run.clock, now: () => time.now() + sleptMs };
		return { run: { ...run, clock }, time, connection, asked };
	}
	const asleep = toRender({ task_id: 'task_1' }, { submittedAtMs: 0, deadlineMs: 30 * MINUTE_MS });
	const rows: Array<['pause' | 'fetch', ReturnType<typeof record>]> = [
		['pause', STALE],
		['fetch', STALE],
		['fetch', answer(502)],
		['fetch', SHAKY],
	];

	it.each(rows)('in process, in a %s: each of its videos is looked at (%#)', async (at, stale) => {
		const { run, time, connection } = open(at, stale);
		const { poll } = toRenders(run, connection);
		const jobs = [0, 1, 2, 3, 4, 5].map((i) => toJob(i, { pollIntervalMs: 10_000 }));
		const ends = await time.run(Promise.all(jobs.map(async (job) => await poll(job, asleep))));
		expect(ends.map(({ state }) => state)).toEqual(jobs.map(() => 'done'));
	});
});

describe('a fetch that is under way when the run is stopped', () => {
	it.each([
		['news', record(), 'stopped', { status: 'IN_PROGRESS', progress: 40, model: 'veo-3.1' }],
		['an end', DONE, 'done', { status: 'SUCCESS', model: 'veo-3.1' }],
	])('keeps %s', async (_what, brought, state, task) => {
		const { run, stop } = openWorld();
		const { connection } = serve({
			fetch: () => {
				stop.abort();
				return brought;
			},
		});
		const { poll } = toRenders(run, connection);
		const end = await poll(toJob(), before);
		expect(end).toMatchObject({ state, render: { task } });
	});
});

describe('a task whose record is a question to the vendor', () => {
	const LIVE = record({ progress: 60, format: 'mp4', url: '' });

	/** Polls every ten seconds until it ends; at which seconds the record was looked at. */
	async function poll(
		fetch: (nowMs: number) => ReturnType<typeof record>,
		{ reused = false, deadlineMs = 30 * MINUTE_MS } = {},
	) {
		const { run, time } = openWorld();
		const records: number[] = [];
		const { connection } = serve({
			fetch: () => {
				records.push(time.now() / 1000);
				return fetch(time.now());
			},
		});
		const task = { task_id: 'task_1', ...(!reused && { hasLiveRecord: true }) };
		const render = toRender(task, { reused, submittedAtMs: 0, deadlineMs });
		const { poll: pollTask } = toRenders(run, connection);
		const end = await time.run(pollTask(toJob(0, { pollIntervalMs: 10_000 }), render));
		return { end, records };
	}

	it.each<[string, typeof LIVE, object, number[], string]>([
		['every 30 seconds', DONE, {}, [30, 60, 90], 'done'],
		['every 20 seconds in doubt of a failure', SHAKY, {}, [30, 60, 90, 110, 130, 150], 'failed'],
		['at once if it is of an earlier try', DONE, { reused: true }, [0, 30, 60, 90], 'done'],
		['once more when its time is up', LIVE, { deadlineMs: 75_000 }, [30, 60, 75], 'timedOut'],
	])('is fetched %s', async (_how, last, options, expected, state) => {
		const { end, records } = await poll((ms) => (ms > 85_000 ? last : LIVE), options);
		expect([records, end.state]).toEqual([expected, state]);
	});

	it('whose record says no more than that there is trouble is asked for again soon', async () => {
		const { end, records } = await poll(() => answer(401));
		expect([end.state, records]).toEqual(['lost', [30, 40, 50, 60, 70]]);
	});
});
