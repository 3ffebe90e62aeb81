import type { IBinaryKeyData, IDataObject, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { oneLine, sentences } from '../lib/text';
import { type Failure, toAgentErrorJson, toAgentFailure, toErrorFields, withItem } from './failure';
import type { Run } from './run';

/** The most IDs or item numbers in an error's text; the error's context holds all IDs. */
const MAX_SHOWN_IDS = 20;

/** Advice about tasks whose items are lost, in this run and in the next. */
const KEEP_OTHERS =
	'Video Download gets their videos by these IDs. To have the other items when one fails, set On Error in the settings of the node to Continue.';

/** The result of a node for one input item. */
export type ItemResult = { json: IDataObject; binary?: IBinaryKeyData } | { failure: Failure };

/** The results by input item; `undefined` for an item that has none. */
export type Results = Array<ItemResult | undefined>;

export const isFailed = (result: ItemResult): result is { failure: Failure } => 'failure' in result;

/**
 * Returns a result as an n8n item, linked to its input item. A failing item has no field besides
 * `error`: with any other field, n8n sends the item down the success branch.
 */
export function toItem(result: ItemResult, itemIndex: number): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (isFailed(result)) {
		return { json: { error: toErrorFields(result.failure, itemIndex) }, pairedItem };
	}
	const { json, binary } = result;
	return binary ? { json, binary, pairedItem } : { json, pairedItem };
}

/**
 * Returns the items of an output, in the order of the input. In the default mode, throws the first
 * failure instead. After Stop, returns the items so far in any mode: n8n then shows the run as
 * canceled and keeps them.
 */
export function toOutput(run: Run, raw: Results): INodeExecutionData[] {
	const { forAgent, stop, stopsOnFailure } = run;
	const results = raw.map((result) => result && toShown(run, result));
	if (stopsOnFailure && !stop.aborted) {
		const first = results.findIndex((result) => result !== undefined && isFailed(result));
		const result = results[first];
		if (result && isFailed(result)) throw toNodeError(run, results, result.failure, first);
	}
	return results.flatMap((result, itemIndex) => {
		if (!result) return [];
		const told = forAgent && isFailed(result) ? { json: toAgentErrorJson(result.failure) } : result;
		return [toItem(told, itemIndex)];
	});
}

/** Returns a result whose JSON may be shown and stored; its file stays as it is. */
export function toShown({ show }: Pick<Run, 'show'>, result: ItemResult): ItemResult {
	try {
		if (!isFailed(result)) return { ...result, json: show(result.json) };
		const failure = show(result.failure);
		return { failure: { ...failure, message: oneLine(failure.message) } };
	} catch (error) {
		return { failure: show(toUnshownFailure(error as Error, toTaskId(result))) };
	}
}

/**
 * Returns the failure for a result that n8n cannot store; it names the task, if there is one,
 * because a person needs that.
 */
const toUnshownFailure = ({ message }: Error, task_id: string | undefined): Failure => ({
	message: task_id === undefined ? message : `${message} (task ${oneLine(task_id)})`,
	description: 'n8n could not store it. With Simplify on, items do without the raw answer',
	task_id,
	retryable: false,
	next: task_id === undefined ? 'changeRequest' : 'followTask',
	source: 'service',
});

/**
 * Returns the error that stops the node. It holds what a failing item would hold, and the IDs of
 * the run's other tasks, whose items are lost.
 */
function toNodeError(
	{ context, forAgent }: Run,
	results: Results,
	told: Failure,
	itemIndex: number,
): Error {
	const failure = forAgent ? toAgentFailure(told) : told;
	const { http_code, task_id, text } = failure;
	// A tool has one item, and an agent knows nothing of items.
	const message = forAgent ? failure.message : withItem(failure, itemIndex);
	const others = results.filter((_other, index) => index !== itemIndex).map(toTaskId);
	const otherTaskIds = others.filter((id) => id !== undefined);
	const description = sentences(
		describe(failure, otherTaskIds),
		describeUnclear(results, itemIndex),
	);
	const options = { message, description, itemIndex };
	const error =
		failure.source === 'input'
			? new NodeOperationError(context.getNode(), message, options)
			: new NodeApiError(context.getNode(), toErrorFields(failure, itemIndex) as JsonObject, {
					...options,
					httpCode: http_code === undefined ? undefined : String(http_code),
				});
	// n8n replaces a message that contains a word such as EPERM, even inside a task ID.
	error.message = message;
	error.description = description;
	if (task_id) error.context.task_id = task_id;
	if (text) error.context.text = text;
	if (otherTaskIds.length > 0) error.context.other_task_ids = otherTaskIds;
	return error;
}

function describe(failure: Failure, otherTaskIds: string[]): string | undefined {
	const { message, description, task_id, fail_reason } = failure;
	const shown = otherTaskIds.slice(0, MAX_SHOWN_IDS).join(', ');
	const more = otherTaskIds.length > MAX_SHOWN_IDS ? ', ...' : '';
	return sentences(
		fail_reason,
		description,
		task_id && !message.includes(task_id) ? `Task ID: ${task_id}` : undefined,
		shown &&
			`Other tasks of this run, which continue and are billed: ${shown}${more}. ${KEEP_OTHERS}`,
	);
}

/** Names the other items that may be paid for although nobody knows a task ID. */
function describeUnclear(results: Results, told: number): string | undefined {
	const items = [...results.keys()].filter((index) => {
		const result = results[index];
		if (index === told || !result || !isFailed(result)) return false;
		return result.failure.next === 'checkUsage';
	});
	if (items.length === 0) return undefined;
	const shown = `${items.slice(0, MAX_SHOWN_IDS).join(', ')}${items.length > MAX_SHOWN_IDS ? ', ...' : ''}`;
	return `It is unclear whether item ${shown} was accepted, which may be billed. Look at the usage page of the service before you run it again`;
}

function toTaskId(result: ItemResult | undefined): string | undefined {
	if (!result) return undefined;
	const { task_id } = isFailed(result) ? result.failure : result.json;
	return typeof task_id === 'string' ? task_id : undefined;
}
