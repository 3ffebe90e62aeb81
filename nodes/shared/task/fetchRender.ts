import type { Run } from '../item/run';
import type { Connection } from '../service/connection';
import { createPrices } from '../service/cost';
import { type Failure, isFailure } from '../service/failure';
import { askForContent, type ContentAnswer } from '../service/content';
import { type FetchedTask, fetchTask } from '../service/fetchTask';
import { isFinal, readStatus, readTask } from '../service/videoTask';
import { patienceFor } from '../service/later';
import type { Render } from './render';

/**
 * Milliseconds between two fetches of a record that the gateway asks the vendor for: `goesOn` while
 * the content endpoint says that the render goes on, `unknown` otherwise. The gateway looks at its
 * tasks every 15 to 30 seconds by itself. It refunds a failed one only if that look, and not our
 * fetch, was the first to see the failure.
 */
const RECORD_EVERY_MS = { goesOn: 180_000, unknown: 30_000 };

/**
 * Returns a function that fetches a task, and adds the cost on SUCCESS if the service tells it. If
 * the gateway asks the vendor at each fetch of the record (Veo), the content endpoint, which it
 * answers from what it knows, says when to fetch the record. Only the record decides how the task
 * stands.
 */
export function createFetch({ clock, signal }: Run, connection: Connection) {
	const toCost = createPrices(connection);
	/** When records were last fetched, by task ID and by whether the content endpoint called for it. */
	const fetchedMs = new Map<string, number>();
	/** `limitMs` is how long the caller can wait, in milliseconds. */
	return async (render: Render, limitMs = Infinity): Promise<FetchedTask | Failure> => {
		const { task, submittedAtMs = -Infinity, deadlineMs = Infinity } = render;
		const nowMs = clock.now();
		const leftMs = () => Math.max(0, nowMs + limitMs - clock.now());
		// Trouble, or a failure that may pass, is believed only after several fetches of the record.
		const meetsTrouble = Object.values(render.troubles).some((count) => count > 0);
		let isCalledFor = false;
		if (task.hasLiveRecord && nowMs < deadlineMs && !meetsTrouble) {
			// This question must end by the deadline, so that the last fetch of the record has time left.
			const wait = { limitMs: Math.min(limitMs, deadlineMs - nowMs), signal };
			const state = readContent(await askForContent(connection, task.task_id, wait));
			isCalledFor = state !== undefined && isFinal(state);
			const goesOn = state !== undefined && !isCalledFor;
			const everyMs = RECORD_EVERY_MS[goesOn ? 'goesOn' : 'unknown'];
			const firstMs = isCalledFor ? -Infinity : submittedAtMs;
			const lastMs = fetchedMs.get(`${task.task_id} ${isCalledFor}`) ?? firstMs;
			if (nowMs - lastMs < everyMs && clock.now() < deadlineMs) {
				const status = goesOn ? state : task.status;
				return { task: { ...task, status }, answer: undefined };
			}
		}
		fetchedMs.set(`${task.task_id} ${isCalledFor}`, nowMs);
		const result = await fetchTask(connection, task, { leftMs, signal });
		if (isFailure(result)) return readSubmitAnswer(render, result) ?? result;
		if (!result.task.charge) return result;
		const cost = await toCost(result.task.charge, leftMs());
		return cost ? { ...result, task: { ...result.task, cost } } : result;
	};
}

/** Returns the task of a service that has told the file in its answer to the submit, and knows no tasks. */
function readSubmitAnswer({ task, answer }: Render, failure: Failure): FetchedTask | undefined {
	if (patienceFor(failure) !== 'unknown') return undefined;
	const told = readTask(answer, task.task_id);
	if (told?.status !== 'SUCCESS' || !told.result_url) return undefined;
	return { task: { ...told, route: task.route }, answer };
}

/**
 * Returns the state that the content endpoint names: SUCCESS if there is a video, or the gateway's
 * word if there is none ("current status: IN_PROGRESS"). `undefined` for any other answer.
 */
function readContent(content: ContentAnswer) {
	if (!content) return undefined;
	const { status, type, firstBytes = '' } = content;
	const word = status === 400 && /current status: (\w{1,40})/i.exec(firstBytes)?.[1];
	if (word) return readStatus(word);
	const isVideo = /^video\//i.test(type) || firstBytes.slice(4, 8) === 'ftyp';
	return status < 300 && isVideo ? 'SUCCESS' : undefined;
}
