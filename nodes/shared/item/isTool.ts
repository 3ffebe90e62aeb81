import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/** For an agent, which can ask again by itself. */
const TOOL_PAUSE_MS = 10_000;

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

/** How long whoever asked waits, at most, before something is tried again. */
export const maxPauseMs = (context: IExecuteFunctions): number | undefined =>
	isTool(context) ? TOOL_PAUSE_MS : undefined;
