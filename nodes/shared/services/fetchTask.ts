import { type Reason, readReason } from '../failure/reason';
import { lookUp, UNKNOWN_TASK } from '../failure/table';
import {
	isNoAnswer,
	MAX_BYTES_WITH_FILES,
	type NoAnswer,
	RECORD_LIMITS,
	type ServiceAnswer,
} from '../http/answer';
import { parseJson, toObject, valueAt, withoutFiles } from '../lib/json';
import { endOf } from './answerPaths';
import type { Connection } from './connection';
import type { Service } from './contract';
import { isOfNewApi } from './newApi';
import { readTask, type TaskAnswer, type VideoTask } from './videoTask';

const WITH_FILES = { ...RECORD_LIMITS, maxBytes: MAX_BYTES_WITH_FILES };

/**
 * Fetches a task's record once.
 *
 * @param limitMs how long the caller can wait, in milliseconds
 */
export async function fetchTask(
	{ contentUrl, send, service }: Pick<Connection, 'contentUrl' | 'send' | 'service'>,
	task_id: string,
	limitMs: number,
): Promise<TaskAnswer | Reason> {
	// The record of a model that makes anything may have the file in it (fal's and WaveSpeed's `sync_mode`).
	const limits = service.output ? WITH_FILES : RECORD_LIMITS;
	const ask = async (path: string) => await send({ path, limitMs, ...limits });
	const told = await ask(service.taskPath(task_id));
	const answer =
		isNoAnswer(told) || !service.toRecord ? told : await service.toRecord(told, task_id, ask);
	const parsed = isNoAnswer(answer) || answer.status >= 300 ? undefined : parseJson(answer.body);
	const task: VideoTask | undefined = isEmpty(answer)
		? { task_id, status: 'IN_PROGRESS', progress: 0 }
		: readTask(parsed, task_id, service);
	if (!task) {
		const reason = readReason('check', answer);
		const { code: fail_code, description: fail_reason, ended } = reason;
		if (ended) {
			const failed: VideoTask = { task_id, status: 'FAILURE', progress: 0, fail_reason, fail_code };
			return { task: failed, answer: undefined };
		}
		// The addresses of a service with its own are right, so it is the task that is not there.
		if (!service.origins || !reason.noAddress) return reason;
		return readReason('check', answer, { code: UNKNOWN_TASK, words: undefined });
	}
	// Only New API asks the vendor at each fetch; others may have the same fields for any task.
	if (!isOfNewApi(answer)) delete task.hasLiveRecord;
	completeTask(task, parsed, { contentUrl, service });
	return { task, answer: withoutFiles(parsed) };
}

/** Adds what the service tells of all its tasks to one that its record has told. */
export function completeTask(
	task: VideoTask,
	record: unknown,
	{ contentUrl, service }: Pick<Connection, 'contentUrl' | 'service'>,
): void {
	const end = endOf(task.status);
	// The contract: the address is "either taken from result_url or built from task_id".
	if (end === 'done') task.result_url ??= contentUrl(task.task_id);
	if (end === 'done' && task.result_url && service.keepsFiles) {
		task.file_kept_for = service.keepsFiles;
	}
	if (end === 'failed') judgeFailure(task, service, record);
}

/** xAI answers 202 without a body for as long as a task renders. */
const isEmpty = (answer: ServiceAnswer | NoAnswer): boolean =>
	!isNoAnswer(answer) && answer.status < 300 && answer.body.trim() === '';

/** Notes whether a render broke off at the vendor, and whether it is billed, as far as the service says. */
function judgeFailure(task: VideoTask, service: Service, record: unknown): void {
	const { fail_code = '', fail_reason = '' } = task;
	const isOf = (pattern?: RegExp) =>
		[fail_code, fail_reason].some((text) => pattern?.test(text) === true);
	const billed = service.billed?.(fail_code, toObject(record));
	const perhapsFiltered = isOf(service.brokeOrFiltered);
	const broke =
		perhapsFiltered || isOf(service.broke) || lookUp('render', { code: fail_code }).broke;
	// fal says of some types whether the same request may work. What a service bills although it broke off, nobody
	// orders again by itself.
	if (broke && billed !== 'yes' && valueAt(record, 'retryable') !== false) {
		task.broke = true;
		if (perhapsFiltered) task.perhapsFiltered = true;
	}
	if (billed) task.billed = billed;
}
