import type { Run } from '../item/run';
import type { Connection } from '../service/connection';
import { createPrices } from '../service/cost';
import { type FetchedTask, fetchTask } from '../service/fetchTask';
import type { Render } from './render';
import { type CheckFailure, isFailure } from '../service/reason';

/** Returns a function that fetches a task, and adds the cost on SUCCESS if the service tells it. */
export function createFetch({ clock }: Run, connection: Connection) {
	const toCost = createPrices(connection);
	/** `limitMs` is how long the caller can wait, in milliseconds. */
	return async (render: Render, limitMs = Infinity): Promise<FetchedTask | CheckFailure> => {
		const nowMs = clock.now();
		const result = await fetchTask(connection, render.task, limitMs);
		if (isFailure(result) || !result.task.charge) return result;
		const leftMs = Math.max(0, nowMs + limitMs - clock.now());
		const cost = await toCost(result.task.charge, leftMs);
		return cost ? { ...result, task: { ...result.task, cost } } : result;
	};
}
