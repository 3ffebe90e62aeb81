import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toAgentJson } from '../shared/agent/answer';
import { createAgentPace } from '../shared/agent/pace';
import { toOutput, type ItemResult } from '../shared/item/output';
import type { Reader } from '../shared/item/reader';
import { openRun, type Run } from '../shared/item/run';
import { runItems } from '../shared/item/runItems';
import { createLimiter } from '../shared/lib/limiter';
import type { Connection } from '../shared/service/connection';
import { fetchTask } from '../shared/service/videoApi';
import { isFinal } from '../shared/service/videoTask';
import { checkTask } from '../shared/task/checkTask';
import { pollTask } from '../shared/task/pollTask';
import type { Render } from '../shared/task/render';
import { readRender, toRenderJson } from '../shared/task/renderJson';
import type { Step } from '../shared/task/step';
import { NO_VIDEO, toCheckFailure } from '../shared/task/taskFailure';
import { videoStatusFields } from './fields';

/** Checks under way at once. */
const CONCURRENT_CHECKS = 10;

/** Of an agent's check, which waits a moment for news. */
const POLL_PACE = { pollIntervalMs: 5_000, maxPollIntervalMs: 10_000 };

interface StatusJob {
	itemIndex: number;
	/** With what the item knew before: in a loop of checks the fields of Video Generate live on. */
	render: Render;
	simplify: boolean;
}

export async function checkVideos(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = openRun(context, 'videoGenerationApi', videoStatusFields);
	const { results } = await runItems(run, readJob, openChecks);
	const items = toOutput(run, results);
	// An agent hears only the first output, so a tool has just one.
	const routes = !run.forAgent && context.getNodeParameter('routeByState', 0, true) !== false;
	return routes ? route(items) : [items];
}

function readJob(read: Reader, { taskIds }: Run): StatusJob {
	const { itemIndex, input } = read;
	const task_id = read.text('taskId');
	taskIds.set(itemIndex, task_id);
	return { itemIndex, render: readRender(task_id, input.json), simplify: read.boolean('simplify') };
}

function openChecks(run: Run, connection: Connection) {
	const limiter = createLimiter(CONCURRENT_CHECKS, run.signal);
	const pace = run.forAgent ? createAgentPace(run) : undefined;
	const checking = {
		...run,
		limiter: createLimiter(1, run.signal),
		fetchTask: async (task_id: string) => await fetchTask(connection, task_id),
	};
	const check = async ({ render, simplify }: StatusJob): Promise<ItemResult> => {
		if (!pace) return toResult(await checkTask(render, checking), simplify);
		const { task_id } = render.task;
		// Agents ask again at once, and each turn of a model costs time, money and one of the turns that
		// n8n gives it: a task of which its agent has heard a moment ago is polled for a while.
		const untilMs = run.clock.now() + pace.untilNewsMs(task_id);
		if (untilMs > run.clock.now()) {
			await pollTask({ ...render, reused: true }, { ...POLL_PACE, untilMs }, checking);
		}
		const checked = await checkTask(render, checking);
		if ('trouble' in checked && checked.trouble) return toResult(checked, simplify);
		const { task } = checked.render;
		if (!isFinal(task.status)) pace.told(task_id);
		return { json: toAgentJson(task, connection) };
	};
	return { work: async (job: StatusJob) => await limiter(async () => await check(job)) };
}

function toResult(checked: Step, simplify: boolean): ItemResult {
	const { task } = checked.render;
	if ('trouble' in checked && checked.trouble) {
		return { failure: toCheckFailure(checked.trouble, task.task_id) };
	}
	const json = toRenderJson(checked.render, simplify);
	if (checked.state === 'noVideo') return { json: { ...json, fail_reason: NO_VIDEO.message } };
	return { json };
}

/** Done, Rendering, Failed; what could not be checked has failed, too. */
function route(items: INodeExecutionData[]): INodeExecutionData[][] {
	const outputs: INodeExecutionData[][] = [[], [], []];
	for (const item of items) outputs[toOutputIndex(item.json)].push(item);
	return outputs;
}

function toOutputIndex({ status, result_url, error }: IDataObject): 0 | 1 | 2 {
	if (error !== undefined || status === 'FAILURE') return 2;
	if (status !== 'SUCCESS') return 1;
	return result_url === undefined ? 2 : 0;
}
