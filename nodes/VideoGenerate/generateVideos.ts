import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toOutput } from '../shared/item/output';
import type { Reader } from '../shared/item/reader';
import { openRun } from '../shared/item/run';
import { runItems } from '../shared/item/runItems';
import { noteStop } from '../shared/task/customData';
import { openBatch } from './batch';
import { videoGenerateFields } from './fields';
import { createLookups } from './lookups';
import { readJob } from './readJob';

/** All items of the node: read and check, submit, wait, download, and give one item for each. */
export async function generateVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = openRun(context, 'videoGenerationApi', videoGenerateFields);
	const end = noteStop(run);
	try {
		const lookups = createLookups(run);
		const read = async (reader: Reader) => await readJob(reader, run, lookups);
		const { results, opened: batch } = await runItems(run, read, openBatch);
		const parked = await batch?.waitDurably(results);
		if (parked) return parked;
		batch?.report.sumUp();
		return toOutput(run, results);
	} finally {
		end();
	}
}
