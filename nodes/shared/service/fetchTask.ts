import { isObject, parseExactJson, withoutFiles, withoutGaps } from '../lib/json';
import type { Address, Connection } from './connection';
import { askForContent, contentAddress, findFile } from './content';
import { type Failure, readFailure } from './failure';
import { meansNoRoute } from './findRoute';
import { isNoAnswer, type NoAnswer, RECORD_LIMITS, type ServiceAnswer } from './http';
import { mayBeElsewhere } from './later';
import type { Route } from './routes';
import { isOfFilter, readErrorObject } from './serviceWords';
import { readTask, type VideoTask } from './videoTask';

/** A task's record as it was read, and the answer as it came, but for files in it. */
export interface FetchedTask {
	task: VideoTask;
	answer: unknown;
}

interface FetchLimits {
	/** Returns how long the caller can still wait, in milliseconds. */
	leftMs: () => number;
	signal: AbortSignal;
}

export async function fetchTask(
	connection: Connection,
	{ task_id, route: lastRoute }: Pick<VideoTask, 'task_id' | 'route'>,
	{ leftMs, signal }: FetchLimits,
): Promise<FetchedTask | Failure> {
	const { traits } = connection;
	const likely = traits.routes.find(({ name }) => name === lastRoute) ?? traits.route;
	const routes = [...new Set([likely ?? traits.routes[0], ...traits.routes])];
	let failure: Failure | undefined;
	for (const route of routes) {
		const answer = await connection.send({
			path: route.taskPath(task_id),
			limitMs: leftMs(),
			...RECORD_LIMITS,
		});
		const isRecord = !isNoAnswer(answer) && answer.status < 300;
		const parsed = isNoAnswer(answer) ? undefined : parseExactJson(answer.body);
		const task = isRecord ? readTask(parsed, task_id) : readKeptBack(answer, parsed, task_id);
		// What another route says without this ID may be about any task.
		if (task?.isUnnamed && likely && route !== likely) continue;
		if (task) {
			traits.route ??= route;
			const found = await findContent(connection, task, route, { leftMs, signal });
			// Only New API asks the vendor at each fetch; others may have the same fields for any task.
			if (!connection.writesByModel) delete found.hasLiveRecord;
			return { task: { ...found, route: route.name }, answer: withoutFiles(parsed) };
		}
		const isLacking = !isNoAnswer(answer) && meansNoRoute(answer, route.taskPath(task_id));
		if (!failure || !isLacking) failure = readFailure('check', answer, { task: { task_id } });
		// New API has both routes, and one answer for both.
		if (traits.isNewApi || isNoAnswer(answer) || !mayBeElsewhere(answer.status)) break;
	}
	return failure!;
}

/** Reads a task whose end is told as an error of the request, as xAI does where its filter keeps a film back. */
function readKeptBack(
	answer: ServiceAnswer | NoAnswer,
	parsed: unknown,
	task_id: string,
): VideoTask | undefined {
	if (isNoAnswer(answer) || ![400, 422].includes(answer.status)) return undefined;
	// A proxy may speak of a policy, too, but in a page or in plain words.
	const statement = isObject(parsed) ? readErrorObject(parsed) : {};
	if (!isOfFilter(statement)) return undefined;
	// Its file may still come, and it counts as billed: a failed render would be submitted again.
	const noVideo = {
		why: 'filtered',
		words: statement.words ?? statement.code,
		isUnsure: true,
	} as const;
	return { task_id, status: 'SUCCESS', progress: 100, isUnnamed: true, noVideo };
}

/**
 * Resolves to a task with the address of its video. Some deployments say SUCCESS without one although the
 * video is at the documented address, which also goes before one that may be another video's.
 */
async function findContent(
	connection: Connection,
	task: VideoTask,
	route: Route,
	{ leftMs, signal }: FetchLimits,
): Promise<VideoTask> {
	const { task_id, isUrlGuessed, noVideo } = task;
	const isFiltered = noVideo?.why === 'filtered';
	const mayCome = !isFiltered || noVideo?.isUnsure;
	const lacksUrl = !task.result_url || isUrlGuessed;
	if (task.status !== 'SUCCESS' || !lacksUrl || !mayCome) return task;
	const ask = async (address: Address) => {
		const content = await askForContent(connection, task_id, {
			limitMs: leftMs(),
			signal,
			address,
		});
		return findFile(content, route, task_id);
	};
	const documented = contentAddress(task_id);
	let hasFile = await ask(documented);
	let address = (hasFile ?? !(isFiltered || isUrlGuessed)) ? documented : undefined;
	for (const { taskPath } of connection.traits.isNewApi ? [] : connection.traits.routes) {
		// Some have it beside their records, on whatever route these are.
		const beside = (baseUrl: string) => `${baseUrl}${taskPath(task_id)}/content`;
		const isOther = beside('') !== documented('');
		if (hasFile !== false || !isOther || !(await ask(beside))) continue;
		hasFile = true;
		address = beside;
	}
	const result_url = address?.(connection.baseUrl) ?? task.result_url;
	return withoutGaps<VideoTask>({
		...task,
		result_url,
		noVideo: hasFile && isFiltered ? undefined : noVideo,
		isFileUnsure: (hasFile === undefined && result_url !== undefined) || undefined,
	});
}
