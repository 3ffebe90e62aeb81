import type { FetchResult } from '../../../../nodes/shared/service/videoApi';
import type { TaskStatus } from '../../../../nodes/shared/service/videoTask';
import { step } from '../../../../nodes/shared/task/followTask';
import { NO_TROUBLES, toRender } from '../../../../nodes/shared/task/render';

const DEADLINE_MS = 1_000;
const before = toRender({ task_id: 't', model: 'veo' }, { deadlineMs: DEADLINE_MS, pollCount: 4 });

const said = (status: TaskStatus, more: object = {}): FetchResult => ({
	kind: 'task',
	task: { task_id: 't', status, progress: 50, ...more },
	answer: { status },
});
const met = (httpCode: number): FetchResult => ({
	kind: 'trouble',
	trouble: { message: `Status ${httpCode}`, httpCode, retryable: true },
});
const url = { result_url: 'https://a.example/v.mp4' };

describe('step', () => {
	const rows: Array<[string, FetchResult, number, string]> = [
		['queued', said('queued'), 0, 'rendering'],
		['IN_PROGRESS', said('IN_PROGRESS'), DEADLINE_MS - 1, 'rendering'],
		['IN_PROGRESS', said('IN_PROGRESS'), DEADLINE_MS, 'timedOut'],
		['SUCCESS with an address', said('SUCCESS', url), 0, 'done'],
		['SUCCESS with an address', said('SUCCESS', url), DEADLINE_MS, 'done'],
		['SUCCESS without one', said('SUCCESS'), DEADLINE_MS, 'noVideo'],
		['FAILURE', said('FAILURE'), DEADLINE_MS, 'failed'],
		['trouble', met(502), DEADLINE_MS - 1, 'rendering'],
		['trouble', met(502), DEADLINE_MS, 'timedOut'],
	];
	it.each(rows)('%s (%#) makes it what it is', (_name, result, nowMs, state) => {
		expect(step(before, result, nowMs).state).toBe(state);
	});

	it('counts every fetch, and keeps the model of the submit', () => {
		for (const result of [said('queued'), met(502)]) {
			const { render } = step(before, result, 0);
			expect([render.pollCount, render.task.model]).toEqual([5, 'veo']);
		}
		expect(step(before, said('queued', { model: 'veo-2' }), 0).render.task.model).toBe('veo-2');
	});

	it('puts down when it ended, and only then', () => {
		expect(step(before, said('SUCCESS', url), 7).render.finishedAtMs).toBe(7);
		expect(step(before, said('IN_PROGRESS'), 7).render.finishedAtMs).toBeUndefined();
	});

	it('keeps the last answer through trouble, and forgets trouble at the next answer', () => {
		const first = step(before, said('IN_PROGRESS'), 0).render;
		const second = step(first, met(404), 0);
		expect(second).toMatchObject({ trouble: { httpCode: 404 } });
		expect(second.render.answer).toEqual({ status: 'IN_PROGRESS' });
		expect(second.render.troubles).toEqual({ ...NO_TROUBLES, unknown: 1 });
		expect(step(second.render, said('queued'), 0).render.troubles).toEqual(before.troubles);
	});

	it.each([
		[401, 5],
		[403, 5],
		[404, 6],
		[410, 6],
		[502, 60],
	])('gives up after %i, %i times in a row', (httpCode, times) => {
		let render = before;
		for (let time = 1; time < times; time++) {
			const next = step(render, met(httpCode), 0);
			expect(next.state).toBe('rendering');
			render = next.render;
		}
		expect(step(render, met(httpCode), 0)).toMatchObject({
			state: 'trouble',
			trouble: { httpCode },
		});
	});

	it('changes nothing of what it was given', () => {
		const copy = structuredClone(before);
		step(before, said('SUCCESS', url), 0);
		step(before, met(404), 0);
		expect(before).toEqual(copy);
	});
});
