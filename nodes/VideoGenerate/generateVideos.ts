import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { tellLastFrames } from '../shared/download/lastFrame';
import { toOutput } from '../shared/item/output';
import { openRun, type Run } from '../shared/item/run';
import { runItems } from '../shared/item/runItems';
import { openConnection } from '../shared/service/connection';
import { createLedger } from '../shared/task/ledger';
import { noteBegin } from '../shared/task/lostRuns';
import { noteStop } from '../shared/task/renderVideo';
import { tellBilled, toSubmitFailure } from '../shared/task/taskResult';
import { toWish } from '../shared/task/wish';
import { openBatch } from './batch';
import { videoGenerateFields } from './fields';
import { createJobReader, readEarlierError } from './readJob';
import { openTalk } from './talk';

/** Reads and checks all items, submits, waits and downloads. Resolves to the output of the node. */
export async function generateVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'videoGenerationApi', videoGenerateFields);
	const end = noteStop(run);
	const talk = openTalk(run);
	try {
		await noteBegin(run);
		await notePaidTasks(run);
		const { read, maxVideos } = createJobReader(run);
		const { results, opened: batch } = await runItems(run, read, (_run, connection, jobs) =>
			openBatch(run, connection, jobs, maxVideos(), talk),
		);
		tellBilled(results);
		const parked = await batch?.waitDurably(results);
		tellLastFrames(run);
		if (parked) return parked;
		tellBilled(results);
		const sum = batch?.report.sumUp(results);
		talk?.sumUp(results, sum);
		return toOutput(run, results);
	} finally {
		end();
		await talk?.end();
	}
}

/**
 * Tells the run, before items are read, which of them an earlier try has paid for. An item that can
 * no longer be read (say, its image URL has expired) then still fails with its task ID.
 */
async function notePaidTasks(run: Run): Promise<void> {
	const { context, credential, redaction, items, forAgent } = run;
	const { paidTasks } = context.getContext('node') as { paidTasks?: object };
	if (forAgent || !paidTasks || Object.keys(paidTasks).length === 0) return;
	// A credential that cannot be opened is reported later, where it is used; the paid tasks are
	// found without it.
	const connection = await openConnection(context, credential, redaction).catch(() => undefined);
	const ledger = createLedger(run, connection?.baseUrl);
	for (const itemIndex of items.keys()) {
		const wish = toWish(run, itemIndex);
		const known = ledger.find({ itemIndex, wish, ...readEarlierError(items[itemIndex].json) });
		if (known && 'task' in known) run.taskIds.set(itemIndex, known.task.task_id);
		else if (known) run.unclear.set(itemIndex, toSubmitFailure(known));
	}
}
