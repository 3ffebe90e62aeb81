import { NO_TROUBLES } from '../../../../nodes/shared/task/troubles';
import { DEADLINE_MS, look, record, sleeper, SUBMITTED_MS, trouble } from './support/look';

describe('lookAtSleeper', () => {
	it('says that a render is done, and when', async () => {
		const url = 'https://a.example/v.mp4';
		const answer = record({ status: 'SUCCESS', progress: 100, result_url: url });
		const { outcome, asked } = await look([answer], sleeper, 65_000);
		expect(asked).toEqual(['task_1']);
		expect(outcome).toMatchObject({
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

	it('says that a render has failed, with the reason', async () => {
		const answer = record({ status: 'FAILURE', fail_reason: 'Not allowed' });
		const { outcome } = await look([answer]);
		expect(outcome).toMatchObject({
			state: 'failed',
			render: { task: { status: 'FAILURE', fail_reason: 'Not allowed' } },
		});
		expect(outcome).not.toHaveProperty('error');
	});

	it('takes SUCCESS without a video for a failed render', async () => {
		const { outcome } = await look([record({ status: 'SUCCESS' })]);
		expect(outcome).toMatchObject({
			state: 'failed',
			error: { message: expect.stringContaining('names no video'), retryable: false },
		});
	});

	it('lets one that still renders sleep on, a little older', async () => {
		const { outcome } = await look([record()]);
		expect(outcome).toEqual({
			...sleeper,
			render: {
				...sleeper.render,
				task: { task_id: 'task_1', status: 'IN_PROGRESS', progress: 40, model: 'veo-3.1' },
				pollCount: 3,
				answer: { data: { task_id: 'task_1', status: 'IN_PROGRESS', progress: 40 } },
			},
		});
	});

	it('does not change what it was given: a look that n8n leaves in the middle is made again', async () => {
		const before = structuredClone(sleeper);
		await look([record()]);
		await look([trouble(502)]);
		expect(sleeper).toEqual(before);
	});

	it('looks through a passing fault and counts its requests', async () => {
		const { outcome, asked } = await look([trouble(502), trouble(502), record()]);
		expect(asked).toHaveLength(3);
		expect(outcome).toMatchObject({ render: { pollCount: 5 }, troubles: NO_TROUBLES });
		expect(outcome).not.toHaveProperty('state');
	});
});

describe('the deadline', () => {
	it('is not there a moment before', async () => {
		expect((await look([record()], sleeper, DEADLINE_MS - 1)).outcome).not.toHaveProperty('state');
	});

	it('ends the wait for one that still renders', async () => {
		const { outcome } = await look([record()], sleeper, DEADLINE_MS);
		expect(outcome).toMatchObject({ state: 'timedOut', render: { task: { progress: 40 } } });
		expect(outcome).not.toHaveProperty('error');
	});

	it('tells what went wrong with the last look', async () => {
		const { outcome } = await look([trouble(502)], sleeper, DEADLINE_MS);
		expect(outcome).toMatchObject({ state: 'timedOut', error: { message: 'Status 502' } });
	});

	it('comes after a look: a render that has ended by then is done', async () => {
		const answer = record({ status: 'SUCCESS', result_url: 'https://a.example/v.mp4' });
		const { outcome } = await look([answer], sleeper, DEADLINE_MS + 60_000);
		expect(outcome).toMatchObject({ state: 'done' });
	});

	it('is not said of a task that cannot be followed any more', async () => {
		const troubled = { ...sleeper, troubles: { ...NO_TROUBLES, unknown: 3 } };
		const { outcome } = await look([trouble(404)], troubled, DEADLINE_MS);
		expect(outcome).toMatchObject({ state: 'lost' });
	});
});
