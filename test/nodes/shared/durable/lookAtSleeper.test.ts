import { lookAtSleeper } from '../../../../nodes/shared/durable/lookAtSleeper';
import type { SleepingVideo } from '../../../../nodes/shared/durable/sleepingVideo';
import { NO_TROUBLES } from '../../../../nodes/shared/service/troubles';
import type { FetchResult } from '../../../../nodes/shared/service/videoApi';
import type { VideoTask } from '../../../../nodes/shared/service/videoTask';
import { createVirtualTime } from '../../../support/virtualTime';
import { sleeper as sleeperOf } from './support/sleeper';

const SUBMITTED_MS = -600_000;
const DEADLINE_MS = 1_200_000;

const sleeper = sleeperOf(1, SUBMITTED_MS);

const record = (changes: Partial<VideoTask> = {}): FetchResult => {
	const task: VideoTask = { task_id: 'task_1', status: 'IN_PROGRESS', progress: 40, ...changes };
	return { kind: 'task', task, answer: { data: task } };
};
const trouble = (httpCode: number, code?: string): FetchResult => ({
	kind: 'trouble',
	error: { message: `Status ${httpCode}`, httpCode, code, retryable: true },
});

/** One look after a sleep that ends at `atMs`; the last answer is given again and again. */
async function look(answers: FetchResult[], from: SleepingVideo = sleeper, atMs = 0) {
	const time = createVirtualTime();
	const asked: string[] = [];
	const outcome = await time.run(
		(async () => {
			await time.wait(atMs);
			return await lookAtSleeper(from, {
				fetchTask: async (task_id) => answers[Math.min(asked.push(task_id), answers.length) - 1],
				wait: time.wait,
				signal: new AbortController().signal,
				random: () => 0,
				now: time.now,
			});
		})(),
	);
	return { outcome, asked };
}

/** Looks again and again at what each look leaves asleep. */
async function lookRepeatedly(rounds: FetchResult[][]) {
	let requests = 0;
	let from = sleeper;
	for (const [round, answers] of rounds.entries()) {
		const { outcome, asked } = await look(answers, from);
		requests += asked.length;
		if ('state' in outcome) return { outcome, looks: round + 1, requests };
		from = outcome;
	}
	return { outcome: from, looks: rounds.length, requests };
}

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

describe('trouble that lasts over looks', () => {
	const kinds: Array<[string, number, number, FetchResult]> = [
		['a 401', 3, 6, trouble(401)],
		['a 403', 3, 6, trouble(403)],
		['an unknown id', 2, 6, trouble(404)],
		['an unknown id, in words', 2, 6, trouble(400, 'task_not_exist')],
		['a gateway that is down', 12, 60, trouble(502)],
	];
	it.each(kinds)('%s ends the wait after %i looks', async (_name, looks, requests, answer) => {
		const end = await lookRepeatedly(Array.from({ length: 99 }, () => [answer]));
		expect(end).toMatchObject({ looks, requests });
		expect(end.outcome).toMatchObject({
			state: 'lost',
			render: { task: { task_id: 'task_1' }, pollCount: 2 + requests },
			error: answer.kind === 'trouble' ? answer.error : undefined,
		});
	});

	it('is remembered from one look to the next', async () => {
		const { outcome } = await look([trouble(502)]);
		expect(outcome).toMatchObject({ troubles: { refused: 0, unknown: 0, trouble: 5 } });
		const next = await look([trouble(401)], outcome as SleepingVideo);
		expect(next.outcome).toMatchObject({ troubles: { refused: 2, unknown: 0, trouble: 5 } });
	});

	it('is counted by its kind within a look, too', async () => {
		const { outcome, asked } = await look([trouble(502), trouble(502), trouble(404), trouble(401)]);
		expect(asked).toHaveLength(5);
		expect(outcome).toMatchObject({ troubles: { refused: 2, unknown: 1, trouble: 2 } });
	});

	it('is forgotten after an answer that is a task', async () => {
		const rounds = [[trouble(404)], [record()], [trouble(404)], [record()], [trouble(404)]];
		const { outcome, looks } = await lookRepeatedly(rounds);
		expect(looks).toBe(rounds.length);
		expect(outcome).toMatchObject({ troubles: { unknown: 3 } });
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
