import { type Reason, readReason } from '../../../../nodes/shared/failure/reason';
import { answerTooLarge } from '../../../../nodes/shared/http/answer';
import type { TaskStatus } from '../../../../nodes/shared/services/answerPaths';
import type { TaskAnswer } from '../../../../nodes/shared/services/videoTask';
import { type Render, toRender } from '../../../../nodes/shared/task/render';
import { step } from '../../../../nodes/shared/task/step';

const DEADLINE_MS = 1_200_000;

/** A render that was polled twice before. */
const before: Render = toRender(
	{ task_id: 'task_1', model: 'veo-3.1' },
	{ submittedAtMs: -600_000, deadlineMs: DEADLINE_MS, pollCount: 2, reused: true },
);
const said = (status: TaskStatus, more: object = {}): TaskAnswer => ({
	task: { task_id: 't', status, progress: 50, ...more },
	answer: { status },
});
const met = (status: number, code?: string): Reason =>
	readReason('check', { status, headers: {}, body: '{}' }, { code });
const url = { result_url: 'https://a.example/v.mp4' };
const shaky = said('FAILURE', { hasLiveRecord: true });

const LATE = DEADLINE_MS;

it.each<[what: string, TaskAnswer | Reason, nowMs: number, states: string, times: number]>([
	['queued', said('queued'), 0, 'rendering', 1],
	['IN_PROGRESS, late', said('IN_PROGRESS'), LATE, 'timedOut', 1],
	['SUCCESS, late', said('SUCCESS', url), LATE, 'done', 1],
	['FAILURE, late', said('FAILURE'), LATE, 'failed', 1],
	['trouble', met(502), LATE - 1, 'rendering', 1],
	['trouble, late', met(502), LATE, 'timedOut', 1],
	['401', met(401), 0, 'lost', 5],
	['an answer over the size limit', readReason('check', answerTooLarge(1)), 0, 'lost', 5],
	['a task that is not known', met(400, 'task_not_exist'), 0, 'lost', 6],
	['410', met(410), 0, 'lost', 6],
	['502', met(502), 0, 'lost', 60],
	['a failure that may pass', shaky, 0, 'failed', 4],
	['a failure that may pass, late', shaky, LATE, 'failed', 4],
])('%s makes it what it is once it has come so often', (_what, result, nowMs, state, times) => {
	let [render, count] = [before, 0];
	for (let now = ''; now !== state; count++) {
		({ state: now, render } = step(render, result, nowMs));
	}
	expect(count).toBe(times);
});

it('counts every fetch, and keeps the model of the submit', () => {
	for (const result of [said('queued'), met(502)]) {
		const { render } = step(before, result, 0);
		expect([render.pollCount, render.task.model]).toEqual([3, 'veo-3.1']);
	}
	expect(step(before, said('queued', { model: 'veo-2' }), 0).render.task.model).toBe('veo-2');
});

it('takes no SUCCESS back', () => {
	const { render } = step(before, said('SUCCESS', url), 0);
	const between = step(render, said('IN_PROGRESS'), 0).render;
	for (const earlier of [render, between]) {
		expect(step(earlier, said('FAILURE'), DEADLINE_MS)).toMatchObject({ state: 'done' });
	}
});

it('puts down when it ended, once', () => {
	const { render } = step(before, said('SUCCESS', url), 7);
	expect(render.finishedAtMs).toBe(7);
	expect(step(render, said('SUCCESS', url), 9).render.finishedAtMs).toBe(7);
});

it('keeps the last answer through trouble, and forgets trouble at the next answer', () => {
	const first = step(before, said('IN_PROGRESS'), 0).render;
	const second = step(first, met(404), 0);
	expect(second).toMatchObject({ because: { httpCode: 404 }, render: { missed: 10 } });
	expect(second.render.answer).toEqual({ status: 'IN_PROGRESS' });
	const third = step(step(second.render, shaky, 0).render, said('queued'), 0).render;
	expect(third).toMatchObject({ missed: 0, doubted: 0 });
});

it('keeps the progress where an empty answer says only that it renders', () => {
	const first = step(before, said('IN_PROGRESS', { progress: 80 }), 0).render;
	const empty = { ...said('IN_PROGRESS', { progress: 0 }), answer: undefined };
	expect(step(first, empty, 0).render.task.progress).toBe(80);
});
