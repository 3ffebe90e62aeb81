import type { Clock } from '../lib/clock';
import type { Connection } from '../service/connection';
import { createPrices } from '../service/cost';
import { fetchTask, type FetchResult } from '../service/videoApi';

/** Fetches tasks of one run; those that are done with what they have cost, where the service tells. */
export function openFetch(
	connection: Connection,
	{ clock, signal }: { clock: Clock; signal: AbortSignal },
): (task_id: string, limitMs?: number) => Promise<FetchResult> {
	const toCost = createPrices(connection);
	return async (task_id, limitMs = Infinity) => {
		const untilMs = clock.now() + limitMs;
		const leftMs = () => Math.max(0, untilMs - clock.now());
		const result = await fetchTask(connection, task_id, { leftMs, signal });
		const charge = result.kind === 'task' ? result.task.charge : undefined;
		const cost = charge && (await toCost(charge, leftMs()));
		return result.kind === 'task' && cost ? { ...result, task: { ...result.task, cost } } : result;
	};
}
