import { parseJson, withoutFiles } from '../lib/json';
import { endOf } from './answerPaths';
import type { Connection } from './connection';
import { isNoAnswer, isOfNewApi, RECORD_LIMITS } from './http';
import { lacksRoute } from './routes';
import { readTask, type VideoTask } from './videoTask';
import { type CheckFailure, readReason } from './reason';

/** A task's record as it was read, and the answer as it came, but for files in it. */
export interface FetchedTask {
	task: VideoTask;
	answer: unknown;
}

/** As New API says it. */
const UNKNOWN_TASK = JSON.stringify({ code: 'task_not_exist' });

/** Statuses with which a route may say that another one knows the task; some services answer any path with 200. */
const ELSEWHERE = [200, 400, 404, 405];

/**
 * Fetches a task's record once. If nobody knows its route, each is asked until one tells a state.
 *
 * @param limitMs how long the caller can wait, in milliseconds
 */
export async function fetchTask(
	{ contentUrl, routes, send }: Connection,
	{ task_id, route: name }: Pick<VideoTask, 'task_id' | 'route'>,
	limitMs: number,
): Promise<FetchedTask | CheckFailure> {
	const known = routes.filter((route) => route.name === name);
	let failure: CheckFailure | undefined;
	for (const route of known.length > 0 ? known : routes) {
		const path = route.taskPath(task_id);
		const ask = async (at: string) => await send({ path: at, limitMs, ...RECORD_LIMITS });
		const told = await ask(path);
		const { toRecord } = route.service ?? {};
		const record = isNoAnswer(told) || !toRecord ? told : await toRecord(told, task_id, ask);
		// At a named service, the address is right, so it is the task that is not there.
		const isUnknown = route.service && !isNoAnswer(record) && record.status === 404;
		const answer = isUnknown ? { ...record, body: UNKNOWN_TASK } : record;
		const parsed = isNoAnswer(answer) || answer.status >= 300 ? undefined : parseJson(answer.body);
		const task = readTask(parsed, task_id);
		if (task) {
			// Only New API asks the vendor at each fetch; others may have the same fields for any task.
			if (!isOfNewApi(answer)) delete task.hasLiveRecord;
			const isDone = endOf(task.status) === 'done';
			// The contract: the address is "either taken from result_url or built from task_id".
			if (isDone) task.result_url ??= contentUrl(task_id);
			return { task: { ...task, route: route.name }, answer: withoutFiles(parsed) };
		}
		const isLacking = !isNoAnswer(answer) && lacksRoute(answer, path);
		if (!failure || !isLacking)
			failure = { ...readReason('check', answer), kind: 'check', task_id };
		// New API has both routes, and one answer for both.
		if (isNoAnswer(answer) || isOfNewApi(answer) || !ELSEWHERE.includes(answer.status)) break;
	}
	return failure!;
}
