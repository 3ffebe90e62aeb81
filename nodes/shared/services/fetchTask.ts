import { lacksAddress, type Reason, readReason } from '../failure/reason';
import { UNKNOWN_TASK } from '../failure/table';
import { isNoAnswer, RECORD_LIMITS } from '../http/answer';
import { parseJson, withoutFiles } from '../lib/json';
import { endOf } from './answerPaths';
import type { Connection } from './connection';
import { isOfNewApi } from './newApi';
import { isBroken, readTask, type VideoTask } from './videoTask';

/** A task's record as it was read, and the answer as it came, but for files in it. */
export interface FetchedTask {
	task: VideoTask;
	answer: unknown;
}

/**
 * Fetches a task's record once.
 *
 * @param limitMs how long the caller can wait, in milliseconds
 */
export async function fetchTask(
	{ contentUrl, send, service }: Pick<Connection, 'contentUrl' | 'send' | 'service'>,
	task_id: string,
	limitMs: number,
): Promise<FetchedTask | Reason> {
	const ask = async (path: string) => await send({ path, limitMs, ...RECORD_LIMITS });
	const path = service.taskPath(task_id);
	const told = await ask(path);
	const answer =
		isNoAnswer(told) || !service.toRecord ? told : await service.toRecord(told, task_id, ask);
	const parsed = isNoAnswer(answer) || answer.status >= 300 ? undefined : parseJson(answer.body);
	const task = readTask(parsed, task_id);
	if (!task) {
		// The addresses of a service are right, so it is the task that is not there.
		const isUnknown = service.origins && !isNoAnswer(answer) && lacksAddress(answer, path);
		return readReason(
			'check',
			answer,
			isUnknown ? { code: UNKNOWN_TASK, words: undefined } : undefined,
		);
	}
	// Only New API asks the vendor at each fetch; others may have the same fields for any task.
	if (!isOfNewApi(answer)) delete task.hasLiveRecord;
	const end = endOf(task.status);
	// The contract: the address is "either taken from result_url or built from task_id".
	if (end === 'done') task.result_url ??= contentUrl(task_id);
	const { failed, broke = failed } = service.billed ?? {};
	const billed = end === 'failed' ? (isBroken(task) ? broke : failed) : undefined;
	return { task: billed ? { ...task, billed } : task, answer: withoutFiles(parsed) };
}
