import type {
	Functionality,
	IBinaryKeyData,
	IDataObject,
	INode,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toText } from '../lib/json';
import { oneLine, sentences, toPlain } from '../lib/text';
import {
	type Billed,
	type Failure,
	toAgentErrorJson,
	toAgentFailure,
	toErrorFields,
	toItemName,
	withItem,
} from './failure';
import { isHeard, type Run } from './run';

/** The result of an item that has not failed in this node. */
export interface Done {
	json: IDataObject;
	binary?: IBinaryKeyData;
}
/** The result of a node for one input item. */
export type ItemResult = Done | { failure: Failure };

/** The results by input item; `undefined` for an item that has none. */
export type Results = Array<ItemResult | undefined>;

export const isFailed = (result: ItemResult | undefined): result is { failure: Failure } =>
	result !== undefined && 'failure' in result;

/**
 * Returns a result as an n8n item, linked to its input item. A failing item has no field besides
 * `error`: with any other field, n8n sends the item down the success branch.
 */
export function toItem(result: ItemResult, itemIndex: number): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (!isFailed(result)) return { ...result, pairedItem };
	return { json: { error: toErrorFields(result.failure, itemIndex) }, pairedItem };
}

/**
 * Returns the items of an output, in the order of the input. In the default mode, throws the first
 * failure instead. After Stop, returns the items so far in any mode: n8n then shows the run as
 * canceled and keeps them.
 */
export function toOutput(run: Run, raw: Results): INodeExecutionData[] {
	const { forAgent, stop, stopsOnFailure } = run;
	const results = raw.map((result, i) => result && toShown(run, result, i));
	return results.flatMap((result, itemIndex) => {
		if (!result) return [];
		if (!isFailed(result)) return [toItem(result, itemIndex)];
		const { failure } = result;
		if (stopsOnFailure && !stop.aborted) throw toNodeError(run, results, failure, itemIndex);
		return [toItem(forAgent ? { json: toAgentErrorJson(failure) } : result, itemIndex)];
	});
}

/**
 * Returns a result whose JSON may be shown and stored; its file stays as it is. A failure also says
 * what its item asks for.
 */
export function toShown(
	{ asked, show }: Pick<Run, 'asked' | 'show'>,
	result: ItemResult,
	itemIndex: number,
): ItemResult {
	try {
		if (!isFailed(result)) return { ...result, json: show(result.json) };
		const failure = show({ ...asked.get(itemIndex), ...result.failure });
		return { failure: { ...failure, message: oneLine(failure.message) } };
	} catch (error) {
		// n8n cannot store this result, but a person needs its task ID all the same, and what is billed.
		const { message } = error as Error;
		const task_id = toTaskId(result);
		const { billed } = isFailed(result) ? result.failure : result.json;
		const failure: Failure = {
			message: task_id === undefined ? message : `${message} (task ${oneLine(task_id)})`,
			description: 'n8n could not store it. Without Raw Response, its item is smaller.',
			task_id,
			billed: toText(billed) as Billed | undefined,
			retryable: false,
			next: task_id === undefined ? 'changeRequest' : 'followTask',
		};
		return { failure: show(failure) };
	}
}

/**
 * Returns the error that stops the node. It holds what a failing item would hold, and the IDs of
 * the run's other tasks, whose items are lost.
 */
function toNodeError(run: Run, results: Results, told: Failure, itemIndex: number) {
	const { context, forAgent, taskIds, unclear: knownUnclear } = run;
	const failure = forAgent ? toAgentFailure(told) : told;
	const { task_id, text, fail_reason } = failure;
	// A tool has one item, and an agent knows nothing of items.
	const message = forAgent ? failure.message : withItem(failure, itemIndex);
	// An item whose work never began may still have a task, or an unclear submit, of an earlier try.
	const others = [...results.entries()].filter(([index]) => index !== itemIndex);
	const otherTaskIds = others.flatMap(
		([index, other]) => toTaskId(other) ?? taskIds.get(index) ?? [],
	);
	const unclear = others.flatMap(([index, other]) => {
		const known = isFailed(other) ? other.failure : knownUnclear.get(index);
		return known?.next === 'checkUsage' ? [toItemName(index)] : [];
	});
	const words = sentences(
		fail_reason,
		failure.description,
		task_id && !failure.message.includes(task_id) ? `Task ID: ${task_id}` : undefined,
		otherTaskIds.length > 0
			? `Other tasks of this run, which are billed: ${toList(otherTaskIds)}. Video Download gets their videos by these IDs. To have the other items when one fails, set On Error in the settings of the node to Continue.`
			: undefined,
		unclear.length > 0
			? `Also unclear, and perhaps billed: ${toList(unclear)}. Look at the usage page of the service before you run it again`
			: undefined,
	);
	// n8n tells a chat the description of an error that ends a node, and chats read Markdown.
	const description = words && isHeard(run) ? toPlain(words) : words;
	const error = createError(context.getNode(), failure, { message, description, itemIndex });
	if (task_id) error.context.task_id = task_id;
	if (text) error.context.text = text;
	if (otherTaskIds.length > 0) error.context.other_task_ids = otherTaskIds;
	return error;
}

/** Returns n8n's error for a failure: of the service, unless the input caused it. */
export function createError(
	node: INode,
	failure: Failure,
	options: {
		message: string;
		description?: string;
		itemIndex: number;
		functionality?: Functionality;
	},
) {
	const { message, description, itemIndex } = options;
	const { http_code, fromInput } = failure;
	const error = fromInput
		? new NodeOperationError(node, message, options)
		: new NodeApiError(node, toErrorFields(failure, itemIndex) as JsonObject, {
				...options,
				httpCode: http_code === undefined ? undefined : String(http_code),
			});
	// n8n replaces a message that contains a word such as EPERM, even inside a task ID.
	error.message = message;
	error.description = description;
	return error;
}

/** The most IDs or items in an error or a hint; an error's context holds all IDs. */
const MAX_SHOWN_IDS = 20;

export const toList = (ids: string[]) =>
	ids.slice(0, MAX_SHOWN_IDS).join(', ') + (ids.length > MAX_SHOWN_IDS ? ', ...' : '');

function toTaskId(result: ItemResult | undefined): string | undefined {
	const { task_id } = (isFailed(result) ? result.failure : result?.json) ?? {};
	return typeof task_id === 'string' ? task_id : undefined;
}
