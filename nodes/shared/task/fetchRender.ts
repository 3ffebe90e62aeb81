import type { Run } from '../item/run';
import type { Connection } from '../service/connection';
import { createPrices } from '../service/cost';
import { askForContent, type FetchResult, fetchTask } from '../service/videoApi';
import { isFinal, readStatus } from '../service/videoTask';
import type { Render } from './render';

/** Returns a function that fetches a task, and adds the cost on SUCCESS if the service tells it. */
export function openFetch({ clock, signal }: Run, connection: Connection) {
	const toCost = createPrices(connection);
	/** `limitMs` is how long the caller can wait, in milliseconds. */
	return async ({ task: { task_id } }: Render, limitMs = Infinity): Promise<FetchResult> => {
		const untilMs = clock.now() + limitMs;
		const leftMs = () => Math.max(0, untilMs - clock.now());
		const result = await fetchTask(connection, task_id, { leftMs, signal });
		if (result.kind === 'trouble' || !result.task.charge) return result;
		const cost = await toCost(result.task.charge, leftMs());
		return cost ? { ...result, task: { ...result.task, cost } } : result;
	};
}

type Fetch = ReturnType<typeof openFetch>;

/**
 * Milliseconds between two fetches of a record that the gateway asks the vendor for: `goesOn` while
 * the content endpoint says that the render goes on, `unsaid` otherwise. The gateway looks at its
 * tasks every 15 to 30 seconds by itself. It refunds a failed one only if that look, and not our
 * fetch, was the first to see the failure.
 */
const RECORD_EVERY_MS = { goesOn: 180_000, unsaid: 30_000 };

/**
 * Returns the fetch for a task whose record the gateway asks the vendor for each time (Veo). The
 * content endpoint, which the gateway answers from what it knows, says when to fetch the record;
 * only the record decides how the task stands.
 */
export function askSeldom(
	fetch: Fetch,
	{ clock, signal }: Run,
	connection: Connection,
	reused: boolean,
): Fetch {
	// A task of an earlier try may have ended since, so its record is fetched at once.
	let recordMs = reused ? -Infinity : clock.now();
	/** Whether the record has been fetched since the content endpoint said that it is time to. */
	let isKnown = false;
	return async (render, limitMs = Infinity) => {
		const startedMs = clock.now();
		const { task, deadlineMs = Infinity } = render;
		// Trouble, or a failure that may pass, is believed only after several fetches: fetch the record.
		const meetsTrouble = Object.values(render.troubles).some((count) => count > 0);
		if (recordMs >= 0 && startedMs < deadlineMs && !meetsTrouble) {
			// This question must end by the deadline, so that the last fetch of the record has time left.
			const wait = { limitMs: Math.min(limitMs, deadlineMs - startedMs), signal };
			const { state, isTime } = await askGateway(connection, task.task_id, wait);
			const goesOn = state !== undefined && !isTime;
			const everyMs = isTime && !isKnown ? 0 : RECORD_EVERY_MS[goesOn ? 'goesOn' : 'unsaid'];
			isKnown = isTime;
			if (clock.now() < deadlineMs && startedMs - recordMs < everyMs) {
				const status = goesOn ? state : task.status;
				return { kind: 'task', task: { ...task, status }, answer: undefined };
			}
		}
		recordMs = clock.now();
		return await fetch(render, Math.max(0, limitMs - (recordMs - startedMs)));
	};
}

const FILM_TYPE = /^(video\/|(application|binary)\/octet-stream)/i;

/**
 * Asks the content endpoint, which is no question to the vendor, how far a render is. `state`: the
 * status that the gateway names where there is no video ("current status: IN_PROGRESS"). `isTime`:
 * there is a film or a final status, so it is time to fetch the record.
 */
export async function askGateway(...question: Parameters<typeof askForContent>) {
	const { status, type, begin } = (await askForContent(...question)) ?? {};
	const word = status === 400 && /current status: (\w{1,40})/i.exec(begin ?? '')?.[1];
	const state = word ? readStatus(word) : undefined;
	const isFilm = (status === 200 || status === 206) && FILM_TYPE.test(type ?? '');
	return { state, isTime: isFilm || (state !== undefined && isFinal(state)) };
}
