import type { Clock } from '../lib/time';
import type { Connection } from '../service/connection';
import { createPrices } from '../service/cost';
import { askForContent, contentUrl, type FetchResult, fetchTask } from '../service/videoApi';
import type { Render } from './render';
import { createSeldomFetch, type SeldomFetching } from './seldomFetch';

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

/** The same for one task that is to be asked for seldom. */
export const openSeldomFetch = (
	connection: Connection,
	fetch: SeldomFetching['fetchTask'],
	{ clock, signal }: { clock: Clock; signal: AbortSignal },
) => {
	const fetching: SeldomFetching = {
		fetchTask: fetch,
		askForContent: async (task_id, limitMs) =>
			await askForContent(connection, task_id, { limitMs, signal }),
		contentUrl: (task_id) => contentUrl(connection, task_id),
		clock,
	};
	return (render: Pick<Render, 'reused' | 'deadlineMs'>) => createSeldomFetch(fetching, render);
};
