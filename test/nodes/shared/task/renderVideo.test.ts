import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceAnswer } from '../../../../nodes/shared/service/http';
import { createLedger } from '../../../../nodes/shared/task/ledger';
import type { RenderJob } from '../../../../nodes/shared/task/job';
import { toRender } from '../../../../nodes/shared/task/render';
import { createRenders } from '../../../../nodes/shared/task/renderVideo';
import { noteStop, saveTaskId } from '../../../../nodes/shared/task/savedIds';
import { makeRun } from '../../../support/makeRun';
import {
	answer,
	openWorld,
	record,
	serve,
	toJob,
	toPromptAsked,
	type World,
} from './support/world';
import { runs } from '../../../support/runs';

const MINUTE_MS = 60_000;

type Service = Parameters<typeof serve>[0];
interface Options {
	world?: World;
	concurrency?: number;
	onTask?: (job: RenderJob) => void;
}

/** Renders jobs against a service; `ends` are their outcomes and when they came. */
function open(
	service: Service,
	{ world = openWorld(), concurrency = 1, onTask = () => {} }: Options = {},
) {
	const { run, time } = world;
	const { connection, asked } = serve(service);
	const ledger = createLedger(run);
	const tell = { onTask, onProgress: () => {} };
	const renders = createRenders(run, connection, ledger, concurrency, tell);
	const play = async (...jobs: RenderJob[]) =>
		await time.run(
			Promise.all(
				jobs.map(async (job) => ({ outcome: await renders.render(job), job, atMs: time.now() })),
			),
		);
	return { run, time, ledger, asked, play, render: renders.render };
}

interface Plan {
	renderMs: number;
	outcome: 'SUCCESS' | 'FAILURE' | 'never';
	submit: 'accepted' | 'refused' | 'unclear';
	/** Every so many polls one goes wrong. */
	troubleEvery: number;
	httpCode: number;
}

interface Batch {
	plans: Plan[];
	concurrency: number;
	latencyMs: number;
	pollIntervalMs: number;
	maxWaitMs: number;
	stopAtMs?: number;
}

/** A service in memory that notes everything that must never happen. */
async function playBatch(batch: Batch, seed = 7) {
	const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
	const world = openWorld({ random, continues: true });
	const { time, stop, customData } = world;
	const submittedAt = new Map<string, number>();
	const submitted: number[] = [];
	const polls = new Map<string, number[]>();
	const busy = new Set<string>();
	const broken: string[] = [];
	let underWay = 0;
	const request = async (id: string, toAnswer: () => ServiceAnswer) => {
		if (++underWay > batch.concurrency) broken.push('more requests under way than allowed');
		if (busy.has(id)) broken.push(`two requests of ${id} at once`);
		busy.add(id);
		await time.pause(batch.latencyMs);
		busy.delete(id);
		underWay--;
		return toAnswer();
	};
	const service: Service = {
		submit: async ({ prompt }) =>
			await request(`submit ${prompt}`, () => {
				submitted.push(Number(prompt));
				submittedAt.set(`task_${prompt}`, time.now());
				const { submit } = batch.plans[Number(prompt)];
				if (submit === 'accepted') return answer(200, { id: `task_${prompt}` });
				return answer(submit === 'refused' ? 403 : 500, { error: { message: 'no' } });
			}),
		fetch: async (task_id) => {
			const times = polls.get(task_id) ?? [];
			polls.set(task_id, [...times, time.now()]);
			return await request(task_id, () => {
				const plan = batch.plans[Number(task_id.slice(5))];
				const fails = plan.troubleEvery > 0 && (times.length + 1) % plan.troubleEvery === 0;
				if (fails) return answer(plan.httpCode, { error: { message: '?' } });
				const isReady = time.now() - submittedAt.get(task_id)! >= plan.renderMs;
				const status = isReady && plan.outcome !== 'never' ? plan.outcome : 'IN_PROGRESS';
				return record({ task_id, status, result_url: 'https://a.example/v.mp4' });
			});
		},
	};
	if (batch.stopAtMs !== undefined) void time.pause(batch.stopAtMs).then(() => stop.abort());
	const { play } = open(service, { world, concurrency: batch.concurrency });
	const { pollIntervalMs, maxWaitMs } = batch;
	const jobs = batch.plans.map((_plan, i) =>
		toJob(i, {
			...{ requestFor: () => ({ model: 'm', prompt: String(i) }), asked: toPromptAsked(String(i)) },
			...{ pollIntervalMs, maxWaitMs },
		}),
	);
	const ends = await play(...jobs);
	const kept = (customData.video_task_ids ?? '').split(',').filter(Boolean);
	return { ends, submitted, kept, submittedAt, polls, broken };
}

