import { lookAtSleeper } from '../../../../../nodes/shared/durable/checkSleeper';
import type { SleepingVideo } from '../../../../../nodes/shared/durable/sleepingVideo';
import type { FetchResult } from '../../../../../nodes/shared/service/videoApi';
import type { VideoTask } from '../../../../../nodes/shared/service/videoTask';
import { createVirtualTime } from '../../../../support/virtualTime';
import { sleeper as sleeperOf } from './sleeper';

export const SUBMITTED_MS = -600_000;
export const DEADLINE_MS = 1_200_000;

export const sleeper = sleeperOf(1, SUBMITTED_MS);

export const record = (changes: Partial<VideoTask> = {}): FetchResult => {
	const task: VideoTask = { task_id: 'task_1', status: 'IN_PROGRESS', progress: 40, ...changes };
	return { kind: 'task', task, answer: { data: task } };
};
export const trouble = (httpCode: number, code?: string): FetchResult => ({
	kind: 'trouble',
	error: { message: `Status ${httpCode}`, httpCode, code, retryable: true },
});

/** One look after a sleep that ends at `atMs`; the last answer is given again and again. */
export async function look(answers: FetchResult[], from: SleepingVideo = sleeper, atMs = 0) {
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
export async function lookRepeatedly(rounds: FetchResult[][]) {
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
