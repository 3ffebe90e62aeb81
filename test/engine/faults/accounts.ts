import type { IDataObject } from 'n8n-workflow';

import type { SandboxTask } from '../../../sandbox/service';
import type { RunResult } from '../../support/engine';
import type { Play } from './play';

/** n8n keeps ten entries of 512 characters, and the node fills most of them. */
const ENTRIES = 8;
const ENTRY_CHARS = 512;

/** Bytes of a submit's answer before its id. */
const ID_STARTS = '{"id":"'.length;

/** Tasks whose id went out whole: nobody can keep an id that never came. */
export const toldTasks = ({ tasks, submissions }: Pick<Play, 'tasks' | 'submissions'>) =>
	tasks.filter(({ task_id }) =>
		submissions.some(
			({ taskId, status, sentBytes, aborted }) =>
				taskId === task_id && status === 200 && sentBytes >= ID_STARTS + task_id.length && !aborted,
		),
	);

const names = (task_id: string, error: Partial<IDataObject>) =>
	error.task_id === task_id && String(error.message).includes(task_id);

interface ErrorFields {
	message: string;
	description?: string;
	context?: IDataObject;
}

/** Whether people see the id: in the item of its task, or in its failure, twice. */
export function shows({ outputs, error }: RunResult, task_id: string): boolean {
	const items = outputs()
		.flat()
		.map(({ json }) => json);
	const inItem = items.some((json) =>
		json.error ? names(task_id, json.error as IDataObject) : json.task_id === task_id,
	);
	if (inItem || !error) return inItem;
	const { message, description, context = {} } = error as unknown as ErrorFields;
	const isOwn = message.includes(task_id) || context.task_id === task_id;
	if (isOwn) return names(task_id, { message, task_id: context.task_id });
	// The task of another item than the one that fails.
	return JSON.stringify([description, context]).includes(task_id);
}

/** The ids by which the executions list finds the run. */
export const searchable = (customData: Record<string, string>) =>
	Object.entries(customData)
		.filter(([key]) => key.startsWith('video_task_ids'))
		.flatMap(([, entry]) => entry.split(','));

/** How many of these ids custom data has room for. */
export function room(tasks: SandboxTask[]): number {
	const longest = Math.max(1, ...tasks.map(({ task_id }) => task_id.length));
	return ENTRIES * Math.max(1, Math.floor((ENTRY_CHARS + 1) / (longest + 1)));
}

/** Paid tasks that cannot be found again. */
export function lostTasks(play: Play): string[] {
	const { row, result, tasks } = play;
	const told = toldTasks(play).map(({ task_id }) => task_id);
	if (row.node === 'Video Status') {
		// It has its ids from its input, so an error names only the task that it is about.
		const isOfOne = result.error === undefined || told.length === 1;
		return isOfOne ? told.filter((task_id) => !shows(result, task_id)) : [];
	}
	const known = searchable(result.customData);
	const isFull = known.length >= room(tasks);
	return told.filter((task_id) => !shows(result, task_id) || !(isFull || known.includes(task_id)));
}

/** Tasks beyond those that were wanted. */
export const extraTasks = ({ row, tasks }: Play) =>
	Math.max(0, tasks.length - (row.paid ?? row.plans.length));
