import { MAX_PAUSE_MS } from '../failure/later';
import { isReason, type Reason, readReason } from '../failure/reason';
import { isNoAnswer, MAX_BYTES_WITH_FILES, RECORD_LIMITS, TOO_LARGE } from '../http/answer';
import { parseJson, toObject } from '../lib/json';
import type { Clock } from '../lib/time';
import type { Connection } from './connection';
import type { ListedTask, ListPage, Service, TaskQuery } from './contract';

/** A page of the tasks that a key has ordered lately. */
interface TaskPage {
	tasks: ListedTask[];
	/**
	 * When the latest of all tasks on the page was submitted, or ended where the list is in that order; also of
	 * those that are not wanted.
	 */
	latestMs: number;
	/** The service's clock less ours, in milliseconds; at most a second too little, as HTTP tells no fractions. */
	skewMs: number;
}

type Lister = Pick<Connection, 'send'> & { service: Service };
/** `maxPauseMs`: the longest pause for another try, in milliseconds; `limitMs`: the most for a request. */
type Waiting = { clock: Clock; maxPauseMs: number; limitMs?: number };

/** At a hundred tasks a page, more than anybody wants as items. */
const MAX_PAGES = 1_000;

/**
 * Reads a key's tasks page by page until a page is older than what is wanted, or there is no other: the newest first,
 * or the one that ended last. A list that cannot be read ends with why.
 */
export async function* readTaskPages(
	connection: Lister,
	query: TaskQuery,
	waiting: Waiting,
): AsyncGenerator<TaskPage | Reason, void> {
	const { recent } = connection.service;
	const known = new Set<string>();
	let at = recent?.first(query);
	for (let page = 0; at && page < MAX_PAGES; page++) {
		const read = await readPage(connection, at, waiting);
		if (isReason(read)) return yield read;
		const { answer, skewMs } = read;
		const all = recent!.read(answer);
		const orderedBy = recent!.endedOnly ? 'finishedAtMs' : 'submittedAtMs';
		const latestMs = Math.max(...all.map(({ [orderedBy]: ms = Infinity }) => ms));
		const tasks = all.filter((task) => !known.has(task.task_id) && isWanted(task, query));
		// Where pages have numbers, a new task moves the others on to the next page.
		tasks.forEach(({ task_id }) => known.add(task_id));
		yield { tasks, latestMs, skewMs };
		if (all.length > 0 && latestMs < (query.sinceMs ?? -Infinity)) return;
		const next = recent!.next(at, answer);
		// LiteLLM leaves `after` out of what it asks its vendor, and gives the same page again (1.108, tried).
		if (next?.path === at.path && next.body === undefined) return;
		at = next;
	}
}

const isWanted = (
	{ models, submittedAtMs = Infinity }: ListedTask,
	{ model, sinceMs = -Infinity }: TaskQuery,
): boolean =>
	submittedAtMs >= sinceMs && (model === undefined || models.length === 0 || isOf(models, model));

/** Some take several names, separated by commas. */
const isOf = (models: string[], model: string): boolean =>
	model.split(',').some((one) => models.includes(one.trim()));

/** Pauses before another try, in milliseconds, if the service names none. */
const PAUSES_MS = [2_000, 5_000, 10_000, 30_000];

/** Reads a page; trouble that passes is waited for. */
async function readPage({ send }: Lister, at: ListPage, { clock, maxPauseMs, limitMs }: Waiting) {
	for (let tries = 0; ; tries++) {
		const answer = await send({ ...at, ...RECORD_LIMITS, limitMs, maxBytes: MAX_BYTES_WITH_FILES });
		const body = isNoAnswer(answer) ? undefined : parseJson(answer.body);
		if (!isNoAnswer(answer) && answer.status < 300 && typeof body === 'object') {
			const toldMs = Date.parse(answer.headers.date);
			return { answer: toObject(body), skewMs: (toldMs || clock.now()) - clock.now() };
		}
		const reason = readReason('list', answer);
		const pauseMs = Math.min(reason.retryAfterMs ?? PAUSES_MS[tries], MAX_PAUSE_MS);
		const mayPass = reason.passes && reason.code !== TOO_LARGE;
		if (!mayPass || tries >= PAUSES_MS.length || pauseMs > maxPauseMs) return reason;
		await clock.pause(pauseMs);
	}
}