const plan: fc.Arbitrary<Plan> = fc.record({
	renderMs: fc.integer({ min: 0, max: 200_000 }),
	outcome: fc.constantFrom('SUCCESS', 'SUCCESS', 'FAILURE', 'never'),
	submit: fc.constantFrom('accepted', 'accepted', 'accepted', 'refused', 'unclear'),
	troubleEvery: fc.constantFrom(0, 0, 1, 2, 3),
	httpCode: fc.constantFrom(401, 404, 429, 500, 502),
});

const batches: fc.Arbitrary<Batch> = fc.record(
	{
		plans: fc.array(plan, { minLength: 1, maxLength: 12 }),
		concurrency: fc.integer({ min: 1, max: 5 }),
		latencyMs: fc.integer({ min: 1, max: 2_000 }),
		pollIntervalMs: fc.integer({ min: 100, max: 20_000 }),
		maxWaitMs: fc.integer({ min: 1_000, max: 300_000 }),
		stopAtMs: fc.integer({ min: 1, max: 200_000 }),
	},
	{ requiredKeys: ['plans', 'concurrency', 'latencyMs', 'pollIntervalMs', 'maxWaitMs'] },
);

describe('a batch in virtual time', () => {
	it('holds its promises, whatever it is', async () => {
		await fc.assert(
			fc.asyncProperty(batches, async (given) => {
				const { ends, submitted, kept, polls, broken } = await playBatch(given);
				expect(broken).toEqual([]);
				// Nothing is submitted twice.
				expect(new Set(submitted).size).toBe(submitted.length);
				// Every ID that became known is kept and is in its outcome.
				const known = submitted.filter((i) => given.plans[i].submit === 'accepted');
				expect(kept.sort()).toEqual(known.map((i) => `task_${i}`).sort());
				for (const { job, outcome } of ends) {
					expect(outcome !== undefined && 'render' in outcome).toBe(known.includes(job.itemIndex));
				}
				// No poll starts after its task's time is up, queueing for a free place aside.
				for (const times of polls.values()) {
					const queueMs = given.latencyMs * given.plans.length * 2;
					expect(times.at(-1)! - times[0]).toBeLessThanOrEqual(given.maxWaitMs + queueMs);
				}
			}),
			{ numRuns: runs(200) },
		);
	});
});

describe('a submit', () => {
	const accepted = answer(200, { id: 'task_1' });

	/** Submits jobs one at a time. */
	async function submit(answers: ServiceAnswer[], jobs = 1) {
		let submits = 0;
		const { play, ledger } = open({ submit: () => answers[submits++] });
		const wanted = Array.from({ length: jobs }, (_, i) => toJob(i, { wait: 'none' }));
		const ends = await play(...wanted);
		return { ends: ends.map(({ outcome }) => outcome), submits, ledger };
	}

	it('keeps its task in the tick in which the ID is known', async () => {
		const world = openWorld();
		const { play, ledger } = open({ submit: () => accepted }, { world });
		const [{ outcome }] = await play(toJob(0, { wait: 'none' }));
		expect(outcome).toMatchObject({
			state: 'submitted',
			render: {
				task: { task_id: 'task_1', status: 'queued', model: 'veo' },
				...{ answer: { id: 'task_1' }, submittedAtMs: 0, pollCount: 0, reused: false },
			},
		});
		expect(ledger.find(toJob())).toMatchObject({ task: { task_id: 'task_1' } });
		expect(world.customData).toEqual({ video_task_ids: 'task_1' });
		expect(world.run.taskIds.get(0)).toBe('task_1');
	});

	it('that was refused for now leaves its place to the next one while it waits', async () => {
		const { ends, submits } = await submit([answer(429), accepted, answer(200, { id: 'x' })], 2);
		expect(submits).toBe(3);
		expect(ends).toMatchObject([
			{ render: { task: { task_id: 'x' } } },
			{ render: { task: { task_id: 'task_1' } } },
		]);
	});

	it('is never repeated after an unclear answer', async () => {
		const { ends, submits, ledger } = await submit([answer(504), accepted]);
		expect(submits).toBe(1);
		expect(ends[0]).toMatchObject({ kind: 'unclear', httpCode: 504 });
		expect(ledger.find(toJob())).toMatchObject({
			unclear: { kind: 'unclear', submittedAtMs: 0 },
		});
	});
});

