import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isEnded, readBatchItem, type BatchVideo } from '../../shared/durable/sleepingVideo';
import { startSubExecution, toNotStarted } from '../../shared/durable/subExecution';
import { toCheckerWorkflow } from '../../shared/durable/workflows';
import { toItem } from '../../shared/item/output';
import { toRenderJson } from '../../shared/task/renderJson';

/**
 * Starts the Checker, and sleeps until it ends. What is returned here is
 * shown meanwhile. It is also what n8n would give the caller, should n8n die in the short moment in
 * which this execution hands the videos over: so it is made of the caller's own items.
 */
export async function launchChecker(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	try {
		const checker = toCheckerWorkflow(context.getNode());
		const { data, waitTill } = await startSubExecution(context, checker, items);
		if (!waitTill) return [data[0] ?? []];
	} catch (error) {
		return [[toNotStarted((error as Error).message)]];
	}
	const videos = items.map(readBatchItem).filter((video) => video !== undefined);
	return [videos.map(toCallersItem)];
}

function toCallersItem(video: BatchVideo): INodeExecutionData {
	if (isEnded(video)) return toItem(video.result, video.item);
	const { item, render, wishes } = video;
	return toItem({ json: toRenderJson(render, wishes.simplify) }, item);
}
