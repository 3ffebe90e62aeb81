import { createLimiter } from '../../nodes/shared/lib/turns';
import type { FetchResult, SubmitResult } from '../../nodes/shared/service/videoApi';
import type { Outcome, Render, RenderJob } from '../../nodes/shared/task/render';
import { renderVideo } from '../../nodes/shared/task/renderVideo';
import { createVirtualTime } from './virtualTime';

export interface Plan {
	renderMs: number;
	outcome: 'SUCCESS' | 'FAILURE' | 'never';
	submit: 'accepted' | 'refused' | 'unclear';
	/** Every so many polls one goes wrong. */
	troubleEvery: number;
	httpCode: number;
}

export interface World {
	plans: Plan[];
	concurrency: number;
	latencyMs: number;
	pollIntervalMs: number;
	maxWaitMs: number;
	stopAtMs?: number;
}

/** A service and a clock in memory that note everything that must never happen. */
export async function play(world: World) {
	const stop = new AbortController();
	const time = createVirtualTime(stop.signal);
	const submitted: number[] = [];
	const kept: string[] = [];
	const submittedAt = new Map<string, number>();
	const polls = new Map<string, number[]>();
	const busy = new Set<string>();
	let underWay = 0;
	const broken: string[] = [];

	const request = async <T>(id: string, answer: () => T): Promise<T> => {
		if (++underWay > world.concurrency) broken.push('more requests under way than allowed');
		if (busy.has(id)) broken.push(`two requests of ${id} at once`);
		busy.add(id);
		await time.pause(world.latencyMs);
		busy.delete(id);
		underWay--;
		return answer();
	};
	const submit = async ({ prompt }: { prompt: string }): Promise<SubmitResult> =>
		await request(`submit ${prompt}`, () => {
			const index = Number(prompt);
			submitted.push(index);
			submittedAt.set(prompt, time.now());
			const { submit: kind } = world.plans[index];
			const httpCode = kind === 'refused' ? 400 : 500;
			const trouble = { message: 'no', httpCode, retryable: false };
			return kind === 'accepted' ? { kind, task_id: prompt, answer: {} } : { kind, trouble };
		});
	const fetchTask = async (task_id: string): Promise<FetchResult> => {
		const times = polls.get(task_id) ?? [];
		polls.set(task_id, [...times, time.now()]);
		return await request(task_id, () => {
			const plan = world.plans[Number(task_id)];
			if (plan.troubleEvery > 0 && (times.length + 1) % plan.troubleEvery === 0) {
				const { httpCode } = plan;
				return { kind: 'trouble', trouble: { message: '?', httpCode, retryable: true } };
			}
			const ready = time.now() - submittedAt.get(task_id)! >= plan.renderMs;
			const status = ready && plan.outcome !== 'never' ? plan.outcome : 'IN_PROGRESS';
			const result_url = status === 'SUCCESS' ? 'https://a.example/v.mp4' : undefined;
			return { kind: 'task', task: { task_id, status, progress: 0, result_url }, answer: {} };
		});
	};
	const jobs: RenderJob[] = world.plans.map((_plan, itemIndex) => ({
		itemIndex,
		request: { model: 'm', prompt: String(itemIndex) },
		wish: '',
		pollIntervalMs: world.pollIntervalMs,
		maxPollIntervalMs: Math.max(world.pollIntervalMs, 10_000),
		maxWaitMs: world.maxWaitMs,
		wait: 'inProcess',
		headStartMs: 0,
		reuseTask: true,
		timeOutFails: true,
	}));
	let seed = 7;
	const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
	const keep = (_job: RenderJob, { task }: Render) => kept.push(task.task_id);
	if (world.stopAtMs !== undefined) void time.pause(world.stopAtMs).then(() => stop.abort());
	const rendering = {
		submit,
		fetchTask,
		openSeldomFetch: () => fetchTask,
		ledger: { find: () => undefined, forget: () => {} },
		keep,
		onReused: () => {},
		onNoTask: () => {},
		limiter: createLimiter(world.concurrency, stop.signal),
		clock: time.clock(random),
		signal: stop.signal,
		maxPauseMs: Infinity,
	};
	const playOne = async (
		job: RenderJob,
	): Promise<{ job: RenderJob; outcome: Outcome; atMs: number }> => {
		const outcome = await renderVideo(job, rendering);
		return { job, outcome, atMs: time.now() };
	};
	const ends = await time.run(Promise.all(jobs.map(playOne)));
	return { ends, submitted, kept, submittedAt, polls, broken };
}
