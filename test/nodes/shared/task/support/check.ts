import type { FetchResult } from '../../../../../nodes/shared/service/videoApi';
import type { VideoTask } from '../../../../../nodes/shared/service/videoTask';
import { checkTask } from '../../../../../nodes/shared/task/checkTask';
import { type Render, toRender } from '../../../../../nodes/shared/task/render';
import { createVirtualTime } from '../../../../support/virtualTime';

export const SUBMITTED_MS = -600_000;
export const DEADLINE_MS = 1_200_000;

/** A render that was polled twice before. */
export const render: Render = toRender(
	{ task_id: 'task_1', model: 'veo-3.1' },
	{ submittedAtMs: SUBMITTED_MS, deadlineMs: DEADLINE_MS, pollCount: 2, reused: true },
);

export const record = (changes: Partial<VideoTask> = {}): FetchResult => {
	const task: VideoTask = { task_id: 'task_1', status: 'IN_PROGRESS', progress: 40, ...changes };
	return { kind: 'task', task, answer: { data: task } };
};
export const trouble = (httpCode: number, code?: string): FetchResult => ({
	kind: 'trouble',
	trouble: { message: `Status ${httpCode}`, httpCode, code, retryable: true },
});

/** One check at `atMs`; the last answer is given again and again. */
export async function check(
	answers: FetchResult[],
	from = render,
	atMs = 0,
	maxPauseMs = Infinity,
) {
	const time = createVirtualTime();
	const asked: string[] = [];
	const step = await time.run(
		(async () => {
			await time.pause(atMs);
			return await checkTask(from, {
				fetchTask: async (task_id) => answers[Math.min(asked.push(task_id), answers.length) - 1],
				clock: time.clock(),
				signal: new AbortController().signal,
				maxPauseMs,
			});
		})(),
	);
	return { step, asked, tookMs: time.now() - atMs };
}

/** Checks again and again what each check leaves rendering. */
export async function checkRepeatedly(rounds: FetchResult[][]) {
	let fetches = 0;
	let from = render;
	for (const [round, answers] of rounds.entries()) {
		const { step, asked } = await check(answers, from);
		fetches += asked.length;
		if (step.state !== 'rendering') return { step, checks: round + 1, fetches };
		from = step.render;
	}
	return { step: { state: 'rendering', render: from }, checks: rounds.length, fetches };
}
