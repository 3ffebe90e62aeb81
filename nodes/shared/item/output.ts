import type { IBinaryKeyData, IDataObject, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { withoutGaps } from '../lib/json';
import { sentences, toPlain } from '../lib/text';
import { type Failure, isFailure } from '../service/failure';
import { withoutOtherRender } from './carried';
import { isHeard, type Run } from './run';
import { toAgentErrorJson, toErrorFields, toItemName, withItem, wordsFor } from './words';
import { billedFor, nextFor } from '../service/next';

/** The result of an item that has not failed in this node. */
export interface Done {
	json: IDataObject;
	binary?: IBinaryKeyData;
	/** The `error` of an earlier node, which goes on with the item. */
	error?: unknown;
}
export type ItemResult = Done | Failure;

/** The results by input item; `undefined` for an item that has none. */
export type Results = Array<ItemResult | undefined>;

/**
 * Returns results as n8n items, each linked to its input item. With an error output, a failing item has
 * no field besides `error`: with any other field, n8n sends the item down the success branch. n8n adds
 * the incoming fields there, but no files, without which the item could not come back to the node. At
 * an output that videos share, a failing item has its incoming fields, so that its row can be told, and
 * no file that could pass for a video.
 */
export const toItems = (run: Run, results: Results): INodeExecutionData[] =>
	results.flatMap((result, item) => {
		if (!result) return [];
		const pairedItem = { item };
		if (!isFailure(result) && result.json.error === undefined) {
			const { error, json, ...files } = result;
			return [{ pairedItem, ...files, json: withoutGaps({ ...json, error }) as IDataObject }];
		}
		if (isFailure(result) && run.forAgent) return [{ json: toAgentErrorJson(result), pairedItem }];
		const { binary } = run.hasErrorOutput ? run.items[item] : {};
		const error = isFailure(result) ? toShownFields(run, result, item) : result.json.error;
		const task_id = isFailure(result) ? result.task?.task_id : undefined;
		const carried = withoutOtherRender(summaryOf(run, item)?.carried ?? {}, task_id);
		return [{ json: { ...carried, error }, ...(binary && { binary }), pairedItem }];
	});

/** Returns what an item asks for, in few words that may be shown. */
export const summaryOf = ({ redaction, summaries }: Run, itemIndex: number) =>
	redaction.show(summaries.get(itemIndex));

const toShownFields = (run: Run, failure: Failure, itemIndex: number) =>
	toErrorFields(failure, itemIndex, summaryOf(run, itemIndex), run.submits);

/**
 * Returns the items of an output, in the order of the input. In the default mode, throws the first
 * failure instead. After Stop, returns the items so far in any mode: n8n then shows the run as
 * canceled and keeps them.
 */
export function toOutput(run: Run, raw: Results): INodeExecutionData[] {
	const results = raw.map((result) => result && toShown(run, result));
	const failed = results.findIndex(isFailure);
	if (failed >= 0 && run.stopsOnFailure && !run.stop.aborted) {
		throw toNodeError(run, results, results[failed] as Failure, failed);
	}
	return toItems(run, results);
}

/** Returns a result whose JSON may be shown; its file stays as it is. */
export const toShown = ({ redaction }: Run, result: ItemResult): ItemResult =>
	isFailure(result)
		? redaction.show(result)
		: { ...result, ...redaction.show({ json: result.json, error: result.error }) };

/**
 * Returns the error that stops the node. It holds what a failing item would hold, and the IDs of
 * the run's other tasks, whose items are lost.
 */
function toNodeError(run: Run, results: Results, failure: Failure, itemIndex: number) {
	const { context, forAgent, items, submits } = run;
	const { during, task, text } = failure;
	const words = wordsFor(failure, forAgent ? 'agent' : 'person');
	const fields = toShownFields(run, failure, itemIndex);
	// A tool has one item, and an agent knows nothing of items.
	const message = forAgent ? words.message : withItem(words.message, failure, itemIndex);
	const others = sortOthers(run, results, itemIndex);
	const { taskIds, unclear } = others;
	const isNamed = task?.task_id === undefined || words.message.includes(task.task_id);
	const isPaid = taskIds.size + others.failed.size > 0 || billedFor(failure) !== 'no';
	const retry = submits && !forAgent && isPaid && toRetryWords(run, failure, others);
	const isNoneBilled = submits && !forAgent && !isPaid && unclear.length === 0;
	const nameAll = (ids: Map<number, string>) =>
		[...ids].map(([index, task_id]) => `${toItemName(index)} ${task_id}`);
	const [named, failed] = [taskIds, others.failed].map(nameAll);
	const description = sentences(
		!forAgent && (fields.fail_reason as string | undefined),
		// The advice on a render leads to a new task, which is billed; what costs less is said first.
		during === 'render' && retry,
		words.description,
		during !== 'render' && retry,
		isNoneBilled && (during === 'read' || items.length > 1) && 'No video of this run is billed',
		!isNamed && `Task ID: ${task.task_id}`,
		named.length > 0 &&
			`${named.length === 1 ? '1 other is' : `${named.length} others are`} billed: ${toList(named)}`,
		named.length > 0 &&
			!retry &&
			'Video Download gets their videos by these IDs. To have the other items when one fails, set On Error in the settings of the node to Continue',
		failed.length > 0 &&
			`${failed.length === 1 ? '1 other has' : `${failed.length} others have`} failed: ${toList(failed)}`,
		unclear.length > 0 &&
			`Also unclear, and perhaps billed: ${toList(unclear.map(toItemName))}. Look at the usage page of the service before you run it again`,
	);
	// n8n tells a chat the description of an error that ends a node, and chats read Markdown.
	const shown = description && isHeard(run) ? toPlain(description) : description;
	const facts = { message, description: shown, itemIndex };
	const { http_code } = fields;
	const error =
		during === 'read'
			? new NodeOperationError(context.getNode(), message, facts)
			: new NodeApiError(context.getNode(), fields as JsonObject, {
					...facts,
					httpCode: http_code === undefined ? undefined : String(http_code as number),
				});
	// n8n replaces a message that contains a word such as EPERM, even inside a task ID.
	error.message = message;
	error.description = shown;
	if (task?.task_id) error.context.task_id = task.task_id;
	if (text) error.context.text = text;
	const otherIds = [taskIds, others.failed].flatMap((ids) => [...ids.values()]);
	if (otherIds.length > 0) error.context.other_task_ids = otherIds;
	return error;
}

/**
 * Returns how the other items of a run stand: the tasks that they have, which submits are unclear, and how
 * many items would be submitted by a retry. An item whose work never began may still have a task, or an
 * unclear submit, of an earlier try.
 */
function sortOthers(run: Run, results: Results, itemIndex: number) {
	const taskIds = new Map<number, string>();
	const failed = new Map<number, string>();
	const unclear: number[] = [];
	let open = 0;
	for (const [index, result] of results.entries()) {
		if (index === itemIndex) continue;
		const failure = isFailure(result) ? result : run.unclear.get(index);
		const task_id = taskIdOf(result) ?? run.taskIds.get(index);
		// Nobody knows whether a task that an unclear submit names is the item's.
		if (failure?.certainty === 'unclear') unclear.push(index);
		else if (task_id !== undefined) {
			const hasFailed = failure?.end?.state === 'failed';
			(hasFailed ? failed : taskIds).set(index, task_id);
		} else if (!result || failure) open++;
	}
	return { taskIds, failed, unclear, open };
}

/**
 * Returns what a retry of the execution pays for, which is the way that costs least; `undefined` if a
 * retry submits nothing, as after a sleep of Durable, or after an unclear submit.
 */
function toRetryWords(
	{ parameters }: Run,
	failure: Failure,
	{ open, failed }: ReturnType<typeof sortOthers>,
): string | undefined {
	const next = nextFor(failure);
	if (parameters.durableStep !== undefined || next === 'checkUsage') return undefined;
	const more = [
		open > 0 &&
			`${open === 1 ? '1 other, which was' : `${open} others, which were`} not submitted and not billed yet`,
		failed.size > 0 &&
			(failed.size === 1 ? '1 that has failed' : `${failed.size} that have failed`),
	]
		.filter((words) => words !== false)
		.join(', and ');
	if (next === 'followTask') {
		return `Executions > Retry picks it up, and pays for ${more || 'nothing'}`;
	}
	const pays = `Executions > Retry pays for this row${more ? ` and ${more}` : ' only'}`;
	return failure.during === 'render'
		? `${pays}. It takes the same input: change the prompt in this node`
		: pays;
}

/** The most IDs or items in an error or a hint; an error's context holds all IDs. */
const MAX_SHOWN_IDS = 20;

export const toList = (ids: string[]) =>
	ids.slice(0, MAX_SHOWN_IDS).join(', ') + (ids.length > MAX_SHOWN_IDS ? ', ...' : '');

function taskIdOf(result: ItemResult | undefined): string | undefined {
	const { task_id } = (isFailure(result) ? result.task : result?.json) ?? {};
	return typeof task_id === 'string' ? task_id : undefined;
}
