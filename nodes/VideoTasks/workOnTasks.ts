import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toObjects } from '../shared/lib/json';
import { createLimiter } from '../shared/lib/turns';
import { type Done, type ItemResult, toOutput } from '../shared/n8n/output';
import type { Reader } from '../shared/n8n/reader';
import { createRun, type Run } from '../shared/n8n/run';
import { runItems } from '../shared/n8n/runItems';
import { CONCURRENT_CHECKS } from '../shared/task/poll';
import { createCancels, readCancel } from './cancel';
import { videoTasksFields } from './fields';
import { createLists, readQuery } from './getMany';

/** Lists tasks, or cancels them. Resolves to the output of the node. */
export async function workOnTasks(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = createRun(context, 'videoGenerationApi', videoTasksFields);
	const { results } = await runItems(run, readJob, (connection) => {
		const list = createLists(run, connection);
		const cancel = createCancels(run, connection);
		return {
			work: async (job: TasksJob): Promise<ItemResult | undefined> =>
				'query' in job ? await list(job) : await cancel(job),
			limiter: createLimiter(CONCURRENT_CHECKS, run.signal),
		};
	});
	return toOutput(run, results).flatMap(toSeveral);
}

type TasksJob = Exclude<ReturnType<typeof readQuery> | ReturnType<typeof readCancel>, Done>;

const readJob = (read: Reader, run: Run): TasksJob | Done =>
	read.choice('operation') === 'cancel' ? readCancel(read, run) : readQuery(read, run);

/** Returns an item for each task of a list. */
function toSeveral(item: INodeExecutionData): INodeExecutionData[] {
	const { tasks } = item.json;
	return Array.isArray(tasks) ? toObjects(tasks).map((json) => ({ ...item, json })) : [item];
}
