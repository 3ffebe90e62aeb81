import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import { createFetch, poll, WAITS } from '../../../../nodes/shared/task/poll';
import { type Render, toRender } from '../../../../nodes/shared/task/render';
import { answer, DONE, openWorld, record, serve, SHAKY, toJob, toRenders } from './support/world';

const MINUTE_MS = 60_000;
/** A record for which New API asks the vendor. */
const LIVE = record({ progress: 60, format: 'mp4', url: '' });
const busy = (seconds: string) => ({ ...answer(429), headers: { 'retry-after': seconds } });

interface Play {
	way?: keyof typeof WAITS;
	/** Poll Interval of a wait in process. */
	intervalMs?: number;
	more?: Partial<Render>;
	maxPauseMs?: number;
	random?: () => number;
}

/** Waits for a task that gives these answers, the last again and again; `atS` is when it was fetched. */
async function play(
	answers: ServiceAnswer[] | ((nowMs: number) => ServiceAnswer),
	{ way = 'inProcess', intervalMs = 10_000, more, maxPauseMs, random }: Play = {},
) {
	const { run, time } = openWorld({ random });
	const atS: number[] = [];
	const { connection, limits } = serve({
		fetch: () => {
			atS.push(time.now() / 1000);
			if (typeof answers === 'function') return answers(time.now());
			return answers[Math.min(atS.length, answers.length) - 1];
		},
	});
	const render = toRender({ task_id: 'task_1' }, { submittedAtMs: 0, ...more });
	const { clock, signal } = run;
	const fetch = createFetch(clock, connection);
	const wait = { intervalMs, ...WAITS[way], fetch, clock, signal, maxPauseMs };
	const end = await time.run(poll(render, wait));
	return { state: end.state, end, atS, limits };
}

describe('in process', () => {
	it('fetches first after Poll Interval, and then in pauses that grow to ten seconds', async () => {
		const until = (ms: number) => (ms > 40_000 ? DONE : record());
		const { atS } = await play(until, { intervalMs: 5_000 });
		expect(atS.map((s) => Math.round(s * 10) / 10)).toEqual([5, 11, 18.2, 26.8, 36.8, 46.8]);
		const spread = await play(until, { intervalMs: 5_000, random: () => 1 });
		expect(spread.atS.slice(0, 2)).toEqual([4, 8.8]);
	});

	it('fetches a task of an earlier try at once', async () => {
		expect((await play([DONE], { more: { reused: true } })).atS).toEqual([0]);
	});

	it.each<[string, ServiceAnswer, object, number[], string]>([
		['every 30 seconds', DONE, {}, [30, 60, 90], 'done'],
		['every 20 seconds in doubt of a failure', SHAKY, {}, [30, 60, 90, 110, 130, 150], 'failed'],
		['once more when its time is up', LIVE, { deadlineMs: 75_000 }, [30, 60, 75], 'timedOut'],
	])(
		'fetches a record that is a question to the vendor %s',
		async (_how, last, more, at, state) => {
			const task = {
				task_id: 'task_1',
				status: 'queued',
				progress: 0,
				hasLiveRecord: true,
			} as const;
			const played = await play((ms) => (ms > 85_000 ? last : LIVE), { more: { task, ...more } });
			expect([played.atS, played.state]).toEqual([at, state]);
		},
	);

	it('waits as long as it is asked to, but not past its deadline, at which it gives 3 seconds', async () => {
		const { atS, state, limits } = await play([busy('40')], { more: { deadlineMs: 60_000 } });
		expect([atS, state]).toEqual([[10, 50, 60], 'timedOut']);
		expect(limits).toEqual([53_000, 13_000, 3_000]);
	});

	it('ends once checks keep failing', async () => {
		expect(await play([answer(401)])).toMatchObject({ state: 'lost', atS: [10, 20, 30, 40, 50] });
	});
});

