import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/**
 * Whether an agent asked. Where the agent itself calls the node, n8n says so by a method (absent in
 * older versions). Current agents let n8n's engine run it: the method says no then, and the node
 * carries a mark where its output goes.
 */
export function isTool(context: IExecuteFunctions): boolean {
	if ('isToolExecution' in context && context.isToolExecution()) return true;
	return context.getNode().rewireOutputLogTo === NodeConnectionTypes.AiTool;
}
