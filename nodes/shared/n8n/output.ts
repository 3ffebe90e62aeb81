import type { IBinaryKeyData, IDataObject, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import {
	type Billed,
	type Failure,
	isFailure,
	NOT_BILLED,
	NOT_SUBMITTED,
	NOTHING_MORE,
} from '../failure/failure';
import { withoutGaps } from '../lib/json';
import { oneLine, sentences, toItemName, toOrdinal, toPlain, withoutTags } from '../lib/text';
import { endOf } from '../services/answerPaths';
import { without, withoutOtherRender } from './carried';
import { isHeard, type Run, type Summary } from './run';

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
		const task_id = isFailure(result) ? result.task_id : undefined;
		const carried = withoutOtherRender(summaryOf(run, item)?.carried ?? {}, task_id);
		return [{ json: { ...carried, error }, ...(binary && { binary }), pairedItem }];
	});

/** Returns what an item asks for, in few words that may be shown. */
export const summaryOf = ({ redaction, summaries }: Run, itemIndex: number) =>
	redaction.show(summaries.get(itemIndex));

/** Returns the fields under `error` in a failing item; a node that submits says whether it is billed. */
export function toErrorFields(
	failure: Failure,
	itemIndex: number,
	{ model, prompt, place }: Summary = {},
	submits = false,
): IDataObject {
	const own = ['kind', 'then', 'ofAllItems', 'refusal', ...(submits ? [] : ['billed'])];
	const { message, description } = failure;
	return withoutGaps({
		...{ message, description, item_index: itemIndex, model, prompt, ...place },
		...without({ ...failure }, own),
		message: withItem(failure, itemIndex),
	});
}

const toShownFields = (run: Run, failure: Failure, itemIndex: number) =>
	toErrorFields(failure, itemIndex, summaryOf(run, itemIndex), run.submits);

/** Returns the message of a failure with its item, unless it concerns all items. */
export function withItem({ message, ofAllItems }: Failure, itemIndex: number): string {
	const line = oneLine(message);
	return ofAllItems ? line : `${line} ${toItemName(itemIndex)}`;
}

/** Returns all words of a failure in one text, for a chat or an agent. */
export const sayFailure = ({ message, description, then }: Failure): string =>
	sentences(oneLine(message), then ?? description)!;

/** Returns the JSON of a failing item of a tool in the mode "Continue". */
const toAgentErrorJson = (failure: Failure): IDataObject => {
	const { text, task_id, status, retryable } = failure;
	return withoutGaps({ error: sayFailure(failure), text, task_id, status, retryable });
};

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
	const { context, forAgent, submits } = run;
	const others = sortOthers(run, results, itemIndex);
	const fields = toShownFields(run, failure, itemIndex);
	// A tool has one item, and an agent knows nothing of items.
	const words = withoutTags(forAgent ? sayFailure(failure) : withItem(failure, itemIndex));
	// n8n takes an error with this word for Stop, and offers no retry (workflow-execute.js, n8n 2.41).
	const message = words.replaceAll('canceled', 'cancelled');
	const text = forAgent
		? undefined
		: sentences(
				// What it says of this item, the sum says of all.
				isOfMany(run) && submits ? leaveOutBill(failure.description) : failure.description,
				sayWhich(run, failure, itemIndex),
				submits ? countBilled(run, failure, others) : countDone(run, others),
				submits && tellBilled(run, failure, others),
				...listOthers(run, failure, others, itemIndex),
			);
	// n8n tells a chat the description of an error that ends a node, and chats read Markdown.
	const plain = text && withoutTags(text);
	const description = plain && isHeard(run) ? toPlain(plain) : plain;
	const facts = { message, description, itemIndex };
	const { http_code, task_id, text: written } = fields;
	const error =
		failure.kind === 'read'
			? new NodeOperationError(context.getNode(), message, facts)
			: new NodeApiError(context.getNode(), fields as JsonObject, {
					...facts,
					httpCode: http_code === undefined ? undefined : String(http_code as number),
				});
	// n8n replaces a message that contains a word such as EPERM, even inside a task ID.
	error.message = message;
	error.description = description;
	if (task_id) error.context.task_id = task_id;
	if (written) error.context.text = written;
	const otherIds = [...others.billed, ...others.failed].map(({ task_id }) => task_id);
	if (otherIds.length > 0) error.context.other_task_ids = otherIds;
	return error;
}

const hasEndedInFailure = (failure?: Failure) =>
	failure?.kind === 'render' && endOf(failure.status) === 'failed';

/** Another item of a run that has a task, or may have one. */
interface Other {
	index: number;
	task_id?: string;
	billed?: Billed;
}

/**
 * Returns which other items of a run have a task that is billed (of a node that orders nothing: which are done),
 * or that has failed, and which submits are unclear. An item whose work never began may still have a task, or an
 * unclear submit, of an earlier try.
 */
function sortOthers(run: Run, results: Results, itemIndex: number) {
	const others: Record<'billed' | 'failed' | 'unclear', Other[]> = {
		...{ billed: [], failed: [], unclear: [] },
	};
	for (const [index, result] of results.entries()) {
		if (index === itemIndex) continue;
		const failure = isFailure(result) ? result : run.unclear.get(index);
		const task_id = taskIdOf(failure ?? result) ?? run.taskIds.get(index);
		const isFailed = hasEndedInFailure(failure);
		if (failure?.kind === 'unclear') others.unclear.push({ index, task_id });
		else if (isFailed) others.failed.push({ index, task_id, billed: failure?.billed });
		else if (run.submits ? task_id : result && !failure) others.billed.push({ index, task_id });
	}
	return others;
}

