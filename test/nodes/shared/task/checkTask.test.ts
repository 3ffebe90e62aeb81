import { NO_TROUBLES } from '../../../../nodes/shared/task/render';
import { check, DEADLINE_MS, record, render, SUBMITTED_MS, trouble } from './support/check';

describe('checkTask', () => {
	it('says that a render is done, and when', async () => {
		const url = 'https://a.example/v.mp4';
		const answer = record({ status: 'SUCCESS', progress: 100, result_url: url });
		const { step, asked } = await check([answer], render, 65_000);
		expect(asked).toEqual(['task_1']);
		expect(step).toMatchObject({
			state: 'done',
			render: {
				task: { task_id: 'task_1', status: 'SUCCESS', result_url: url, model: 'veo-3.1' },
				submittedAtMs: SUBMITTED_MS,
				finishedAtMs: 65_000,
				pollCount: 3,
				reused: true,
				answer: { data: { status: 'SUCCESS' } },
			},
		});
	});

	it('keeps the time at which a render ended before', async () => {
		const answer = record({ status: 'SUCCESS', result_url: 'https://a.example/v.mp4' });
		const { step } = await check([answer], { ...render, finishedAtMs: 5 }, 65_000);
		expect(step.render.finishedAtMs).toBe(5);
	});

	it('says that a render has failed, with the reason', async () => {
		const answer = record({ status: 'FAILURE', fail_reason: 'Not allowed' });
		const { step } = await check([answer]);
		expect(step).toMatchObject({
			state: 'failed',
			render: { task: { status: 'FAILURE', fail_reason: 'Not allowed' } },
		});
		expect(step).not.toHaveProperty('trouble');
	});

	it('tells SUCCESS without a video from a video', async () => {
		expect((await check([record({ status: 'SUCCESS' })])).step.state).toBe('noVideo');
	});

	it('leaves one that still renders a little older', async () => {
		const { step } = await check([record()]);
		expect(step).toEqual({
			state: 'rendering',
			render: {
				...render,
				task: { task_id: 'task_1', status: 'IN_PROGRESS', progress: 40, model: 'veo-3.1' },
				pollCount: 3,
				answer: { data: { task_id: 'task_1', status: 'IN_PROGRESS', progress: 40 } },
			},
		});
	});

	it('does not change what it was given: a check that n8n leaves in the middle is made again', async () => {
		const before = structuredClone(render);
		await check([record()]);
		await check([trouble(502)]);
		expect(render).toEqual(before);
	});

	it('tries again through trouble that passes, and counts its fetches', async () => {
		const { step, asked } = await check([trouble(502), trouble(502), record()]);
		expect(asked).toHaveLength(3);
		expect(step).toMatchObject({
			state: 'rendering',
			render: { pollCount: 5, troubles: NO_TROUBLES },
		});
	});

	it('makes nobody wait longer for another try than they would', async () => {
		const { step, asked, tookMs } = await check([trouble(502)], render, 0, 1_500);
		expect(asked).toHaveLength(2);
		expect(tookMs).toBe(1_000);
		expect(step).toMatchObject({ state: 'rendering', trouble: { message: 'Status 502' } });
	});
});

describe('the deadline', () => {
	it('is not there a moment before', async () => {
		expect((await check([record()], render, DEADLINE_MS - 1)).step.state).toBe('rendering');
	});

	it('ends the wait for one that still renders', async () => {
		const { step } = await check([record()], render, DEADLINE_MS);
		expect(step).toMatchObject({ state: 'timedOut', render: { task: { progress: 40 } } });
		expect(step).not.toHaveProperty('trouble');
	});

	it('tells what trouble the last fetch met', async () => {
		const { step } = await check([trouble(502)], render, DEADLINE_MS);
		expect(step).toMatchObject({ state: 'timedOut', trouble: { message: 'Status 502' } });
	});

	it('comes after the tries of a check: a render that has ended by then is done', async () => {
		const answer = record({ status: 'SUCCESS', result_url: 'https://a.example/v.mp4' });
		const { step } = await check([trouble(502), answer], render, DEADLINE_MS + 60_000);
		expect(step.state).toBe('done');
	});

	it('is not said of a task that can no longer be followed', async () => {
		const troubled = { ...render, troubles: { ...NO_TROUBLES, unknown: 3 } };
		expect((await check([trouble(404)], troubled, DEADLINE_MS)).step.state).toBe('trouble');
	});
});

describe('a failure that may pass', () => {
	const failed = record({ status: 'FAILURE', mayPass: true, fail_reason: 'quota' });
	const done = record({ status: 'SUCCESS', result_url: 'https://x.example/a.mp4' });

	it('is looked at for a minute before it is believed', async () => {
		const { step, asked, tookMs } = await check([failed]);
		expect(step).toMatchObject({ state: 'failed', render: { task: { status: 'FAILURE' } } });
		expect([asked.length, tookMs]).toEqual([4, 60_000]);
	});

	it('is forgotten where it has passed', async () => {
		const { step, asked } = await check([failed, failed, done]);
		expect(step).toMatchObject({ state: 'done', render: { pollCount: 5, troubles: NO_TROUBLES } });
		expect(asked).toHaveLength(3);
	});

	it('does not hold whoever does not wait: the task is what it was', async () => {
		const { step, asked } = await check([failed], render, 0, 10_000);
		expect(step).toMatchObject({ state: 'rendering', render: { task: { status: 'queued' } } });
		expect(asked).toHaveLength(1);
	});

	it('is believed once the time is up', async () => {
		expect((await check([failed], render, DEADLINE_MS)).step.state).toBe('failed');
	});

	it('is believed at once where the record is the own one of the service', async () => {
		expect((await check([record({ status: 'FAILURE' })])).step.state).toBe('failed');
	});
});
