import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toOutput } from '../shared/item/output';
import type { Reader } from '../shared/item/reader';
import { openRun } from '../shared/item/run';
import { runItems } from '../shared/item/runItems';
import { noteStop } from '../shared/task/customData';
import { noteBegin } from '../shared/task/interrupted';
import { openBatch } from './batch';
import { videoGenerateFields } from './fields';
import { createLookups } from './lookups';
import { notePaidTasks } from './notePaidTasks';
import { readJob } from './readJob';
import { openTalk } from './talk';

/** All items of the node: read and check, submit, wait, download, and give one item for each. */
export async function generateVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'videoGenerationApi', videoGenerateFields);
	const end = noteStop(run);
	const talk = openTalk(run);
	try {
		await noteBegin(run);
		await notePaidTasks(run);
		const lookups = createLookups(run);
		const read = async (reader: Reader) => await readJob(reader, run, lookups);
		const { results, opened: batch } = await runItems(run, read, (...opened) =>
			openBatch(...opened, talk),
		);
		const parked = await batch?.waitDurably(results);
		if (parked) return parked;
		const summary = batch?.report.sumUp();
		talk?.sumUp(results, summary);
		return toOutput(run, results);
	} finally {
		end();
		await talk?.end();
	}
}
