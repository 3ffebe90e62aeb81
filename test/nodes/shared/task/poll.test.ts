import type { ServiceAnswer } from '../../../../nodes/shared/http/answer';
import { createFetch, poll, WAITS } from '../../../../nodes/shared/task/poll';
import { type Render, toRender } from '../../../../nodes/shared/task/render';
import { answer, DONE, openWorld, record, serve, SHAKY } from './support/world';

/** A record for which New API asks the vendor. */
const LIVE = record({ progress: 60, format: 'mp4', url: '' });
const busy = (seconds: string) => ({ ...answer(429), headers: { 'retry-after': seconds } });

interface Play {
	way?: keyof typeof WAITS;
	/** Poll Interval of a wait in process. */
	leastMs?: number;
	more?: Partial<Render>;
	maxPauseMs?: number;
	everyMs?: number;
}

/** Waits for a task that gives these answers, the last again and again; `atS` is when it was fetched. */
async function play(
	answers: ServiceAnswer[] | ((nowMs: number) => ServiceAnswer),
	{ way = 'inProcess', leastMs, more, ...limits }: Play = {},
) {
	const { run, time } = openWorld();
	const atS: number[] = [];
	const { connection, limits: given } = serve({
		fetch: () => {
			atS.push(time.now() / 1000);
			if (typeof answers === 'function') return answers(time.now());
			return answers[Math.min(atS.length, answers.length) - 1];
		},
	});
	const render = toRender({ task_id: 'task_1' }, { submittedAtMs: 0, ...more });
	const { clock, signal } = run;
	const fetch = createFetch(clock, connection);
	const wait = { ...WAITS[way], ...(leastMs && { leastMs }), fetch, clock, signal, ...limits };
	const end = await time.run(poll(render, wait));
	return { state: end.state, atS, limits: given };
}

const after = (ms: number, last: ServiceAnswer, first: ServiceAnswer) => (nowMs: number) =>
	nowMs > ms ? last : first;
const READY = after(40_000, DONE, record());
const task = { task_id: 'task_1', status: 'queued', progress: 0 } as const;
const SELDOM = { more: { task: { ...task, hasLiveRecord: true } } };
const CHECK = { way: 'check' } as const;
const AGENT = { way: 'agent', maxPauseMs: 10_000, more: { deadlineMs: 45_000 } } as const;

it.each<[string, Play, Parameters<typeof play>[0], state: string, atS: number[]]>([
	['every 2 seconds', {}, after(9_000, DONE, record()), 'done', [2, 4, 6, 8, 10]],
	['after 5 % of its age', { more: { submittedAtMs: -600_000 } }, READY, 'done', [30, 62]],
	['every minute at most', { more: { submittedAtMs: -9e9 } }, READY, 'done', [60]],
	['at the interval that is set', { leastMs: 15_000 }, READY, 'done', [15, 30, 45]],
	['at once in a further try', { more: { reused: true } }, [DONE], 'done', [0]],
	['until checks keep failing', {}, [answer(401)], 'lost', [2, 8, 15, 24, 34]],
	['seldom at its vendor', SELDOM, after(85_000, DONE, LIVE), 'done', [30, 60, 90]],
	[
		'every 20 seconds in doubt of a failure',
		SELDOM,
		after(85_000, SHAKY, LIVE),
		'failed',
		[30, 60, 90, 110, 130, 150],
	],
	[
		'once more when its time is up',
		{ more: { ...SELDOM.more, deadlineMs: 75_000 } },
		[LIVE],
		'timedOut',
		[30, 60, 75],
	],
	[
		'seldom enough for its service, also when its time is up',
		{ everyMs: 5_000, more: { deadlineMs: 23_000 } },
		[record()],
		'timedOut',
		[5, 10, 15, 23],
	],
	[
		'once if its time is up before its service wants another look',
		{ everyMs: 5_000, more: { deadlineMs: 4_000 } },
		[record()],
		'timedOut',
		[4],
	],
	['by a check: once', CHECK, [record()], 'rendering', [0]],
	[
		'by a check: until there is a record',
		CHECK,
		[answer(502), answer(401), DONE],
		'done',
		[0, 2, 5],
	],
	['by a check: four times', CHECK, [answer(502)], 'rendering', [0, 2, 5, 9]],
	['by a check that cannot wait', { ...CHECK, maxPauseMs: 10_000 }, [busy('20')], 'rendering', [0]],
	[
		'by a check after the deadline',
		{ ...CHECK, more: { deadlineMs: 0 } },
		[answer(502)],
		'timedOut',
		[0, 2, 5, 9],
	],
	['by a check of a long delay', CHECK, [busy('86400'), DONE], 'done', [0, 120]],
	['by a check in doubt', CHECK, [SHAKY], 'failed', [0, 20, 40, 60]],
	['by a check whose doubt passes', CHECK, [SHAKY, SHAKY, DONE], 'done', [0, 20, 40]],
	['by a check without time to doubt', { ...CHECK, maxPauseMs: 10_000 }, [SHAKY], 'rendering', [0]],
	['by a check of a clear failure', CHECK, [record({ status: 'FAILURE' })], 'failed', [0]],
	['for an agent', AGENT, after(7_000, DONE, record()), 'done', [0, 2, 4, 6, 8]],
	['for an agent, at its vendor', AGENT, [LIVE], 'timedOut', [0, 30, 45]],
	['for an agent, in doubt', AGENT, [SHAKY], 'failed', [0, 20, 40, 45]],
	['for an agent while checks fail', AGENT, [answer(502)], 'rendering', [0, 6, 13, 22]],
	['for an agent, of a busy service', AGENT, [busy('60')], 'rendering', [0]],
])('a task is fetched %s', async (_how, options, answers, state, atS) => {
	const played = await play(answers, options);
	expect([played.state, played.atS.map((s) => Math.round(s))]).toEqual([state, atS]);
});

it('waits as long as it is asked to, but not past its deadline, at which it gives 3 seconds', async () => {
	const { atS, state, limits } = await play([busy('40')], { more: { deadlineMs: 60_000 } });
	expect([atS, state]).toEqual([[2, 42, 60], 'timedOut']);
	expect(limits).toEqual([61_000, 21_000, 3_000]);
});

it('a fetch and the price list take no longer than its limit together', async () => {
	const { run, time } = openWorld();
	const { connection, limits } = serve({
		fetch: async () => {
			await time.pause(2_000);
			return record({ status: 'SUCCESS', quota: 5, result_url: 'https://a.example/v' });
		},
	});
	await time.run(createFetch(run.clock, connection)(toRender({ task_id: 'task_1' }), 3_000));
	expect(limits).toEqual([3_000, 1_000]);
});

it.each([
	['news', record(), 'stopped', { status: 'IN_PROGRESS', progress: 40, model: 'veo-3.1' }],
	['an end', DONE, 'done', { status: 'SUCCESS', model: 'veo-3.1' }],
])('a fetch under way at Stop keeps %s', async (_what, brought, state, task) => {
	const { run, stop, time } = openWorld();
	const { clock, signal } = run;
	const { connection } = serve({
		fetch: () => {
			stop.abort();
			return brought;
		},
	});
	const fetch = createFetch(clock, connection);
	const wait = { ...WAITS.inProcess, fetch, clock, signal };
	const render = toRender({ task_id: 'task_1', model: 'veo-3.1' });
	expect(await time.run(poll(render, wait))).toMatchObject({ state, render: { task } });
});