type Others = ReturnType<typeof sortOthers>;

const isOfMany = ({ items }: Run): boolean => items.length > 1;

/** Returns a description without what it says of the bill of its item. */
const leaveOutBill = (description = ''): string =>
	[NOT_BILLED, NOT_SUBMITTED].reduce((left, one) => left.replace(one, ''), description).trim();

/** Returns which item has failed as people count, and what it asks for. */
function sayWhich(run: Run, { ofAllItems }: Failure, itemIndex: number): string | undefined {
	if (!isOfMany(run) || ofAllItems) return undefined;
	const { prompt } = summaryOf(run, itemIndex) ?? {};
	const which = `${toItemName(itemIndex)} is the ${toOrdinal(itemIndex + 1)} of ${run.items.length} items`;
	return prompt === undefined ? which : `${which}, with the prompt "${prompt}"`;
}

/** Returns what a person wants to know of the bill before anything else. */
function tellBilled(run: Run, failure: Failure, others: Others): string | undefined {
	const hasFailed = hasEndedInFailure(failure);
	const isPaid = others.billed.length > 0 || (failure.billed === 'yes' && !hasFailed);
	if (count('yes', failure, others) + count('unknown', failure, others) === 0) {
		if (failure.kind !== 'read') return isOfMany(run) ? sayNone(run) : undefined;
		const said = failure.description ?? '';
		const isSaid = said.includes(NOTHING_MORE) || (!isOfMany(run) && said.includes(NOT_SUBMITTED));
		return isSaid ? undefined : NOT_SUBMITTED;
	}
	// After a sleep of Durable, n8n does not run the node again.
	if (run.parameters.durableStep !== undefined) return undefined;
	return sentences(
		// The advice on any other failed render names the bill of a new one.
		hasFailed &&
			failure.next === 'retry' &&
			'Retry execution submits this item anew, and the new task is billed',
		isPaid && 'Retry execution picks up what is billed, and does not pay for it again',
		isPaid && run.context.getMode() === 'manual' && EXECUTE_STEP,
	);
}

/** In the editor, people execute the step again. */
const EXECUTE_STEP =
	'It is the arrow in the Executions tab: Execute step would order everything again';

const sayNone = ({ items }: Run) => `None of the ${items.length} items is billed`;

/** Counts the items of a run of which the same is known, or nothing, about the bill. */
function count(what: Billed, failure: Failure, { billed, failed, unclear }: Others): number {
	const { length } = [failure, ...failed].filter((one) => one.billed === what);
	return length + { yes: billed.length, no: 0, unknown: unclear.length }[what];
}

/** Returns how many items are billed. */
function countBilled(run: Run, failure: Failure, others: Others): string | undefined {
	const { length } = run.items;
	const billed = count('yes', failure, others);
	const open = count('unknown', failure, others);
	if (!isOfMany(run) || billed + open === 0) return undefined;
	const free = length - billed - open;
	const parts = [
		billed > 0 && `${billed} of ${length} items ${are(billed)} billed`,
		open > 0 && `${open}${billed > 0 ? ' may be' : ` of ${length} items may be billed`}`,
		free > 0 && `${free} ${are(free)} not`,
	];
	return parts.filter((words) => words !== false).join('; ');
}

const are = (some: number) => (some === 1 ? 'is' : 'are');

/** Returns how many items are done of a node that orders nothing. */
const countDone = ({ items }: Run, { billed: done }: Others): string | undefined =>
	done.length > 0 ? `${done.length} of ${items.length} items ${are(done.length)} done` : undefined;

const listed = (others: Other[]): string =>
	toList(others.map(({ index, task_id }) => [toItemName(index), task_id].join(' ').trim()));

/** Returns which other items have what, the long lists last. */
function listOthers(
	{ submits }: Run,
	failure: Failure,
	{ billed, failed, unclear }: Others,
	itemIndex: number,
): Array<string | undefined | false> {
	const have = failed.length === 1 ? '1 other has' : `${failed.length} others have`;
	const isUnclear = failure.kind === 'unclear';
	const open = [...unclear, ...(isUnclear ? [{ index: itemIndex }] : [])];
	const inOrder = open.sort((one, other) => one.index - other.index);
	return [
		billed.length > 0 &&
			'To have the other items when one fails, set On Error in the settings of the node to Continue',
		unclear.length > 0 && 'Look at the usage page of the service before you run it again',
		unclear.length > 0 && `May be billed: ${listed(inOrder)}`,
		failed.length > 0 && `${have} failed: ${listed(failed)}`,
		billed.length > 0 && `${submits ? 'Billed' : 'Done'}: ${listed(billed)}`,
		submits && billed.length > 0 && 'Video Download gets a file by its task ID',
	];
}

/** The most IDs or items in an error or a hint; an error's context holds all IDs. */
export const MAX_SHOWN_IDS = 20;

export const toList = (ids: string[]) =>
	ids.slice(0, MAX_SHOWN_IDS).join(', ') + (ids.length > MAX_SHOWN_IDS ? ', ...' : '');

function taskIdOf(result: ItemResult | undefined): string | undefined {
	const { task_id } = isFailure(result) ? result : (result?.json ?? {});
	return typeof task_id === 'string' ? task_id : undefined;
}
