import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toErrorFields, type Failure } from './failure';
import { isTool } from './isTool';
import { sentences } from './serviceFailure';
import { toToolErrorJson, toToolFailure } from './toolFailure';

/** In the text of an error; its context holds them all. */
const MAX_SHOWN_IDS = 20;

export type ItemResult = { json: IDataObject; binary?: IBinaryKeyData } | { failure: Failure };

export const isFailed = (result: ItemResult): result is { failure: Failure } => 'failure' in result;

/**
 * One result as an n8n item, linked to the input item that it came from. `error` stands alone in a
 * failing item: n8n sends one with anything else beside it down the success branch.
 */
export function toItem(result: ItemResult, itemIndex: number): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (isFailed(result)) return { json: { error: toErrorFields(result.failure) }, pairedItem };
	const { json, binary } = result;
	return binary ? { json, binary, pairedItem } : { json, pairedItem };
}

/**
 * The error that stops the node. It holds what a failing item would hold, and the ids of the other
 * tasks of the run, whose items are lost with it.
 */
function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex: number,
	otherTaskIds: string[] = [],
): Error {
	const { message, http_code } = failure;
	const description = describe(failure, otherTaskIds);
	const options = { message, description, itemIndex };
	const error =
		failure.source === 'input'
			? new NodeOperationError(node, message, options)
			: new NodeApiError(node, toErrorFields(failure) as JsonObject, {
					...options,
					httpCode: http_code === undefined ? undefined : String(http_code),
				});
	// n8n swaps a message that holds a word such as EPERM, even inside a task id, for its own.
	error.message = message;
	error.description = description;
	if (failure.task_id) error.context.task_id = failure.task_id;
	if (otherTaskIds.length > 0) error.context.other_task_ids = otherTaskIds;
	return error;
}

/** A thrown error of the reading phase (a parameter, an expression, a credential) as a failure. */
export function toInputFailure(error: unknown): Failure {
	const { message, description } = error as { message?: string; description?: string | null };
	return {
		message: message ?? String(error),
		description: description ?? undefined,
		retryable: false,
		source: 'input',
	};
}

function describe(failure: Failure, otherTaskIds: string[]): string | undefined {
	const { message, description, task_id, fail_reason } = failure;
	const shown = otherTaskIds.slice(0, MAX_SHOWN_IDS).join(', ');
	const more = otherTaskIds.length > MAX_SHOWN_IDS ? ', ...' : '';
	return sentences(
		fail_reason,
		description,
		task_id && !message.includes(task_id) ? `Task ID: ${task_id}` : undefined,
		shown && `Other tasks of this run, which go on and are billed: ${shown}${more}`,
	);
}

/** Whether a failing item ends the node (On Error: Stop Workflow). */
export const stopsOnFailure = (context: IExecuteFunctions) => !context.continueOnFail();

/**
 * Results in input order as the items of an output; `undefined` is an item that never came to be.
 * In the default mode the first failure is thrown instead. After Stop the items so far are the
 * output whatever the mode: n8n then shows the run as canceled and keeps them.
 */
export function toOutput(
	context: IExecuteFunctions,
	results: Array<ItemResult | undefined>,
): INodeExecutionData[] {
	if (stopsOnFailure(context) && !context.getExecutionCancelSignal()?.aborted) {
		const first = results.findIndex((result) => result !== undefined && isFailed(result));
		const result = results[first];
		if (result && isFailed(result)) {
			const others = results.filter((_other, itemIndex) => itemIndex !== first).map(toTaskId);
			const otherTaskIds = others.filter((task_id) => task_id !== undefined);
			const failure = isTool(context) ? toToolFailure(result.failure) : result.failure;
			throw toNodeError(context.getNode(), failure, first, otherTaskIds);
		}
	}
	const toResult = isTool(context) ? toToolResult : (result: ItemResult) => result;
	return results.flatMap((result, item) => (result ? [toItem(toResult(result), item)] : []));
}

const toToolResult = (result: ItemResult): ItemResult =>
	isFailed(result) ? { json: toToolErrorJson(result.failure) } : result;

function toTaskId(result: ItemResult | undefined): string | undefined {
	if (!result) return undefined;
	const { task_id } = isFailed(result) ? result.failure : result.json;
	return typeof task_id === 'string' ? task_id : undefined;
}
