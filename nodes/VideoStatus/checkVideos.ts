import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { checkForAgent, toAgentJson } from '../shared/agent/videoAgent';
import { toResultWords } from '../shared/download/link';
import { tellResults } from '../shared/item/chat';
import { shortReason } from '../shared/item/failure';
import { type Done, type ItemResult, toOutput } from '../shared/item/output';
import { readCarried, type Reader } from '../shared/item/reader';
import { openRun, type Run } from '../shared/item/run';
import { passOn, runItems } from '../shared/item/runItems';
import { toCode, toPlain } from '../shared/lib/text';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { isFinal } from '../shared/service/videoTask';
import { CONCURRENT_CHECKS, openCheck, type Step } from '../shared/task/followTask';
import {
	type ItemLook,
	readRender,
	type Render,
	RENDER_STATE,
	toRenderItem,
} from '../shared/task/render';
import { NO_VIDEO, toCheckFailure } from '../shared/task/taskResult';
import { videoStatusFields } from './fields';

interface StatusJob extends ItemLook {
	itemIndex: number;
	/** Begins with the times and counts of the incoming item, which live on in a loop of checks. */
	render: Render;
}

export async function checkVideos(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = openRun(context, 'videoGenerationApi', videoStatusFields);
	const { results, opened } = await runItems(run, readJob, openChecks);
	await tellResults(run, results, (_result, itemIndex) => opened?.words.get(itemIndex)?.());
	const items = toOutput(run, results);
	// An agent gets only the first output, so a tool has just one.
	const routes = !run.forAgent && context.getNodeParameter('routeByState', 0, true) !== false;
	return routes ? route(items) : [items];
}

function readJob(read: Reader, { taskIds }: Run): StatusJob | Done {
	const { itemIndex, input, options } = read;
	const failed = passOn(read, 'taskId');
	if (failed) return failed;
	const task_id = read.text('taskId');
	taskIds.set(itemIndex, task_id);
	return {
		itemIndex,
		render: readRender(task_id, input.json),
		rawResponse: options.boolean('rawResponse'),
		carried: readCarried(read, RENDER_STATE),
	};
}

function openChecks(run: Run, connection: Connection) {
	const check = openCheck(run, connection);
	/** Return a chat's words on each item; called only for a chat, because they count as told. */
	const words = new Map<number, () => string | undefined>();
	const work = async ({ itemIndex, render, ...look }: StatusJob): Promise<ItemResult> => {
		const checked = await (run.forAgent ? checkForAgent(check, render, run) : check(render));
		words.set(itemIndex, () => toNews(run, connection, checked));
		const { task } = checked.render;
		if ('trouble' in checked && checked.trouble) {
			return { failure: toCheckFailure(checked.trouble, task.task_id) };
		}
		if (run.forAgent) return { json: toAgentJson(task, connection) };
		const json = toRenderItem(checked.render, look);
		const fail_reason = NO_VIDEO.message;
		return { json: checked.state === 'noVideo' ? { ...json, fail_reason } : json };
	};
	return { work, words, limiter: createLimiter(CONCURRENT_CHECKS, run.signal) };
}

/** Returns [Done, Rendering, Failed]. Failed also gets SUCCESS without a link and failed checks. */
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

const QUARTER = 25;

/**
 * Returns the words for a chat about a checked task; `undefined` if neither its state nor its
 * quarter of progress is new. In a loop of checks, each run's words are a message of their own.
 */
function toNews(
	{ context }: Run,
	connection: Connection,
	{ state, render: { task } }: Step,
): string | undefined {
	const { task_id, status, progress, fail_reason = 'the service gave no reason' } = task;
	const news = `${state} ${isFinal(status) ? '' : Math.floor(progress / QUARTER)}`;
	const store = context.getContext('node') as { told?: Record<string, string> };
	const { told = {} } = store;
	if (told[task_id] === news) return undefined;
	store.told = { ...told, [task_id]: news };
	if (state === 'noVideo') return NO_VIDEO.message;
	if (status === 'SUCCESS') return `Ready: ${toResultWords(task, connection)}`;
	if (status !== 'FAILURE') return `Rendering: ${progress} %: ${toCode(task_id)}`;
	return `The video could not be rendered: ${toPlain(shortReason(fail_reason))}`;
}
