import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { createRenders } from '../../../nodes/VideoGenerate/renderVideo';
import { noteStop, saveTaskId } from '../../../nodes/VideoGenerate/savedIds';
import type { ServiceAnswer } from '../../../nodes/shared/http/answer';
import { toReference } from '../../../nodes/shared/lib/heldFile';
import type { RenderJob } from '../../../nodes/shared/task/job';
import { createLedger } from '../../../nodes/shared/task/ledger';
import { MIN_RATE } from '../../../nodes/shared/task/pace';
import { toRender } from '../../../nodes/shared/task/render';
import { makeRun } from '../../support/makeRun';
import { runs } from '../../support/runs';
import {
	answer,
	openWorld,
	record,
	serve,
	toJob,
	toPromptAsked,
	toWritten,
} from '../shared/task/support/world';

type Service = Parameters<typeof serve>[0];

/** Renders jobs against a service, so many requests at once. */
function open(service: Service, { world = openWorld(), concurrency = 1 } = {}) {
	const { run, time } = world;
	const { connection, asked } = serve(service);
	const ledger = createLedger(run);
	const tell = { onTask: () => {}, onProgress: () => {} };
	const sources = {
		concurrency,
		filesOf: () => async () => Buffer.alloc(0),
		letGo: () => {},
		// What is submitted anew is known by its request, too.
		readRequest: async ({ itemIndex }: RenderJob) => {
			const { request, asked } = toJob(itemIndex);
			return { request: request!, asked: { ...asked, request: 'r' } };
		},
	};
	const { render } = createRenders(run, connection, ledger, sources, tell);
	const play = async (...jobs: RenderJob[]) =>
		await time.run(Promise.all(jobs.map(async (job) => ({ outcome: await render(job), job }))));
	return { ledger, asked, play, render };
}

const plan = fc.record({
	renderMs: fc.integer({ min: 0, max: 200_000 }),
	outcome: fc.constantFrom('SUCCESS', 'SUCCESS', 'FAILURE', 'never'),
	submit: fc.constantFrom('accepted', 'accepted', 'accepted', 'refused', 'unclear'),
	/** Every so many polls one goes wrong. */
	troubleEvery: fc.constantFrom(0, 0, 1, 2, 3),
	httpCode: fc.constantFrom(401, 404, 429, 500, 502),
});

const batches = fc.record({
	plans: fc.array(plan, { minLength: 1, maxLength: 12 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	latencyMs: fc.integer({ min: 1, max: 2_000 }),
	pollIntervalMs: fc.integer({ min: 100, max: 20_000 }),
	maxWaitMs: fc.integer({ min: 1_000, max: 300_000 }),
	stopAtMs: fc.option(fc.integer({ min: 1, max: 200_000 })),
});
type Batch = typeof batches extends fc.Arbitrary<infer Value> ? Value : never;

/** A service in memory that notes everything that must never happen. */
async function playBatch(batch: Batch) {
	const world = openWorld({ random: () => 0.5, continues: true });
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
	if (batch.stopAtMs !== null) void time.pause(batch.stopAtMs).then(() => stop.abort());
	const { play } = open(service, { world, concurrency: batch.concurrency });
	const { pollIntervalMs, maxWaitMs } = batch;
	const jobs = batch.plans.map((_plan, i) =>
		toJob(i, {
			...{ request: { video: toWritten(String(i)) }, asked: toPromptAsked(String(i)) },
			...{ pollIntervalMs, maxWaitMs },
		}),
	);
	const ends = await play(...jobs);
	const kept = (customData.video_task_ids ?? '').split(',').filter(Boolean);
	return { ends, submitted, kept, polls, broken };
}

it('a batch in virtual time holds its promises, whatever it is', async () => {
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
			// No poll starts after its task's time is up, queueing for a free place and the run's pace aside.
			for (const times of polls.values()) {
				const queueMs = (given.latencyMs * 2 + 1000 / MIN_RATE) * given.plans.length;
				expect(times.at(-1)! - times[0]).toBeLessThanOrEqual(given.maxWaitMs + queueMs);
			}
		}),
		{ numRuns: runs(200) },
	);
});

