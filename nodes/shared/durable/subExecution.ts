import type {
	ExecuteWorkflowData,
	IExecuteFunctions,
	INodeExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

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
	const workflowId = context.getWorkflow().id ?? '';
	return await context.executeWorkflow({ code }, items, undefined, {
		parentExecution: { executionId: context.getExecutionId(), workflowId, shouldResume: true },
		executionMode: context.getMode(),
	});
}

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
	const sleeping = videos.find((video) => !isEnded(video));
	if (!sleeping || isEnded(sleeping)) return false;
	try {
		const data = await context.getExecutionDataById(sleeping.callerId);
		return data === undefined || data.resultData.error !== undefined;
	} catch {
		// Not known is not gone: a check costs nothing, a lost video does.
		return false;
	}
}
