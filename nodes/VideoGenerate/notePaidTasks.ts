import type { Run } from '../shared/item/run';
import { openConnection } from '../shared/service/connection';
import { createLedger, toWish } from '../shared/task/ledger';

/**
 * Tells the run which of its items an earlier try has paid for, before they are read: one that cannot
 * be read any more, such as an image whose address has expired, fails with the ID of its task.
 */
export async function notePaidTasks(run: Run): Promise<void> {
	const { context, credential, redaction, items, forAgent } = run;
	const { paidTasks } = context.getContext('node') as { paidTasks?: object };
	if (forAgent || !paidTasks || Object.keys(paidTasks).length === 0) return;
	// A credential that cannot be opened says so where it is used; its tasks are known all the same.
	const connection = await openConnection(context, credential, redaction).catch(() => undefined);
	const ledger = createLedger(run, connection?.baseUrl);
	for (const itemIndex of items.keys()) {
		const known = ledger.find({ itemIndex, wish: toWish(run, itemIndex), reuseTask: true });
		if (known && 'task' in known) run.taskIds.set(itemIndex, known.task.task_id);
	}
}
