import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect } from '../shared/connect';
import { toInputFailure, toOutput, type ItemResult } from '../shared/items';
import { numberOption, requireText, throwInput } from '../shared/parameters';
import {
	CONCURRENT_DOWNLOADS,
	DEFAULT_RETRIES,
	DEFAULT_TIMEOUT_MS,
	downloadVideo,
	type DownloadRequest,
	type DownloadTools,
} from '../shared/rendering/downloadVideo';
import { createLimiter } from '../shared/rendering/limiter';
import { toDownloadFailure } from '../shared/rendering/taskFailure';
import { createWait } from '../shared/rendering/wait';
import { toHttpUrl } from '../shared/service/baseUrl';
import type { Connection } from '../shared/service/http';
import { contentUrl } from '../shared/service/videoApi';

export async function downloadVideos(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const connection = await connect(context, 'videoGenerationApi');
	if ('failure' in connection)
		return toOutput(
			context,
			items.map(() => connection),
		);
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const tools = { context, connection, signal, wait: createWait(signal), random: Math.random };
	const limiter = createLimiter(CONCURRENT_DOWNLOADS);
	const results = items.map(
		async (_item, i) => await limiter(async () => await downloadItem(i, tools)),
	);
	return toOutput(context, await Promise.all(results));
}

async function downloadItem(
	itemIndex: number,
	tools: DownloadTools,
): Promise<ItemResult | undefined> {
	if (tools.signal.aborted) return undefined;
	let wish;
	try {
		wish = readWish(tools.context, itemIndex, tools.connection);
	} catch (error) {
		return { failure: toInputFailure(error) };
	}
	const { request, binaryProperty } = wish;
	const { task_id } = request;
	const result = await downloadVideo(request, tools);
	if (result.kind === 'failed') {
		return { failure: toDownloadFailure(result.error, itemIndex, { task_id }) };
	}
	const { binary, ...facts } = result.file;
	const json: IDataObject = task_id === undefined ? facts : { task_id, ...facts };
	return { json, binary: { [binaryProperty]: binary } };
}

function readWish(
	context: IExecuteFunctions,
	itemIndex: number,
	connection: Connection,
): { request: DownloadRequest; binaryProperty: string } {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const number = (name: string, label: string, fallback: number, above: number) =>
		numberOption(context, itemIndex, options, { name, label, fallback, above });
	const maxSizeMb = number('maxSize', 'Max Size', 0, 0);
	const fileName = String(options.fileName ?? '').trim();
	return {
		binaryProperty: requireText(context, itemIndex, 'binaryProperty', 'Output Binary Field'),
		request: {
			...readSource(context, itemIndex, connection),
			fileName: fileName || undefined,
			maxSizeBytes: maxSizeMb > 0 ? maxSizeMb * 1024 * 1024 : undefined,
			timeoutMs: number('timeout', 'Timeout', DEFAULT_TIMEOUT_MS / 1000, 0) * 1000,
			retries: Math.floor(number('retries', 'Retries', DEFAULT_RETRIES, -1)),
		},
	};
}

function readSource(
	context: IExecuteFunctions,
	itemIndex: number,
	connection: Connection,
): { addresses: string[]; task_id?: string } {
	if (context.getNodeParameter('source', itemIndex, 'task') === 'task') {
		const task_id = requireText(context, itemIndex, 'taskId', 'Task ID');
		return { addresses: [contentUrl(connection, task_id)], task_id };
	}
	const url = requireText(context, itemIndex, 'resultUrl', 'Result URL');
	if (!toHttpUrl(url)) {
		throwInput(context, itemIndex, 'Result URL is not an http or https address');
	}
	const { task_id } = context.getInputData()[itemIndex].json;
	return { addresses: [url], task_id: typeof task_id === 'string' ? task_id : undefined };
}
