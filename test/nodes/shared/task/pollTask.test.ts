import { createLimiter } from '../../../../nodes/shared/lib/turns';
import type { VideoTask } from '../../../../nodes/shared/service/videoTask';
import { pollTask } from '../../../../nodes/shared/task/pollTask';
import { toRender } from '../../../../nodes/shared/task/render';

const PACE = { pollIntervalMs: 5_000, maxPollIntervalMs: 10_000 };

/** A task that was picked up, whose only fetch is under way when the run is stopped. */
async function stopDuringFetch(record: Partial<VideoTask>) {
	const stop = new AbortController();
	const render = toRender({ task_id: 't', model: 'veo' }, { reused: true, answer: 'before' });
	return await pollTask(render, PACE, {
		fetchTask: async () => {
			stop.abort();
			const news = { task_id: 't', status: 'IN_PROGRESS' as const, progress: 40, ...record };
			return await Promise.resolve({ kind: 'task', task: news, answer: 'news' });
		},
		limiter: createLimiter(1, stop.signal),
		clock: { now: () => 1_000, random: () => 0.5, pause: async () => {} },
		signal: stop.signal,
	});
}

describe('a fetch that is under way when the run is stopped', () => {
	it('keeps what it brought, and the model of the submit', async () => {
		const { state, render } = await stopDuringFetch({});
		expect(state).toBe('stopped');
		expect(render.task).toMatchObject({ status: 'IN_PROGRESS', progress: 40, model: 'veo' });
		expect(render.answer).toBe('news');
		expect(render.finishedAtMs).toBeUndefined();
	});

	it('keeps the model that it names, and when the task ended', async () => {
		const { render } = await stopDuringFetch({ model: 'veo-2', status: 'SUCCESS' });
		expect(render.task.model).toBe('veo-2');
		expect(render.finishedAtMs).toBe(1_000);
	});
});
