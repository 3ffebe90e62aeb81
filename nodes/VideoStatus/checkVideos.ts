import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../shared/item/connect';
import { isTool, maxPauseMs } from '../shared/item/isTool';
import { toInputFailure, toOutput, type ItemResult } from '../shared/item/output';
import { requireText } from '../shared/item/parameters';
import { createLimiter } from '../shared/lib/limiter';
import { lookAtTask, type LookTools } from '../shared/task/checkTask';
import { NO_VIDEO } from '../shared/task/pollTask';
import { toLookFailure } from '../shared/task/taskFailure';
import { toTaskJson } from '../shared/task/taskItem';
import { createToolPace, type ToolPace } from '../shared/agent/pace';
import { createWait } from '../shared/lib/pause';
import type { Connection } from '../shared/service/http';
import { createSend } from '../shared/service/connection';
import { fetchTask } from '../shared/service/videoApi';
import { isFinal } from '../shared/service/videoTask';
import { tellAgent, watchTask } from './asTool';

/** Looks under way at once. */
const CONCURRENT_LOOKS = 10;

interface CheckTools extends LookTools {
	connection: Connection;
	now: () => number;
	/** Where an agent asks. */
	pace?: ToolPace;
}

export async function checkVideos(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = toOutput(context, await checkAll(context));
	return routes(context) ? route(items) : [items];
}

async function checkAll(context: IExecuteFunctions): Promise<Array<ItemResult | undefined>> {
	const items = context.getInputData();
	const connection = await connect(context, 'videoGenerationApi');
	if ('failure' in connection) return items.map(() => connection);
	const send = createSend(context, connection);
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const limiter = createLimiter(CONCURRENT_LOOKS);
	const tools: CheckTools = {
		connection,
		fetchTask: async (task_id) => await fetchTask(send, task_id),
		signal,
		wait: createWait(signal),
		random: Math.random,
		maxPauseMs: maxPauseMs(context),
		now: Date.now,
		pace: isTool(context) ? createToolPace(context, Date.now) : undefined,
	};
	return await Promise.all(
		items.map(
			async (item, i) => await limiter(async () => await checkItem(context, i, item, tools)),
		),
	);
}

async function checkItem(
	context: IExecuteFunctions,
	itemIndex: number,
	{ json: input }: INodeExecutionData,
	tools: CheckTools,
): Promise<ItemResult | undefined> {
	if (tools.signal.aborted) return undefined;
	let task_id: string;
	let simplify: boolean;
	try {
		task_id = requireText(context, itemIndex, 'taskId', 'Task ID');
		simplify = context.getNodeParameter('simplify', itemIndex, true) as boolean;
	} catch (error) {
		return { failure: toInputFailure(error) };
	}
	const { pace, connection } = tools;
	if (pace) await watchTask(task_id, pace.untilNewsMs(task_id), tools);
	const { result, pollCount } = await lookAtTask(task_id, tools);
	if (result.kind === 'trouble') {
		return { failure: toLookFailure(result.error, itemIndex, task_id) };
	}
	const { task, answer } = result;
	if (pace) return { json: tellAgent(task, connection, pace) };
	const known = input.task_id === task_id ? input : {};
	const json = {
		...toTaskJson({ ...task, model: task.model ?? (known.model as string | undefined) }),
		...history(known, isFinal(task.status), pollCount),
		...(simplify ? {} : { response: answer as IDataObject }),
	};
	if (task.status === 'SUCCESS' && !task.result_url) {
		return { json: { ...json, fail_reason: NO_VIDEO.message } };
	}
	return { json };
}

/** What the item knew before: in a loop of looks the fields of Video Generate live on. */
function history(known: IDataObject, final: boolean, pollCount: number): IDataObject {
	const { submitted_at, finished_at, poll_count, reused } = known;
	return {
		...(submitted_at !== undefined && { submitted_at }),
		...(final && { finished_at: finished_at ?? new Date().toISOString() }),
		poll_count: (typeof poll_count === 'number' ? poll_count : 0) + pollCount,
		reused: reused === true,
	};
}

/** An agent hears only the first output, so a tool has just one. */
function routes(context: IExecuteFunctions): boolean {
	return !isTool(context) && (context.getNodeParameter('routeByState', 0, true) as boolean);
}

/** Done, Rendering, Failed; what could not be looked at has failed, too. */
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
