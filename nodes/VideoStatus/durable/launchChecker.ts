import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type BatchVideo, isEnded, isOver, isUnsubmitted, readBatch, toBatchItem, type UnsubmittedVideo } from '../../shared/durable/sleepingVideo';
import { parkOnSubExecution, startSubExecution, toNotStarted } from '../../shared/durable/subExecution';
import { SUBMIT_STEP, toCheckerWorkflow, toSubmitterWorkflow } from '../../shared/durable/workflows';
import { toItem } from '../../shared/item/output';
import { toRenderItem } from '../../shared/task/render';
import { toInterrupted } from './failures';

/**
 * Starts the Checker, or first the Submitter where something is still to be submitted, and sleeps
 * until it ends. What is returned here is shown meanwhile. It is also what n8n would give the caller,
 * should n8n die in the short moment in which this execution hands the videos over: so it is made of
 * the caller's own items.
 */
export async function launchChecker(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const videos = readBatch(items);
	const unsubmitted = videos.filter(isUnsubmitted);
	// At the end of the Submitter: nothing to wait for, or not for this execution to go on with.
	if (isOver(videos) || unsubmitted.some(({ keeperId }) => keeperId !== undefined)) return [items];
	try {
		if (unsubmitted.length > 0) {
			await launchSubmitter(context, videos, unsubmitted[0]);
		} else {
			const checker = toCheckerWorkflow(context.getNode());
			const { data, waitTill } = await startSubExecution(context, checker, items);
			if (!waitTill) return [data[0] ?? []];
		}
	} catch (error) {
		// The Keeper waits already, and starts one itself.
		return [isSubmitter(context) ? items : [toNotStarted((error as Error).message)]];
	}
	return [videos.map(toCallersItem)];
}

const isSubmitter = (context: IExecuteFunctions) =>
	context.getParentNodes(context.getNode().name).some(({ name }) => name === SUBMIT_STEP);

/** Nothing in it is new. */
const AS_IT_CAME = { show: <T>(json: T) => json };

async function launchSubmitter(
	context: IExecuteFunctions,
	videos: BatchVideo[],
	{ wishes }: UnsubmittedVideo,
): Promise<void> {
	const keeperId = context.getExecutionId();
	const handed = videos.map((video) => (isUnsubmitted(video) ? { ...video, keeperId } : video));
	const submitter = toSubmitterWorkflow(context.getNode(), wishes.stopsOnFailure);
	const items = handed.map((video) => toBatchItem(video, 0, AS_IT_CAME));
	await parkOnSubExecution(context, submitter, items);
}

function toCallersItem(video: BatchVideo): INodeExecutionData {
	if (isEnded(video)) return toItem(video.result, video.item);
	if (isUnsubmitted(video)) return toItem({ failure: toInterrupted() }, video.item);
	const { item, render, wishes } = video;
	return toItem({ json: toRenderItem(render, wishes) }, item);
}
