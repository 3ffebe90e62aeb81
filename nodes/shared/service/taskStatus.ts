import type { IDataObject } from 'n8n-workflow';

/** The contract's four words. */
export type TaskStatus = 'queued' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE';

/** Words that deployments use, in lower case. */
const STATUS_WORDS = new Map<string, TaskStatus>(
	Object.entries({
		'': 'queued',
		not_start: 'queued',
		pending: 'queued',
		queued: 'queued',
		submitted: 'queued',
		unknown: 'queued',
		in_progress: 'IN_PROGRESS',
		processing: 'IN_PROGRESS',
		running: 'IN_PROGRESS',
		completed: 'SUCCESS',
		succeed: 'SUCCESS',
		succeeded: 'SUCCESS',
		success: 'SUCCESS',
		cancelled: 'FAILURE',
		canceled: 'FAILURE',
		expired: 'FAILURE',
		failed: 'FAILURE',
		failure: 'FAILURE',
	}),
);

/** What a record or an envelope says under the names of a state. */
export const statusOf = ({ status, task_status, taskStatus }: IDataObject): string | undefined =>
	[status, task_status, taskStatus].find((word) => typeof word === 'string');

/** Whether a value is one of the contract's words as they are spelled. */
export const isStatus = (value: unknown): value is TaskStatus =>
	typeof value === 'string' && ['queued', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'].includes(value);

export const isFinal = (status: TaskStatus) => status === 'SUCCESS' || status === 'FAILURE';

/** `undefined` for a word that no deployment is known to use for a task. */
export const findStatus = (word: string): TaskStatus | undefined =>
	STATUS_WORDS.get(word.trim().toLowerCase());

/** Whatever is not known to be final is not final. */
export const readStatus = (word: string): TaskStatus => findStatus(word) ?? 'IN_PROGRESS';
