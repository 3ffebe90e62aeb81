import { createLimiter } from '../../../../nodes/shared/lib/turns';
import type { TaskStatus } from '../../../../nodes/shared/service/videoTask';
import { type Render, type RenderJob, toRender } from '../../../../nodes/shared/task/render';
import { renderVideo } from '../../../../nodes/shared/task/renderVideo';
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
async function play({
	headStartMs,
	maxWaitMs = 30 * MINUTE_MS,
	renderMs = Infinity,
	old,
}: Case) {
	const time = createVirtualTime();
	const calls: string[] = [];
	let known: Render | undefined =
		old && toRender({ task_id: OLD }, { submittedAtMs: -MINUTE_MS, reused: true });
	const job: RenderJob = {
		itemIndex: 0,
		request: { model: 'm', prompt: 'p' },
		wish: '',
		pollIntervalMs: 5_000,
		maxPollIntervalMs: 10_000,
		maxWaitMs,
		wait: headStartMs === undefined ? 'inProcess' : 'durable',
		headStartMs: headStartMs ?? 0,
		reuseTask: true,
			timeOutFails: true,
	};
	const statusOf = (task_id: string) => {
		if (task_id === OLD) return old!;
		return time.now() >= renderMs ? 'SUCCESS' : 'IN_PROGRESS';
	};
	const { signal } = new AbortController();
	const rendering = {
		submit: async () => {
			calls.push('submit');
			return { kind: 'accepted' as const, task_id: 'task_new', answer: {} };
		},
		openSeldomFetch: () => {
			throw new Error('asked seldom');
		},
		fetchTask: async (task_id: string) => {
			calls.push(`fetch ${task_id}`);
			const status = statusOf(task_id);
			const result_url = status === 'SUCCESS' ? 'https://a.example/v.mp4' : undefined;
			return {
				kind: 'task' as const,
				task: { task_id, status, progress: 0, result_url },
				answer: {},
			};
		},
		ledger: {
			find: () => {
				calls.push('find');
				if (calls.length > 50) throw new Error('begins again and again');
				return known;
			},
			forget: () => {
				calls.push('forget');
				known = undefined;
			},
		},
		keep: () => {},
		onReused: () => {},
		onNoTask: () => {},
		limiter: createLimiter(1, signal),
		clock: time.clock(),
		signal,
		maxPauseMs: Infinity,
	};
	const outcome = await time.run(renderVideo(job, rendering));
	return { outcome, calls: calls.filter((call) => call !== 'find'), tookMs: time.now() };
}

describe('a head start', () => {
	it('of nothing: the task is open at once, without a fetch', async () => {
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

	it('in which it does not end: open when it is over, with what the polls have told', async () => {
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
	it.each([0, 1])('gets one fetch and is open (head start of %i ms)', async (headStartMs) => {
		const { outcome, calls } = await play({ headStartMs, old: 'IN_PROGRESS' });
		expect(calls[0]).toBe(`fetch ${OLD}`);
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
		expect(calls).toEqual([`fetch ${OLD}`]);
		expect(tookMs).toBe(0);
	});

	it('that has failed since is forgotten and submitted anew, once', async () => {
		const { outcome, calls } = await play({ headStartMs: 0, old: 'FAILURE' });
		expect(calls).toEqual([`fetch ${OLD}`, 'forget', 'submit']);
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
