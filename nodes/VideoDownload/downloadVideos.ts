import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../shared/item/connect';
import { isTool, maxPauseMs } from '../shared/item/isTool';
import { toInputFailure, toOutput, type ItemResult } from '../shared/item/output';
import { numberOption, requireText, throwInput } from '../shared/item/parameters';
import {
	CONCURRENT_DOWNLOADS,
	DEFAULT_RETRIES,
	DEFAULT_TIMEOUT_MS,
	downloadVideo,
	type DownloadRequest,
	type DownloadTools,
} from '../shared/download/downloadVideo';
import { createLimiter } from '../shared/lib/limiter';
import { lookAtTask, type LookTools } from '../shared/task/checkTask';
import { toDownloadFailure } from '../shared/task/taskFailure';
import { createWait } from '../shared/lib/pause';
import { toHttpUrl } from '../shared/service/baseUrl';
import { createSend } from '../shared/service/connection';
import { contentUrl, fetchTask } from '../shared/service/videoApi';

/** An agent hears text only, and would promise the file to its person. */
const FILE_STAYS =
	'The video is whole, and its file is kept with this execution of n8n. A tool cannot hand over files: hand on the task_id or the link instead.';

export async function downloadVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const connection = await connect(context, 'videoGenerationApi');
	if ('failure' in connection)
		return toOutput(
			context,
			items.map(() => connection),
		);
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const send = createSend(context, connection);
	const tools = {
		context,
		connection,
		fetchTask: async (task_id: string) => await fetchTask(send, task_id),
		signal,
		wait: createWait(signal),
		random: Math.random,
		maxPauseMs: maxPauseMs(context),
	};
	const limiter = createLimiter(CONCURRENT_DOWNLOADS);
	const results = items.map(
		async (_item, i) => await limiter(async () => await downloadItem(i, tools)),
	);
	return toOutput(context, await Promise.all(results));
}

async function downloadItem(
	itemIndex: number,
	tools: DownloadTools & LookTools,
): Promise<ItemResult | undefined> {
	if (tools.signal.aborted) return undefined;
	let wish;
	try {
		wish = readWish(tools, itemIndex);
	} catch (error) {
		return { failure: toInputFailure(error) };
	}
	const { request, binaryProperty } = wish;
	const { task_id } = request;
	const result = await downloadVideo(request, tools);
	if (result.kind === 'failed') {
		return { failure: toDownloadFailure(result.error, itemIndex, { task_id, ...result.task }) };
	}
	const { binary, ...facts } = result.file;
	const json: IDataObject = {
		...(task_id !== undefined && { task_id }),
		...facts,
		...(isTool(tools.context) && { message: FILE_STAYS }),
	};
	return { json, binary: { [binaryProperty]: binary } };
}

function readWish(
	tools: DownloadTools & LookTools,
	itemIndex: number,
): { request: DownloadRequest; binaryProperty: string } {
	const { context } = tools;
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const number = (name: string, label: string, fallback: number, mayBeZero = false) =>
		numberOption(context, itemIndex, options, { name, label, fallback, mayBeZero });
	const maxSizeMb = number('maxSize', 'Max Size', 0);
	const fileName = String(options.fileName ?? '').trim();
	return {
		binaryProperty: requireText(context, itemIndex, 'binaryProperty', 'Output Binary Field'),
		request: {
			...readSource(tools, itemIndex),
			lookFirst: isTool(context),
			fileName: fileName || undefined,
			maxSizeBytes: maxSizeMb > 0 ? maxSizeMb * 1024 * 1024 : undefined,
			timeoutMs: number('timeout', 'Timeout', DEFAULT_TIMEOUT_MS / 1000) * 1000,
			retries: Math.floor(number('retries', 'Retries', DEFAULT_RETRIES, true)),
		},
	};
}

function readSource(
	tools: DownloadTools & LookTools,
	itemIndex: number,
): Pick<DownloadRequest, 'address' | 'lookAtTask' | 'task_id'> {
	const { context, connection } = tools;
	if (context.getNodeParameter('source', itemIndex, 'task') === 'task') {
		const task_id = requireText(context, itemIndex, 'taskId', 'Task ID');
		return {
			address: contentUrl(connection, task_id),
			lookAtTask: async () => (await lookAtTask(task_id, tools)).result,
			task_id,
		};
	}
	const url = requireText(context, itemIndex, 'resultUrl', 'Result URL');
	if (!toHttpUrl(url)) {
		throwInput(context, itemIndex, 'Result URL is not an http or https address');
	}
	const { task_id } = context.getInputData()[itemIndex].json;
	return { address: url, task_id: typeof task_id === 'string' ? task_id : undefined };
}
