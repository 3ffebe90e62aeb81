import { createLimiter } from '../../../../nodes/shared/lib/limiter';
import { pollTask } from '../../../../nodes/shared/task/pollTask';
import type { Render } from '../../../../nodes/shared/task/render';
import type { VideoTask } from '../../../../nodes/shared/service/videoTask';

const JOB = { itemIndex: 0, pollIntervalMs: 5_000, maxPollIntervalMs: 10_000, maxWaitMs: 60_000 };

/** A task that was picked up, whose only poll is under way when the run is stopped. */
async function stopDuringPoll(record: Partial<VideoTask>) {
	const stop = new AbortController();
	const task: VideoTask = { task_id: 't', status: 'queued', progress: 0, model: 'veo' };
	const render: Render = { task, submittedAtMs: 0, pollCount: 0, reused: true, answer: 'before' };
	const outcome = await pollTask(JOB, render, {
		fetchTask: async () => {
			stop.abort();
			const news = { task_id: 't', status: 'IN_PROGRESS' as const, progress: 40, ...record };
			return await Promise.resolve({ kind: 'task', task: news, answer: 'news' });
		},
		limiter: createLimiter(1),
		wait: async () => {},
		signal: stop.signal,
		now: () => 1_000,
		random: () => 0.5,
	});
	return { outcome, render };
}

describe('a poll that is under way when the run is stopped', () => {
	it('keeps what it brought, and the model of the submit', async () => {
		const { outcome, render } = await stopDuringPoll({});
		expect(outcome).toEqual({ state: 'stopped', render });
		expect(render.task).toMatchObject({ status: 'IN_PROGRESS', progress: 40, model: 'veo' });
		expect(render.answer).toBe('news');
		expect(render.finishedAtMs).toBeUndefined();
	});

	it('keeps the model that it names, and when the task ended', async () => {
		const { render } = await stopDuringPoll({ model: 'veo-2', status: 'SUCCESS' });
		expect(render.task.model).toBe('veo-2');
		expect(render.finishedAtMs).toBe(1_000);
	});
});
