import { delayMs, toTroubleKind, type TroubleKind } from '../service/retry';
import type { FetchResult } from '../service/videoApi';
import type { Wait } from './wait';

/** Tries of one look, by what goes wrong: a passing fault is not a state of the task. */
const MAX_TRIES: Record<TroubleKind, number> = { refused: 2, unknown: 3, trouble: 5 };

export interface LookTools {
	fetchTask: (task_id: string) => Promise<FetchResult>;
	wait: Wait;
	signal: AbortSignal;
	random: () => number;
}

/** Looks at a task once, through passing faults; says how many requests that took. */
export async function lookAtTask(
	task_id: string,
	{ fetchTask, wait, signal, random }: LookTools,
): Promise<{ result: FetchResult; pollCount: number }> {
	for (let pollCount = 1; ; pollCount++) {
		const result = await fetchTask(task_id);
		const enough = result.kind === 'task' || pollCount >= MAX_TRIES[toTroubleKind(result.error)];
		if (enough || signal.aborted) return { result, pollCount };
		await wait(result.retryAfterMs ?? delayMs(pollCount, random()));
	}
}
