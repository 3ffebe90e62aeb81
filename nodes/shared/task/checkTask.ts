import { delayMs } from '../service/retry';
import {
	addTroubles,
	NO_TROUBLES,
	toTroubleKind,
	type TroubleKind,
	type Troubles,
} from './troubles';
import type { FetchResult } from '../service/videoApi';
import type { Wait } from '../lib/pause';

/** Tries of one look, by what goes wrong: a passing fault is not a state of the task. */
const MAX_TRIES: Record<TroubleKind, number> = { refused: 2, unknown: 3, trouble: 5 };

export interface LookTools {
	fetchTask: (task_id: string) => Promise<FetchResult>;
	wait: Wait;
	signal: AbortSignal;
	random: () => number;
	/** Whoever does not wait longer than this for another try is not made to. */
	maxPauseMs?: number;
}

export interface Look {
	result: FetchResult;
	/** Requests that it took. */
	pollCount: number;
	/** What they met. */
	troubles: Troubles;
}

/** Looks at a task once, through passing faults. */
export async function lookAtTask(
	task_id: string,
	{ fetchTask, wait, signal, random, maxPauseMs = Infinity }: LookTools,
): Promise<Look> {
	let troubles = NO_TROUBLES;
	for (let pollCount = 1; ; pollCount++) {
		const result = await fetchTask(task_id);
		if (result.kind === 'task') return { result, pollCount, troubles };
		const kind = toTroubleKind(result.error);
		troubles = addTroubles(troubles, { [kind]: 1 });
		const pauseMs = result.retryAfterMs ?? delayMs(pollCount, random());
		const isLast = troubles[kind] >= MAX_TRIES[kind] || pauseMs > maxPauseMs;
		if (isLast || signal.aborted) return { result, pollCount, troubles };
		await wait(pauseMs);
	}
}
