import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/**
 * Whether an agent asked. Where the agent itself calls the node, n8n says so by a method (absent in
 * older versions). Current agents let n8n's engine run it: the method says no then, and the node
 * carries a mark where its output goes. As a tool it is also saved under a type of its own, in all
 * versions.
 */
export function isTool(context: IExecuteFunctions): boolean {
	if ('isToolExecution' in context && context.isToolExecution()) return true;
	const { rewireOutputLogTo, type } = context.getNode();
	return rewireOutputLogTo === NodeConnectionTypes.AiTool || type.endsWith('Tool');
}
