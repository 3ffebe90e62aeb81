import type {
	ExecuteWorkflowData,
	IExecuteFunctions,
	INodeExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

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
