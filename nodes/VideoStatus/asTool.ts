import type { IDataObject } from 'n8n-workflow';

import { createLimiter } from '../shared/lib/limiter';
import type { LookTools } from '../shared/task/checkTask';
import { pollTask } from '../shared/task/pollTask';
import { toToolJson } from '../shared/agent/answer';
import type { ToolPace } from '../shared/agent/pace';
import type { Connection } from '../shared/service/http';
import { isFinal, type VideoTask } from '../shared/service/videoTask';

const POLL_INTERVAL_MS = 5_000;
const MAX_POLL_INTERVAL_MS = 10_000;

/**
 * Watches a task of which its agent has heard a moment ago: agents ask again at once, and each turn
 * of a model costs time, money and one of the turns that n8n gives it. What came of it is left to
 * the look that follows.
 */
export async function watchTask(
	task_id: string,
	maxWaitMs: number,
	tools: LookTools & { now: () => number },
): Promise<void> {
	if (maxWaitMs <= 0) return;
	const job = {
		itemIndex: 0,
		pollIntervalMs: POLL_INTERVAL_MS,
		maxPollIntervalMs: MAX_POLL_INTERVAL_MS,
		maxWaitMs,
	};
	const render = {
		task: { task_id, status: 'queued' as const, progress: 0 },
		submittedAtMs: 0,
		pollCount: 0,
		reused: true,
		answer: undefined,
	};
	await pollTask(job, render, { ...tools, limiter: createLimiter(1) });
}

/** The task for an agent, which is noted to have heard of it. */
export function tellAgent(task: VideoTask, connection: Connection, pace: ToolPace): IDataObject {
	if (!isFinal(task.status)) pace.told(task.task_id);
	return toToolJson(task, connection);
}