describe('Max Videos per Execution', () => {
	type Place = Parameters<typeof openWorld>[0];
	/** A run of the node, whose submits are accepted unless the prompt is "no". */
	const openRun = (stored: IDataObject, place: Place = {}, onTask?: (job: RenderJob) => void) =>
		open(
			{ submit: ({ prompt }) => (prompt === 'no' ? answer(403) : answer(200, { id: 'task_2' })) },
			{ world: openWorld({ stored, ...place }), onTask },
		);
	const job = (itemIndex: number, prompt = 'p') =>
		toJob(itemIndex, {
			...{
				wait: 'none',
				requestFor: () => ({ model: 'veo', prompt }),
				asked: toPromptAsked(prompt),
			},
		});
	/** What n8n stores where the task of item 0 was paid for and has failed. */
	const failed = () => {
		const stored: IDataObject = {};
		const { ledger } = openRun(stored);
		const paid = toRender({ task_id: 'task_1' });
		ledger.keep(job(0), paid);
		ledger.noteEnd({ state: 'failed', render: paid });
		return stored;
	};

	it('counts those under way: of two at once, one is refused', async () => {
		const { ledger, render, asked } = openRun(failed());
		ledger.limitTo(2, [job(0), job(1)]);
		const ends = await Promise.allSettled([render(job(0)), render(job(1))]);
		expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
		expect(asked).toEqual(['submit']);
	});
});

describe('a durable wait', () => {
	it.each([
		['that still renders is left', 'IN_PROGRESS', 'rendering', ['task_old']],
		['that has ended since is done', 'SUCCESS', 'done', ['task_old']],
		[
			'that has failed since is submitted anew, once',
			'FAILURE',
			'rendering',
			['task_old', 'submit'],
		],
	])('a task of an earlier try %s', async (_what, status, state, expected) => {
		const stored: IDataObject = {};
		const paid = toRender({ task_id: 'task_old' }, { submittedAtMs: -MINUTE_MS });
		createLedger(openWorld({ stored }).run).keep(toJob(), paid);
		const { play, asked } = open(
			{
				submit: () => answer(200, { id: 'task_new' }),
				fetch: (task_id) => record({ task_id, status, result_url: 'https://a.example/v' }),
			},
			{ world: openWorld({ stored }) },
		);
		const job = toJob(0, { wait: 'durable' });
		const readRest = async () => ({ ...job, asked: { ...job.asked, request: 'r' } });
		const [{ outcome }] = await play({ ...job, readRest });
		expect(asked).toEqual(expected);
		// What is submitted anew is known by its request, too.
		const requests = (stored.paid as IDataObject[]).map(({ request }) => request);
		expect(requests.slice(1)).toEqual(status === 'FAILURE' ? ['r'] : []);
		expect(outcome).toMatchObject({ state, render: { reused: status !== 'FAILURE' } });
	});
});

describe('custom data that cannot be written', () => {
	/** A run whose n8n has none; `logged` are the lines of the log by level. */
	const open = () => {
		const stop = new AbortController();
		const logged: string[] = [];
		const log = (level: string) => (line: string) => void logged.push(`${level} ${line}`);
		const logger = { debug: log('debug'), info: log('info'), warn: log('warn') };
		const more = { logger, getExecutionId: () => '8', getWorkflow: () => ({ id: 'w' }) };
		return { run: makeRun({ stop: stop.signal, more }), stop, logged };
	};

	it('does not end a run that is paid for: the ID is in the log', () => {
		const { run, logged } = open();
		saveTaskId(run, 2, 'task_1');
		const warning = expect.stringMatching(/^warn .*could not write the custom data/);
		expect(logged).toEqual([
			expect.stringMatching(
				/^info Node: \[item 2\] is video task task_1 \(execution 8 of workflow w, \d.+Z\)$/,
			),
			warning,
		]);
	});

	it('does not throw within the event of a stop, which would end n8n', () => {
		const { run, stop, logged } = open();
		noteStop(run);
		stop.abort();
		expect(logged).toHaveLength(1);
	});
});
