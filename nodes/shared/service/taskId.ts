import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';
import { findObjects, OTHERS, type Found } from './answerObjects';
import { meansNo } from './codes';
import { findStatus, statusOf } from './taskStatus';

/** What programs write where they have nothing, and what would be another path in an address. */
const NO_ID = /^(0|nan|none|null|undefined|\.{1,2})$/i;

/** A text, or a number from 1 up: who has no id says `0`. */
function toId(value: unknown): string | undefined {
	if (typeof value !== 'number') {
		const text = toText(value);
		return text === undefined || NO_ID.test(text.trim()) ? undefined : text;
	}
	return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
}

/** The id under the names that say whose it is. */
const ownId = ({ task_id, taskId }: IDataObject) => toId(task_id) ?? toId(taskId);

export const idsOf = ({ task_id, taskId, id }: IDataObject): string[] =>
	[task_id, taskId, id].map(toId).filter((known) => known !== undefined);

/**
 * The task's id in the answer to a submit, under the names and at the level at which deployments
 * tell it. A name that says whose id it is goes first; then a record goes before its envelope.
 */
export function readTaskId(answer: unknown): string | undefined {
	let best: { id?: string; rank: number } = { rank: -1 };
	for (const found of findObjects(answer)) {
		const own = ownId(found.object);
		const id = own ?? (isOfTask(found) ? toId(found.object.id) : undefined);
		const rank = (own === undefined || found.isOthers ? 0 : 3) + toRank(found);
		if (id !== undefined && rank > best.rank) best = { id, rank };
	}
	return best.id;
}

/** Whether an answer names a task as its own, whatever else it says. */
export const tellsTask = (answer: unknown): boolean =>
	findObjects(answer).some(({ object, isOthers }) => !isOthers && ownId(object) !== undefined);

function toRank({ object, depth, isWrapped }: Found): number {
	if (isRecord(object)) return 2;
	return isWrapped && depth > 0 ? 1 : 0;
}

/** An envelope says how the request went (`success`), a record how far its task is. */
function isRecord(object: IDataObject): boolean {
	const status = findStatus(statusOf(object) ?? 'SUCCESS') ?? 'SUCCESS';
	return status !== 'SUCCESS' || object.progress !== undefined || object.object === 'video';
}

/** Whether its `id` may be a task's: beside a refusal it is that of the refusal. */
function isOfTask({ object, isOthers }: Found): boolean {
	const { code, error } = object;
	const words = isObject(error) ? error.message : error;
	const saysNo = meansNo(code) || toText(words) !== undefined || object.object === 'error';
	return !isOthers && !OTHERS.test(object.object) && (isRecord(object) || !saysNo);
}
