import type { Run } from '../item/run';

/** How long all calls of Video Generate in one execution poll their new tasks, taken together. */
const FIRST_POLLS_MS = 20_000;
/** An agent hears at most this often that the same task is still rendering. */
export const BETWEEN_NEWS_MS = 45_000;

/**
 * How long the tools of an agent wait. n8n runs several calls of one turn one after the other, so
 * waits that belong to a call would add up; these belong to the execution and to its tasks.
 */
export interface AgentPace {
	/** What is left of the time for new tasks, in milliseconds. */
	forNewTasksMs: () => number;
	/** How long to poll a task before its agent hears again that it is not finished. */
	untilNewsMs: (task_id: string) => number;
	/** The agent hears now that the task is not finished. */
	told: (task_id: string) => void;
}

interface News {
	firstPollsEndMs?: number;
	toldMs: Record<string, number>;
}

/** An agent may ask for a task of any name, such as those that every object has. */
const keyOf = (task_id: string) => `task ${task_id}`;

/** Kept in n8n's context of the execution, which all of its nodes share. */
export function createAgentPace({ context, clock }: Pick<Run, 'context' | 'clock'>): AgentPace {
	const store = context.getContext('flow') as { videoNews?: News };
	const news = (store.videoNews ??= { toldMs: {} });
	const left = (untilMs: number) => Math.max(0, untilMs - clock.now());
	return {
		forNewTasksMs: () => left((news.firstPollsEndMs ??= clock.now() + FIRST_POLLS_MS)),
		untilNewsMs: (task_id) => left((news.toldMs[keyOf(task_id)] ?? -Infinity) + BETWEEN_NEWS_MS),
		told: (task_id) => {
			news.toldMs[keyOf(task_id)] = clock.now();
		},
	};
}
