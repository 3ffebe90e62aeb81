import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toAgentJson, WAIT_FOR_NEWS_MS } from '../shared/agent/videoAgent';
import { toResultWords } from '../shared/download/link';
import { checkFailed } from '../shared/failure/failure';
import type { Reason } from '../shared/failure/reason';
import { shortReason, toCode, toPlain } from '../shared/lib/text';
import { createLimiter } from '../shared/lib/turns';
import { readCarriedAround, readCarriedFiles, toBinary } from '../shared/n8n/carried';
import { tellResults } from '../shared/n8n/chat';
import { type Done, type ItemResult, toOutput } from '../shared/n8n/output';
import type { Reader } from '../shared/n8n/reader';
import { createRun, type Run } from '../shared/n8n/run';
import { readTaskId, runItems } from '../shared/n8n/runItems';
import { endOf } from '../shared/services/answerPaths';
import type { Connection } from '../shared/services/connection';
import type { VideoTask } from '../shared/services/videoTask';
import { CONCURRENT_CHECKS, createCheck, WAITS } from '../shared/task/poll';
import { type ItemLook, readRender, type Render, toRenderItem } from '../shared/task/render';
import { sayFailed } from '../shared/task/renderFailed';
import { videoStatusFields } from './fields';

interface CheckJob extends ItemLook {
	itemIndex: number;
	/** Begins with the times and counts of the incoming item, which live on in a loop of checks. */
	render: Render;
}

export async function checkVideos(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = createRun(context, 'videoGenerationApi', videoStatusFields);
	const { results, worker } = await runItems(run, readCheck, (connection) => ({
		connection,
		work: run.forAgent ? createWaits(run, connection) : createChecks(run, connection),
		limiter: createLimiter(CONCURRENT_CHECKS, run.signal),
	}));
	await tellResults(run, results, ({ json }) => worker && toNews(run, worker.connection, json));
	const items = toOutput(run, results);
	// An agent gets only the first output, so a tool has just one.
	const routes = !run.forAgent && context.getNodeParameter('routeByState', 0, true) !== false;
	return routes ? route(items) : [items];
}

function readCheck(read: Reader, run: Run): CheckJob | Done {
	const { itemIndex, input, options } = read;
	const task_id = readTaskId(read, run);
	if (typeof task_id !== 'string') return task_id;
	run.taskIds.set(itemIndex, task_id);
	return {
		itemIndex,
		render: readRender(task_id, input.json),
		rawResponse: options.boolean('rawResponse'),
		carried: readCarriedAround(read, task_id),
		carriedFiles: readCarriedFiles(read),
	};
}

function createChecks(run: Run, connection: Connection) {
	const check = createCheck(run, connection);
	return async (job: CheckJob): Promise<ItemResult> => {
		const { render, because } = await check(job.render);
		return (
			toResult(render, because) ?? {
				json: toRenderItem(render, job),
				...toBinary(job.carriedFiles),
			}
		);
	};
}

/** Agents ask again at once, and each turn of a model costs time, money and one of n8n's turns. */
function createWaits(run: Run, connection: Connection) {
	const check = createCheck(run, connection, { wait: WAITS.agent });
	return async (job: CheckJob): Promise<ItemResult> => {
		const deadlineMs = run.clock.now() + WAIT_FOR_NEWS_MS;
		const { render, because } = await check({ ...job.render, deadlineMs });
		return toResult(render, because) ?? { json: toAgentJson(render.task, connection) };
	};
}

const toResult = ({ task }: Render, because?: Reason) =>
	because && checkFailed(because, task.task_id);

/** Returns [Done, Rendering, Failed]. Failed also gets failed checks. */
function route(items: INodeExecutionData[]): INodeExecutionData[][] {
	const outputs: INodeExecutionData[][] = [[], [], []];
	for (const item of items) outputs[toOutputIndex(item.json)].push(item);
	return outputs;
}

function toOutputIndex({ status, error }: IDataObject): 0 | 1 | 2 {
	const end = endOf(status);
	if (error !== undefined || end === 'failed') return 2;
	return end === 'done' ? 0 : 1;
}

/** Returns the words for a chat about a task. In a loop of checks, only the first one tells of a render. */
function toNews({ runIndex }: Run, connection: Connection, json: IDataObject): string | undefined {
	const task = json as unknown as VideoTask;
	const { task_id, progress, fail_reason = 'the service gave no reason' } = task;
	// The failure of an earlier node is no task.
	if (task_id === undefined) return undefined;
	const output = toOutputIndex(json);
	if (output === 0) return `Ready: ${toResultWords(task, connection)}`;
	if (output === 2) return `${sayFailed(task)}: ${toPlain(shortReason(fail_reason))}`;
	return runIndex === 0 ? `Rendering: ${progress} %: ${toCode(task_id)}` : undefined;
}
