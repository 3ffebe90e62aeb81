import type { Run } from '../shared/item/run';
import { openConnection } from '../shared/service/connection';
import { createLedger } from '../shared/task/ledger';
import { toWish } from '../shared/task/wish';

/**
 * Tells the run which of its items an earlier try has paid for, before they are read: one that cannot
 * be read any more, such as an image whose address has expired, fails with the ID of its task.
 */
export async function notePaidTasks(run: Run): Promise<void> {
	const { context, credential, redaction, parameters, items, forAgent } = run;
	const { paidTasks } = context.getContext('node') as { paidTasks?: object };
	if (forAgent || !paidTasks || Object.keys(paidTasks).length === 0) return;
	try {
		const { baseUrl } = await openConnection(context, credential, redaction);
		const ledger = createLedger(run, baseUrl);
		for (const [itemIndex, item] of items.entries()) {
			const wish = toWish(parameters, item);
			const known = ledger.find({ itemIndex, wish, request: undefined, reuseTask: true });
			if (known && 'task' in known) run.taskIds.set(itemIndex, known.task.task_id);
		}
	} catch {
		// A credential that cannot be opened says so where it is used.
	}
}
