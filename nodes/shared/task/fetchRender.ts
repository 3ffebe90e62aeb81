import type { Run } from '../item/run';
import type { Connection } from '../service/connection';
import { createPrices } from '../service/cost';
import { type Failure, isFailure } from '../service/failure';
import { type FetchedTask, fetchTask } from '../service/fetchTask';
import type { Render } from './render';

/**
 * Milliseconds between two fetches of a record for which New API asks the vendor (Veo). It looks at its
 * tasks every 15 to 30 seconds by itself, and refunds a failed one only if that look, and not our fetch,
 * was the first to see the failure.
 */
const LIVE_RECORD_EVERY_MS = 30_000;

/** Returns a function that fetches a task, and adds the cost on SUCCESS if the service tells it. */
export function createFetch({ clock }: Run, connection: Connection) {
	const toCost = createPrices(connection);
	/** When records were last fetched, by task ID. */
	const fetchedMs = new Map<string, number>();
	/** `limitMs` is how long the caller can wait, in milliseconds. */
	return async (render: Render, limitMs = Infinity): Promise<FetchedTask | Failure> => {
		const { task, submittedAtMs = -Infinity, deadlineMs = Infinity } = render;
		const nowMs = clock.now();
		// Trouble, or a failure that may pass, is believed only after several fetches of the record.
		const meetsTrouble = Object.values(render.troubles).some((count) => count > 0);
		const lastMs = fetchedMs.get(task.task_id) ?? submittedAtMs;
		const isEarly = nowMs - lastMs < LIVE_RECORD_EVERY_MS && nowMs < deadlineMs;
		if (task.hasLiveRecord && isEarly && !meetsTrouble) return { task, answer: undefined };
		fetchedMs.set(task.task_id, nowMs);
		const result = await fetchTask(connection, task, limitMs);
		if (isFailure(result) || !result.task.charge) return result;
		const leftMs = Math.max(0, nowMs + limitMs - clock.now());
		const cost = await toCost(result.task.charge, leftMs);
		return cost ? { ...result, task: { ...result.task, cost } } : result;
	};
}
