import type { IDataObject } from 'n8n-workflow';

import type { SandboxTask } from '../../../sandbox/service';
import type { RunResult } from '../../support/engine';
import type { Play } from './play';

/** n8n keeps ten entries of 512 characters, and the node fills most of them. */
const ENTRIES = 8;
const ENTRY_CHARS = 255;

/** Bytes of a submit's answer before its id. */
const ID_STARTS = '{"id":"'.length;

/** Tasks whose id went out whole: nobody can keep an id that never came. */
const answeredTasks = ({ tasks, submissions }: Play) =>
	tasks
		.map(({ task_id }) => task_id)
		.filter((task_id) =>
			submissions.some(
				({ taskId, status, sentBytes, aborted }) =>
					taskId === task_id &&
					status === 200 &&
					sentBytes >= ID_STARTS + task_id.length &&
					!aborted,
			),
		);

/** Whether people see the id: in the item of its task, or in its failure, twice. */
function shows({ outputs, error }: RunResult, task_id: string): boolean {
	const names = (message: unknown, id: unknown) =>
		id === task_id && String(message).includes(task_id);
	const inItem = outputs()
		.flat()
		.some(({ json }) => {
			const failure = json.error as IDataObject | undefined;
			return failure ? names(failure.message, failure.task_id) : json.task_id === task_id;
		});
	if (inItem || !error) return inItem;
	const { message, description, context = {} } = error;
	const isOwn = message.includes(task_id) || context.task_id === task_id;
	// Else it is the task of another item than the one that fails.
	return isOwn
		? names(message, context.task_id)
		: JSON.stringify([description, context]).includes(task_id);
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
	const answered = answeredTasks(play);
	if (row.node === 'Video Status') {
		// It has its ids from its input, so an error names only the task that it is about.
		const isOfOne = result.error === undefined || answered.length === 1;
		return isOfOne ? answered.filter((task_id) => !shows(result, task_id)) : [];
	}
	const found = searchable(result.customData);
	const isFull = found.length >= room(tasks);
	return answered.filter(
		(task_id) => !shows(result, task_id) || !(isFull || found.includes(task_id)),
	);
}
