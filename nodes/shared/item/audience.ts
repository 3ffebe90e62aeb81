import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { sentences } from '../lib/text';
import type { Failure } from './failure';

/** For an agent, which can ask again by itself. */
const AGENT_PAUSE_MS = 10_000;

/**
 * Whether an agent asked. Where the agent itself calls the node, n8n says so by a method (absent in
 * older versions). Current agents let n8n's engine run it: the method says no then, and the node
 * carries a mark where its output goes. As a tool it is also saved under a type of its own, in all
 * versions.
 */
export function isForAgent(context: IExecuteFunctions): boolean {
	if ('isToolExecution' in context && context.isToolExecution()) return true;
	const { rewireOutputLogTo, type } = context.getNode();
	return rewireOutputLogTo === NodeConnectionTypes.AiTool || type.endsWith('Tool');
}

/** How long whoever asked waits, at most, before something is tried again; in milliseconds. */
export const maxPauseMsFor = (forAgent: boolean) => (forAgent ? AGENT_PAUSE_MS : Infinity);

/** Of the service's own words; the rest of what an agent hears is ours, and short. */
const MAX_REASON_CHARS = 500;

/** The service's words on one line, and not the whole of a page or of a file. */
export function shortReason(words = ''): string {
	const line = words.replace(/\s{1,1000}/g, ' ').trim();
	return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS)}...` : line;
}

/**
 * The same failure with all that an agent needs in its message: of an error that a tool throws, n8n
 * hands on the message and nothing else.
 */
export function toAgentFailure(failure: Failure): Failure {
	const { message, description, fail_reason } = failure;
	const text = sentences(message, shortReason(fail_reason), description);
	return { ...failure, message: text ?? message, description: undefined, fail_reason: undefined };
}

/** What a failing item of a tool is in the mode "Continue". */
export function toAgentErrorJson(failure: Failure): IDataObject {
	const { message, task_id, status, text, retryable } = toAgentFailure(failure);
	return {
		error: message,
		...(text !== undefined && { text }),
		...(task_id !== undefined && { task_id }),
		...(status !== undefined && { status }),
		retryable,
	};
}