it('a submit keeps its task in the tick in which the ID is known', async () => {
	const world = openWorld();
	const { play, ledger } = open({ submit: () => answer(200, { id: 'task_1' }) }, { world });
	const [{ outcome }] = await play(toJob(0, { wait: 'none' }));
	const task = { task_id: 'task_1', status: 'queued', model: 'veo' };
	const facts = { answer: { id: 'task_1' }, submittedAtMs: 0, pollCount: 0, reused: false };
	expect(outcome).toMatchObject({ state: 'submitted', render: { task, ...facts } });
	expect(ledger.find(toJob())).toMatchObject({ task: { task_id: 'task_1' } });
	expect(world.customData).toEqual({ video_task_ids: 'task_1' });
	expect(world.run.taskIds.get(0)).toBe('task_1');
});

it('Max Videos per Execution counts those under way: of two at once, one is refused', async () => {
	const { ledger, render, asked } = open({ submit: () => answer(200, { id: 'task_1' }) });
	const jobs = [toJob(0, { wait: 'none' }), toJob(1, { wait: 'none' })];
	ledger.limitTo(1, jobs.slice(1));
	const ends = await Promise.allSettled(jobs.map(render));
	expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
	expect(asked).toEqual(['submit']);
});

it.each([
	['that still renders is left', 'IN_PROGRESS', 'rendering', ['task_old']],
	['that has ended since is done', 'SUCCESS', 'done', ['task_old']],
	['that has failed since is submitted anew', 'FAILURE', 'rendering', ['task_old', 'submit']],
])('of a durable wait, a task of an earlier try %s', async (_what, status, state, expected) => {
	const stored: IDataObject = {};
	const paid = toRender({ task_id: 'task_old' }, { submittedAtMs: -60_000 });
	createLedger(openWorld({ stored }).run).keep(toJob(), paid);
	const service: Service = {
		submit: () => answer(200, { id: 'task_new' }),
		fetch: (task_id) => record({ task_id, status, result_url: 'https://a.example/v' }),
	};
	const { play, asked } = open(service, { world: openWorld({ stored }) });
	const [{ outcome }] = await play(toJob(0, { wait: 'durable', request: undefined }));
	expect(asked).toEqual(expected);
	// What is submitted anew is known by its request, too.
	const requests = (stored.paid as IDataObject[]).map(({ request }) => request);
	expect(requests.slice(1)).toEqual(status === 'FAILURE' ? ['r'] : []);
	expect(outcome).toMatchObject({ state, render: { reused: status !== 'FAILURE' } });
});

it('custom data that cannot be written ends no run that is paid for, and no event of a stop', () => {
	const stop = new AbortController();
	const logged: string[] = [];
	const log = (line: string) => void logged.push(line);
	const more = { logger: { debug: log, info: log, warn: log } };
	const run = makeRun({ stop: stop.signal, more: { ...more, getWorkflow: () => ({ id: 'w' }) } });
	saveTaskId(run, 2, 'task_1');
	noteStop(run);
	stop.abort();
	expect(logged).toEqual([
		expect.stringMatching(
			/^Node: \[item 2\] is video task task_1 \(execution 1 of workflow w, \d.+Z\)$/,
		),
		expect.stringContaining('could not write the custom data'),
		expect.stringContaining('custom data'),
	]);
});

it('has few pictures in memory at once, however many requests may run', async () => {
	const world = openWorld();
	let [underWay, most] = [0, 0];
	const submit = async () => {
		most = Math.max(most, ++underWay);
		await world.time.pause(1_000);
		underWay--;
		return answer(200, { task_id: 'task_1' });
	};
	const { play } = open({ submit }, { world, concurrency: 10 });
	const image = toReference({
		mimeType: 'image/png',
		sizeBytes: 20 * 1024 ** 2,
		hash: 'a'.repeat(64),
	});
	const jobs = [0, 1, 2, 3, 4].map((itemIndex) => {
		const { model, fields } = toWritten(`video ${itemIndex}`);
		const request = { video: { model, fields: { ...fields, image } } };
		return toJob(itemIndex, { wait: 'none', request });
	});
	const ends = await play(...jobs);
	expect(ends.every(({ outcome }) => outcome && 'render' in outcome)).toBe(true);
	expect(most).toBe(3);
});
