import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toAgentJson, WAIT_FOR_NEWS_MS } from '../shared/agent/videoAgent';
import { toResultWords } from '../shared/download/link';
import { readCarriedAround } from '../shared/item/carried';
import { createChatMessage, tellResults } from '../shared/item/chat';
import { type Done, type ItemResult, toOutput } from '../shared/item/output';
import type { Reader } from '../shared/item/reader';
import { createRun, isStreamed, type Run } from '../shared/item/run';
import { readTaskId, runItems } from '../shared/item/runItems';
import { shortReason } from '../shared/item/words';
import { toCode, toPlain } from '../shared/lib/text';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { isFinal, type VideoTask } from '../shared/service/videoTask';
import { createFetch } from '../shared/task/fetchRender';
import { follow } from '../shared/task/follow';
import { briefly, CONCURRENT_CHECKS, oneCheck } from '../shared/task/policies';
import { type ItemLook, readRender, type Render, toRenderItem } from '../shared/task/render';
import { videoStatusFields } from './fields';

interface CheckJob extends ItemLook {
	itemIndex: number;
	/** Begins with the times and counts of the incoming item, which live on in a loop of checks. */
	render: Render;
}

export async function checkVideos(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = createRun(context, 'videoGenerationApi', videoStatusFields);
	const { results, worker } = await runItems(run, readCheck, (connection) =>
		createChecks(run, connection),
	);
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
	};
}

function createChecks(run: Run, connection: Connection) {
	const { clock, forAgent, maxPauseMs, signal } = run;
	const fetch = createFetch(run, connection);
	const work = async ({ render, ...look }: CheckJob): Promise<ItemResult> => {
		const policy = forAgent ? briefly(WAIT_FOR_NEWS_MS, maxPauseMs) : oneCheck(maxPauseMs);
		const checked = await follow(render, policy, { fetch, clock, signal });
		const { task } = checked.render;
		if (checked.failure) return checked.failure;
		if (forAgent) {
			const chat = isFinal(task.status) ? undefined : createChatMessage(run, isStreamed(run));
			chat?.say(`Rendering: ${task.progress} %`);
			await chat?.end();
			return { json: toAgentJson(task, connection) };
		}
		return { json: toRenderItem(checked.render, look) };
	};
	return { work, connection, limiter: createLimiter(CONCURRENT_CHECKS, run.signal) };
}

/** Returns [Done, Rendering, Failed]. Failed also gets failed checks. */
function route(items: INodeExecutionData[]): INodeExecutionData[][] {
	const outputs: INodeExecutionData[][] = [[], [], []];
	for (const item of items) outputs[toOutputIndex(item.json)].push(item);
	return outputs;
}

function toOutputIndex({ status, error }: IDataObject): 0 | 1 | 2 {
	if (error !== undefined || status === 'FAILURE') return 2;
	return status === 'SUCCESS' ? 0 : 1;
}

const QUARTER = 25;

/**
 * Returns the words for a chat about a checked task; `undefined` if neither its state nor its
 * quarter of progress is new. In a loop of checks, each run's words are a message of their own.
 */
function toNews({ context }: Run, connection: Connection, json: IDataObject): string | undefined {
	const task = json as unknown as VideoTask;
	const { task_id, status, progress, fail_reason = 'the service gave no reason' } = task;
	// The failure of an earlier node is no task.
	if (task_id === undefined) return undefined;
	const output = toOutputIndex(json);
	const news = `${output} ${isFinal(status) ? '' : Math.floor(progress / QUARTER)}`;
	const store = context.getContext('node') as { lastNews?: Record<string, string> };
	if (store.lastNews?.[task_id] === news) return undefined;
	store.lastNews = { ...store.lastNews, [task_id]: news };
	if (output === 0) return `Ready: ${toResultWords(task, connection)}`;
	if (output === 1) return `Rendering: ${progress} %: ${toCode(task_id)}`;
	return `The video could not be rendered: ${toPlain(shortReason(fail_reason))}`;
}
