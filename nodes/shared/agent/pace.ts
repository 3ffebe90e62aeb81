import type { IExecuteFunctions } from 'n8n-workflow';

/** How long all calls of Video Generate in one execution watch their new tasks, taken together. */
export const FIRST_WATCH_MS = 20_000;
/** An agent hears at most this often that the same task is still rendering. */
export const BETWEEN_NEWS_MS = 45_000;

/**
 * How long the tools of an agent wait. n8n runs several calls of one turn one after the other, so
 * waits that belong to a call would add up; these belong to the execution and to its tasks.
 */
export interface ToolPace {
	/** What is left of the time for new tasks, in milliseconds. */
	firstWatchMs: () => number;
	/** How long to watch a task before its agent hears again that it is not finished. */
	untilNewsMs: (task_id: string) => number;
	/** The agent hears now that the task is not finished. */
	told: (task_id: string) => void;
}

interface Told {
	firstWatchEndsMs?: number;
	toldMs: Record<string, number>;
}

/** Kept in n8n's context of the execution, which all of its nodes share. */
export function createToolPace(
	context: Pick<IExecuteFunctions, 'getContext'>,
	now: () => number,
): ToolPace {
	const store = context.getContext('flow') as { videoTools?: Told };
	const told = (store.videoTools ??= { toldMs: {} });
	const left = (untilMs: number) => Math.max(0, untilMs - now());
	return {
		firstWatchMs: () => left((told.firstWatchEndsMs ??= now() + FIRST_WATCH_MS)),
		untilNewsMs: (task_id) => left((told.toldMs[task_id] ?? -Infinity) + BETWEEN_NEWS_MS),
		told: (task_id) => {
			told.toldMs[task_id] = now();
		},
	};
}
