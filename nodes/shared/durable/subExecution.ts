import type {
	ExecuteWorkflowData,
	IExecuteFunctions,
	INodeExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';
import { WAIT_FOR_SUB_EXECUTION } from 'n8n-workflow';

import { isEnded, type BatchVideo } from './sleepingVideo';

/**
 * Starts an inline sub-workflow that this execution waits for. Where it sleeps, n8n parks this
 * execution, too (`waitTill` is set), and resumes it with the items of the sub-workflow's last
 * node; the node that called is not run again then.
 */
export async function startSubExecution(
	context: IExecuteFunctions,
	code: IWorkflowBase,
	items: INodeExecutionData[],
): Promise<ExecuteWorkflowData> {
	return await context.executeWorkflow({ code }, items, undefined, toOptions(context));
}

/**
 * Starts an inline sub-workflow and parks this execution on it at once, before it has slept: n8n
 * resumes this execution with the end of the sub-workflow, also where n8n dies in between.
 */
export async function parkOnSubExecution(
	context: IExecuteFunctions,
	code: IWorkflowBase,
	items: INodeExecutionData[],
): Promise<void> {
	const options = { ...toOptions(context), doNotWaitToFinish: true };
	const { executionId } = await context.executeWorkflow({ code }, items, undefined, options);
	context.setMetadata({ waitingChildExecutionIds: [executionId] });
	await context.putExecutionToWait(WAIT_FOR_SUB_EXECUTION);
}

const toOptions = (context: IExecuteFunctions) => ({
	parentExecution: {
		executionId: context.getExecutionId(),
		workflowId: context.getWorkflow().id ?? '',
		shouldResume: true,
	},
	executionMode: context.getMode(),
});

/**
 * What the Keeper hands back where n8n cannot start the Checker at all (no Wait node on the
 * instance, say): the caller still runs then, and waits in process.
 */
export const toNotStarted = (reason: string): INodeExecutionData => ({
	json: { not_started: reason },
});

/** The reason, if these are the items of a wait that could not be started. */
export function readNotStarted(items: INodeExecutionData[]): string | undefined {
	const reason = items[0]?.json.not_started;
	return typeof reason === 'string' ? reason : undefined;
}

/**
 * Whether the execution that waits for these videos was stopped or deleted. n8n does not end the
 * sub-executions of a sleeping execution with it, but writes its reason into the stored data.
 */
export async function isCallerGone(
	context: IExecuteFunctions,
	videos: BatchVideo[],
): Promise<boolean> {
	const open = videos.find((video) => !isEnded(video));
	if (!open || isEnded(open)) return false;
	try {
		const data = await context.getExecutionDataById(open.callerId);
		return data === undefined || data.resultData.error !== undefined;
	} catch {
		// Not known is not gone: a check costs nothing, a lost video does.
		return false;
	}
}
