import type { Failure } from '../../../../nodes/shared/service/failure';
import type { FetchedTask } from '../../../../nodes/shared/service/fetchTask';
import type { TaskStatus } from '../../../../nodes/shared/service/answerTable';
import { createFetch } from '../../../../nodes/shared/task/fetchRender';
import { step } from '../../../../nodes/shared/task/follow';
import { betweenSleeps, oneCheck } from '../../../../nodes/shared/task/policies';
import { NO_TROUBLES, type Render, toRender } from '../../../../nodes/shared/task/render';
import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import {
	answer,
	DONE,
	followIn,
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
	const met = (httpCode: number): Failure => ({
		...{ during: 'check', message: `Status ${httpCode}`, httpCode, passes: true },
	});
	const url = { result_url: 'https://a.example/v.mp4' };
	const unsure = { ...url, isFileUnsure: true };
	const filtered = { noVideo: { why: 'filtered' } };
	const shaky = said('FAILURE', { hasLiveRecord: true });

	const rows: Array<[string, FetchedTask | Failure, number, string]> = [
		['queued', said('queued'), 0, 'rendering'],
		['IN_PROGRESS', said('IN_PROGRESS'), DEADLINE_MS - 1, 'rendering'],
		['IN_PROGRESS', said('IN_PROGRESS'), DEADLINE_MS, 'timedOut'],
		['SUCCESS with an address', said('SUCCESS', url), DEADLINE_MS, 'done'],
		['SUCCESS without one', said('SUCCESS'), DEADLINE_MS, 'noVideo'],
		['SUCCESS without one', said('SUCCESS'), 0, 'rendering'],
		['SUCCESS with no file yet', said('SUCCESS', unsure), 0, 'rendering'],
		['SUCCESS with no file yet', said('SUCCESS', unsure), DEADLINE_MS, 'done'],
		['SUCCESS that is filtered', said('SUCCESS', filtered), 0, 'noVideo'],
		[
			'SUCCESS with the words of a filter',
			said('SUCCESS', { noVideo: { ...filtered.noVideo, isUnsure: true } }),
			...([0, 'rendering'] as const),
		],
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

	it.each([
		[said('SUCCESS'), 'noVideo'],
		[said('SUCCESS', unsure), 'done'],
		[said('SUCCESS', filtered), 'noVideo'],
	])('takes no SUCCESS back: %j', (success, state) => {
		const { render } = step(before, success, 0);
		const between = step(render, said('IN_PROGRESS'), 0).render;
		for (const earlier of [render, between]) {
			expect(step(earlier, said('FAILURE'), DEADLINE_MS)).toMatchObject({ state });
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
		['is doubted without the ID, too', [answer(200, { status: 'failed' })], Infinity, 'failed', 4],
		['is believed at once of a record of its own', [record({ status: 'FAILURE' })], 0, 'failed', 1],
	])('a failure that may pass %s', async (_what, answers, maxPauseMs, state, looks) => {
		const { checked, ...rest } = await check(answers, { maxPauseMs });
		expect([checked.state, rest.looks]).toEqual([state, looks]);
	});

	const EMPTY = record({ status: 'SUCCESS' });
	it.each<[string, ServiceAnswer[], number, string, ms: number]>([
		['is believed after two minutes', [EMPTY], Infinity, 'noVideo', 120_000],
		['is forgotten where an address comes', [EMPTY, EMPTY, DONE], Infinity, 'done', 2_000],
		['does not hold whoever does not wait', [EMPTY], 1_000, 'rendering', 0],
	])('a SUCCESS without a file %s', async (_what, answers, maxPauseMs, state, ms) => {
		const { checked, tookMs } = await check(answers, {
			maxPauseMs,
			content: async () => [404, ''],
		});
		expect([checked.state, tookMs]).toEqual([state, ms]);
		if (state === 'rendering') expect(checked.render.task.status).toBe('IN_PROGRESS');
	});
});

describe('one look at a task takes no longer than whoever asks can wait', () => {
	const priced = (result_url: string) => record({ status: 'SUCCESS', quota: 5, result_url });
	it.each([
		['with the price list', priced('https://a.example/v'), 2_000, [3_000, 1_000]],
		['with the content endpoint', priced(''), 2_000, [3_000, 1_000, 1_000]],
		['with nothing left', priced('https://a.example/v'), 4_000, [3_000, 0]],
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

	it.each(rows)('between two sleeps, in a %s (%#)', async (at, stale) => {
		const { run, time, connection } = open(at, stale);
		await time.run(time.pause(MINUTE_MS));
		const policy = betweenSleeps(28 * MINUTE_MS, Infinity);
		const end = await time.run(followIn(run, connection, asleep, policy));
		expect(end).toMatchObject({ state: 'done' });
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
	type Content = [status: number, type: string, body?: string];
	const says = (word: string): Content => [
		400,
		'application/json',
		`{"error":{"message":"Task is not completed yet, current status: ${word}"}}`,
	];
	const GOES_ON = says('IN_PROGRESS');
	const LIVE = record({ progress: 60, format: 'mp4', url: '' });

	/** Polls every ten seconds until it ends; at which seconds the record was looked at. */
	async function poll(
		content: (nowMs: number) => Content,
		fetch: (nowMs: number) => ReturnType<typeof record> = () => LIVE,
		{ reused = false, deadlineMs = 30 * MINUTE_MS, contentMs = 0 } = {},
	) {
		const { run, time } = openWorld();
		const records: number[] = [];
		const { connection, asked } = serve({
			content: async (limitMs) => {
				await time.pause(Math.min(contentMs, limitMs));
				return content(time.now());
			},
			fetch: () => {
				records.push(time.now() / 1000);
				return fetch(time.now());
			},
		});
		const progress: number[] = [];
		const onProgress = (_job: unknown, { task }: Render) => void progress.push(task.progress);
		const renders = toRenders(run, connection, undefined, onProgress);
		const task = { task_id: 'task_1', ...(!reused && { hasLiveRecord: true }) };
		const render = toRender(task, { reused, submittedAtMs: 0, deadlineMs });
		const end = await time.run(renders.poll(toJob(0, { pollIntervalMs: 10_000 }), render));
		return { end, records, progress, contents: asked.filter((path) => path === 'content').length };
	}

	it('is done as soon as there is a film and its record says so, with what that tells', async () => {
		const done = () => record({ status: 'SUCCESS', result_url: 'https://a.example/v', quota: 2 });
		const { end, records } = await poll(
			(ms) => (ms > 95_000 ? [206, '', '\0\0\0\x18ftypmp42'] : GOES_ON),
			done,
		);
		expect(records).toEqual([100]);
		expect(end).toMatchObject({
			state: 'done',
			render: {
				task: { result_url: 'https://a.example/v', cost: { value: 2 } },
				answer: { data: { status: 'SUCCESS' } },
			},
		});
	});

	it.each<[string, Content]>([
		['204', [204, '']],
		['302', [302, 'text/html']],
		['XML', [200, 'application/xml', '<Error/>']],
		['an image', [200, 'image/png', '\x89PNG']],
		['bytes of another kind', [200, 'application/octet-stream', 'not a film']],
		['404', [404, 'application/json', '{}']],
	])(
		'is not taken for ready by %s: its record is fetched every 30 seconds',
		async (_what, said) => {
			const toRecord = (ms: number) => (ms >= 85_000 ? DONE : LIVE);
			const { end, records } = await poll(() => said, toRecord);
			expect([records, end.state]).toEqual([[30, 60, 90], 'done']);
		},
	);

	it('that goes on in the words of the gateway is left alone, its progress too', async () => {
		const { end, records, contents, progress } = await poll(() => GOES_ON, undefined, {
			deadlineMs: 395_000,
		});
		expect(records).toEqual([180, 360, 395]);
		// At the end only the record is asked for.
		expect(contents).toBe(39);
		expect(end).toMatchObject({ state: 'timedOut', render: { task: { progress: 60 } } });
		expect(progress).toEqual([...progress].sort((a, b) => a - b));
	});

	it.each([
		['in the words of the gateway', says('FAILURE'), [20, 40, 60, 80]],
		['in others', [404, 'text/html'] as Content, [30, 50, 70, 90]],
	])('that has failed is seen to have, %s', async (_what, said, looks) => {
		const content = (ms: number) => (ms > 15_000 ? said : GOES_ON);
		const { end, records } = await poll(content, () => SHAKY);
		expect([records, end.state]).toEqual([looks, 'failed']);
		const early = await poll(content, () => SHAKY, { deadlineMs: MINUTE_MS });
		expect([early.end.state, early.records.at(-1)]).toEqual(['failed', 60]);
	});

	it('is looked at once more when its time is up while the content endpoint hangs', async () => {
		const hangs = { deadlineMs: 35_000, contentMs: 29_000 };
		const { end, records } = await poll(
			() => GOES_ON,
			(ms) => (ms > 30_000 ? DONE : LIVE),
			hangs,
		);
		expect([records, end.state]).toEqual([[35], 'done']);
	});

	it('whose record does not know of its film yet is not asked for at every poll', async () => {
		const { records } = await poll(
			() => [200, 'video/mp4'],
			(ms) => (ms > 60_000 ? DONE : LIVE),
		);
		expect(records).toEqual([10, 40, 70]);
	});

	it('of an earlier try is looked at at once', async () => {
		const { records } = await poll(() => GOES_ON, undefined, {
			...{ reused: true, deadlineMs: 200_000 },
		});
		expect(records).toEqual([0, 180, 200]);
	});

	it('whose record says no more than that there is trouble is asked for again soon', async () => {
		const { end } = await poll(
			() => [401, 'application/json', '{}'],
			() => answer(401),
		);
		expect(end).toMatchObject({ state: 'lost', render: { pollCount: 7 } });
	});
});
