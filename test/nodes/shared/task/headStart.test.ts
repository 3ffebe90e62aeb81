import { createLimiter } from '../../../../nodes/shared/lib/limiter';
import type { Render, RenderJob } from '../../../../nodes/shared/task/render';
import { renderAll } from '../../../../nodes/shared/task/renderAll';
import type { TaskStatus } from '../../../../nodes/shared/service/videoTask';
import { createVirtualTime } from '../../../support/virtualTime';

const MINUTE_MS = 60_000;
/** An early try of this run has paid for it. */
const OLD = 'task_of_an_earlier_try';

interface Case {
	headStartMs?: number;
	maxWaitMs?: number;
	/** What becomes of the task that is submitted here, and when. */
	renderMs?: number;
	/** What the service says about the task of the earlier try; without, there is none. */
	old?: TaskStatus;
}

/** One job in virtual time, from the ledger to its outcome. */
async function play({ headStartMs, maxWaitMs = 30 * MINUTE_MS, renderMs = Infinity, old }: Case) {
	const time = createVirtualTime();
	const calls: string[] = [];
	let known: Render | undefined = old && {
		task: { task_id: OLD, status: 'queued', progress: 0 },
		submittedAtMs: -MINUTE_MS,
		pollCount: 0,
		reused: true,
		answer: undefined,
	};
	const job: RenderJob = {
		itemIndex: 0,
		request: { model: 'm', prompt: 'p' },
		pollIntervalMs: 5_000,
		maxPollIntervalMs: 10_000,
		maxWaitMs,
		waitForCompletion: true,
		headStartMs,
	};
	const statusOf = (task_id: string) => {
		if (task_id === OLD) return old!;
		return time.now() >= renderMs ? 'SUCCESS' : 'IN_PROGRESS';
	};
	const tools = {
		submit: async () => {
			calls.push('submit');
			return { kind: 'accepted' as const, task_id: 'task_new', answer: {} };
		},
		fetchTask: async (task_id: string) => {
			calls.push(`look at ${task_id}`);
			const status = statusOf(task_id);
			const result_url = status === 'SUCCESS' ? 'https://a.example/v.mp4' : undefined;
			return {
				kind: 'task' as const,
				task: { task_id, status, progress: 0, result_url },
				answer: {},
			};
		},
		find: () => {
			calls.push('find');
			if (calls.length > 50) throw new Error('begins again and again');
			return known;
		},
		forget: () => {
			calls.push('forget');
			known = undefined;
		},
		keep: () => {},
		onRefused: () => {},
		limiter: createLimiter(1),
		wait: time.wait,
		signal: new AbortController().signal,
		now: time.now,
		random: () => 0,
	};
	const [outcome] = await time.run(renderAll([job], tools, async (_job, end) => end));
	return { outcome, calls: calls.filter((call) => call !== 'find'), tookMs: time.now() };
}

describe('a head start', () => {
	it('of nothing: the task is open at once, without a look', async () => {
		expect(await play({ headStartMs: 0 })).toMatchObject({
			outcome: { state: 'open', render: { task: { task_id: 'task_new', status: 'queued' } } },
			calls: ['submit'],
			tookMs: 0,
		});
	});

	it('is not given where nobody waits durably', async () => {
		const { outcome, tookMs } = await play({ headStartMs: undefined });
		expect(outcome.state).toBe('timedOut');
		expect(tookMs).toBe(30 * MINUTE_MS);
	});

	it('in which the render ends: done', async () => {
		const { outcome, tookMs } = await play({ headStartMs: MINUTE_MS, renderMs: 20_000 });
		expect(outcome).toMatchObject({ state: 'done', render: { task: { status: 'SUCCESS' } } });
		expect(tookMs).toBeLessThan(MINUTE_MS);
	});

	it('in which it does not end: open when it is over, with what the looks have told', async () => {
		const { outcome, tookMs } = await play({ headStartMs: MINUTE_MS, renderMs: 2 * MINUTE_MS });
		expect(tookMs).toBe(MINUTE_MS);
		expect(outcome).toMatchObject({ state: 'open', render: { task: { status: 'IN_PROGRESS' } } });
		expect((outcome as { render: Render }).render.pollCount).toBeGreaterThan(5);
	});

	it.each([
		['as long as Max Wait', 2 * MINUTE_MS],
		['longer than Max Wait', 20 * MINUTE_MS],
	])('%s: timed out after Max Wait', async (_name, headStartMs) => {
		const { outcome, tookMs } = await play({ headStartMs, maxWaitMs: 2 * MINUTE_MS });
		expect(outcome.state).toBe('timedOut');
		expect(tookMs).toBe(2 * MINUTE_MS);
	});
});

describe('a task of an earlier try', () => {
	it.each([0, 1])('gets one look and is open (head start of %i ms)', async (headStartMs) => {
		const { outcome, calls } = await play({ headStartMs, old: 'IN_PROGRESS' });
		expect(calls[0]).toBe(`look at ${OLD}`);
		expect(calls).not.toContain('submit');
		expect(outcome).toMatchObject({
			state: 'open',
			render: { task: { task_id: OLD, status: 'IN_PROGRESS' }, reused: true },
		});
		if (headStartMs === 0) expect(calls).toHaveLength(1);
	});

	it('that has ended since is done, and costs nothing', async () => {
		const { outcome, calls, tookMs } = await play({ headStartMs: 0, old: 'SUCCESS' });
		expect(outcome).toMatchObject({ state: 'done', render: { reused: true } });
		expect(calls).toEqual([`look at ${OLD}`]);
		expect(tookMs).toBe(0);
	});

	it('that has failed since is forgotten and submitted anew, once', async () => {
		const { outcome, calls } = await play({ headStartMs: 0, old: 'FAILURE' });
		expect(calls).toEqual([`look at ${OLD}`, 'forget', 'submit']);
		expect(outcome).toMatchObject({
			state: 'open',
			render: { task: { task_id: 'task_new' }, reused: false },
		});
	});

	it('that has failed since, with a head start: the new one gets it', async () => {
		const job = { headStartMs: MINUTE_MS, renderMs: 20_000, old: 'FAILURE' as const };
		const { outcome, calls } = await play(job);
		expect(outcome).toMatchObject({ state: 'done', render: { task: { task_id: 'task_new' } } });
		expect(calls.filter((call) => call === 'submit')).toHaveLength(1);
	});
});