describe('a check', () => {
	const check = async (answers: ServiceAnswer[], more: Play = {}) => {
		const { state, atS, end } = await play(answers, { way: 'check', ...more });
		return { state, looks: atS.length, failure: end.failure?.httpCode };
	};

	it.each<[string, ServiceAnswer[], Play, object]>([
		['is over with a record', [record()], {}, { state: 'rendering', looks: 1 }],
		['is tried again', [answer(502), answer(401), DONE], {}, { state: 'done', looks: 3 }],
		['is tried four times', [answer(502)], {}, { state: 'rendering', looks: 4, failure: 502 }],
		[
			'makes nobody wait longer for another try than they would',
			[busy('20')],
			{ maxPauseMs: 10_000 },
			{ state: 'rendering', looks: 1, failure: 429 },
		],
		[
			'that meets only trouble after the deadline is the last',
			[answer(502)],
			{ more: { deadlineMs: 0 } },
			{ state: 'timedOut', looks: 4, failure: 502 },
		],
	])('%s', async (_what, answers, more, expected) => {
		expect(await check(answers, more)).toEqual({ failure: undefined, ...expected });
	});

	it.each([
		['is looked at for a minute before it is believed', [SHAKY], Infinity, 'failed', 4],
		['is forgotten where it has passed', [SHAKY, SHAKY, DONE], Infinity, 'done', 3],
		['does not hold whoever does not wait', [SHAKY], 10_000, 'rendering', 1],
		['is believed at once of a record of its own', [record({ status: 'FAILURE' })], 0, 'failed', 1],
	])('a failure that may pass %s', async (_what, answers, maxPauseMs, state, looks) => {
		expect(await check(answers, { maxPauseMs })).toMatchObject({ state, looks });
	});
});

describe('an agent', () => {
	const wait = async (...answers: ServiceAnswer[]) => {
		const agent = { way: 'agent', maxPauseMs: 10_000, more: { deadlineMs: 45_000 } } as const;
		const { state, atS } = await play(answers, agent);
		return [state, atS.map((s) => Math.round(s))];
	};
	it.each<[string, ServiceAnswer[], string, number[]]>([
		['waits for a render', [record()], 'timedOut', [0, 6, 13, 22, 32, 42, 45]],
		['asks the vendor seldom', [LIVE], 'timedOut', [0, 30, 45]],
		['hears of a failure that may pass', [SHAKY], 'failed', [0, 20, 40, 45]],
		['hears soon that checks fail', [answer(502)], 'rendering', [0, 6, 13, 22]],
		['is not held by a service that is busy', [busy('60')], 'rendering', [0]],
	])('%s', async (_what, answers, state, at) => {
		expect(await wait(...answers)).toEqual([state, at]);
	});
});

it.each([
	['with the price list', 2_000, [3_000, 1_000]],
	['with nothing left', 4_000, [3_000, 0]],
])('a fetch takes no longer than its limit: %s', async (_what, tookMs, expected) => {
	const { run, time } = openWorld();
	const { connection, limits } = serve({
		fetch: async () => {
			await time.pause(tookMs);
			return record({ status: 'SUCCESS', quota: 5, result_url: 'https://a.example/v' });
		},
	});
	await time.run(createFetch(run.clock, connection)(toRender({ task_id: 'task_1' }), 3_000));
	expect(limits).toEqual(expected);
});

it('a machine that sleeps past the deadline in a pause looks once more', async () => {
	const { run, time } = openWorld();
	let sleptMs = 0;
	const { connection } = serve({ fetch: async () => (sleptMs > 0 ? DONE : record()) });
	void time.pause(MINUTE_MS).then(() => (sleptMs = 120 * MINUTE_MS));
	const clock = { ...run.clock, now: () => time.now() + sleptMs };
	const { poll: pollTask } = toRenders({ ...run, clock }, connection);
	const asleep = toRender({ task_id: 'task_1' }, { submittedAtMs: 0, deadlineMs: 30 * MINUTE_MS });
	expect((await time.run(pollTask(toJob(0), asleep))).state).toBe('done');
});

it.each([
	['news', record(), 'stopped', { status: 'IN_PROGRESS', progress: 40, model: 'veo-3.1' }],
	['an end', DONE, 'done', { status: 'SUCCESS', model: 'veo-3.1' }],
])('a fetch under way at Stop keeps %s', async (_what, brought, state, task) => {
	const { run, stop, time } = openWorld();
	const { connection } = serve({
		fetch: () => {
			stop.abort();
			return brought;
		},
	});
	const { poll: pollTask } = toRenders(run, connection);
	const render = toRender({ task_id: 'task_1', model: 'veo-3.1' });
	expect(await time.run(pollTask(toJob(), render))).toMatchObject({ state, render: { task } });
});
