import type { Run } from '../item/run';
import type { Limiter } from '../lib/turns';
import type { Connection } from '../service/connection';
import { createPrices } from '../service/cost';
import { TIMED_OUT, TOO_LARGE } from '../service/http';
import { delayMs } from '../service/paid';
import { isUnknownTask, toTrouble, type Trouble } from '../service/trouble';
import {
	askForContent,
	type ContentAnswer,
	type FetchResult,
	fetchTask,
} from '../service/videoApi';
import { isFinal, readStatus } from '../service/videoTask';
import { type Ended, meetsTrouble, NO_TROUBLES, type Render } from './render';

/** Fetches a task once; `limitMs` is how long the caller can wait, in milliseconds. */
export type Fetch = (render: Render, limitMs?: number) => Promise<FetchResult>;

/**
 * Returns the fetch for the tasks of one run. It adds the cost to finished tasks, where the service
 * tells it.
 */
export function openFetch({ clock, signal }: Run, connection: Connection): Fetch {
	const toCost = createPrices(connection);
	return async ({ task: { task_id } }, limitMs = Infinity) => {
		const untilMs = clock.now() + limitMs;
		const leftMs = () => Math.max(0, untilMs - clock.now());
		const result = await fetchTask(connection, task_id, { leftMs, signal });
		const charge = result.kind === 'task' ? result.task.charge : undefined;
		const cost = charge && (await toCost(charge, leftMs()));
		return result.kind === 'task' && cost ? { ...result, task: { ...result.task, cost } } : result;
	};
}

// --- Tasks whose record the gateway asks the vendor for each time

/**
 * Milliseconds between two fetches of such a record: `goesOn` while the content endpoint says that
 * the render goes on, `unsaid` otherwise. The gateway itself looks at its tasks every 15 to 30
 * seconds, and refunds a failed one only if it was the first to see the failure.
 */
const RECORD_EVERY_MS = { goesOn: 180_000, unsaid: 30_000 };

/**
 * Returns the fetch for a task whose record the gateway asks the vendor for each time (Veo). The
 * content endpoint, which the gateway answers from what it knows, only tells when to fetch the
 * record; the record alone decides the state. It is fetched once there is a video or the gateway
 * says that the render is over, seldom before that, and once more when the time is up. For a task
 * of an earlier try it is fetched first, because the task may have ended since.
 */
export function askSeldom(
	fetch: Fetch,
	{ clock, signal }: Run,
	connection: Connection,
	reused: boolean,
): Fetch {
	let recordMs = reused ? -Infinity : clock.now();
	/** Whether the record has been fetched since the content endpoint said that it is time to. */
	let isKnown = false;
	return async (render, limitMs = Infinity) => {
		const startedMs = clock.now();
		const { task, deadlineMs = Infinity } = render;
		// Trouble, and a failure that may pass, are believed only after several in a row: fetch on.
		if (recordMs >= 0 && startedMs < deadlineMs && !meetsTrouble(render)) {
			const content = await askForContent(connection, task.task_id, { limitMs, signal });
			const state = readGatewayState(content);
			const isTime = isFilm(content) || (state !== undefined && isFinal(state));
			const goesOn = state !== undefined && !isTime;
			const everyMs = isTime && !isKnown ? 0 : RECORD_EVERY_MS[goesOn ? 'goesOn' : 'unsaid'];
			isKnown = isTime;
			if (startedMs - recordMs < everyMs) {
				const status = goesOn ? state : task.status;
				return { kind: 'task', task: { ...task, status }, answer: undefined };
			}
		}
		recordMs = clock.now();
		return await fetch(render, Math.max(0, limitMs - (recordMs - startedMs)));
	};
}

/**
 * Returns the state in the gateway's words about a missing video: "current status: IN_PROGRESS".
 */
function readGatewayState(content: ContentAnswer | undefined) {
	const word = content?.status === 400 && /current status: (\w{1,40})/i.exec(content.begin)?.[1];
	return word ? readStatus(word) : undefined;
}

/**
 * Matches the first bytes of MP4 and QuickTime files, but not of pictures in the same container.
 */
const MP4_BEGINS = /^[^]{4}ftyp(?!avi[fs]|hei[cx]|mif1|msf1)/;
const WEBM_BEGINS = '\x1a\x45\xdf\xa3';

const isFilm = (content: ContentAnswer | undefined) =>
	(content?.status === 200 || content?.status === 206) &&
	(/^video\//i.test(content.type) ||
		MP4_BEGINS.test(content.begin) ||
		content.begin.startsWith(WEBM_BEGINS));

// --- One step of a render

/**
 * The wait for a task ends after so many fetches with trouble of one kind and no task record.
 * `denied`: 401 and 403, which a deployment under load gives now and then, and an answer over the
 * size limit, which hardly ever gets smaller. `unknown`: no such task, because the record can
 * appear some seconds after the submit. `other`: everything else, about ten minutes at ten seconds
 * per poll.
 */
const MAX_IN_A_ROW = { denied: 5, unknown: 6, other: 60 };

/** Tries of one check, by the same kinds: trouble that passes says nothing about the task. */
const MAX_TRIES_OF_A_CHECK = { denied: 2, unknown: 3, other: 5 };

/**
 * A failure that may pass is believed once so many records in a row say it. With the pauses between
 * them, that takes a minute.
 */
const LOOKS_AT_A_FAILURE = 4;
const PAUSE_AFTER_A_FAILURE_MS = 20_000;
/**
 * Fewer are enough once the time is up. One is not: a task that is believed to have failed may be
 * submitted, and paid for, again.
 */
const LAST_LOOKS_AT_A_FAILURE = 2;

type TroubleKind = keyof typeof MAX_IN_A_ROW;

function toTroubleKind(trouble: Trouble): TroubleKind {
	const { httpCode, code } = trouble;
	if (httpCode === 401 || httpCode === 403 || code === TOO_LARGE) return 'denied';
	if (isUnknownTask(trouble) || httpCode === 404 || httpCode === 410) return 'unknown';
	return 'other';
}

const addOne = (troubles: Render['troubles'], kind: keyof Render['troubles']) => ({
	...troubles,
	[kind]: troubles[kind] + 1,
});

/**
 * A render after one more fetch. `trouble` is what the fetch met instead of the task; `pauseMs` is
 * the least time to wait before the next fetch.
 */
export type Step =
	Ended | { state: 'rendering'; render: Render; trouble?: Trouble; pauseMs?: number };

/**
 * Returns the render after a fetch, or its end. No other code decides this: the wait in process,
 * Durable, Video Status and agents all use it.
 */
export function step(before: Render, result: FetchResult, nowMs: number): Step {
	const isLate = nowMs >= (before.deadlineMs ?? Infinity);
	const pollCount = before.pollCount + 1;
	if (result.kind === 'trouble') {
		const { trouble } = result;
		const kind = toTroubleKind(trouble);
		const render = { ...before, pollCount, troubles: addOne(before.troubles, kind) };
		const isLost = render.troubles[kind] >= MAX_IN_A_ROW[kind];
		if (isLost) return { state: 'trouble', render, trouble };
		return { state: isLate ? 'timedOut' : 'rendering', render, trouble };
	}
	const { task, answer } = result;
	const looks = before.troubles.failed + 1;
	if (task.mayPass && looks < (isLate ? LAST_LOOKS_AT_A_FAILURE : LOOKS_AT_A_FAILURE)) {
		const render = { ...before, pollCount, troubles: addOne(before.troubles, 'failed') };
		if (isLate) return { state: 'timedOut', render };
		return { state: 'rendering', render, pauseMs: PAUSE_AFTER_A_FAILURE_MS };
	}
	const render: Render = {
		...before,
		// Keep the model that the submit named if the record names none.
		task: { ...task, model: task.model ?? before.task.model },
		answer: answer ?? before.answer,
		pollCount,
		troubles: NO_TROUBLES,
		finishedAtMs: isFinal(task.status) ? (before.finishedAtMs ?? nowMs) : undefined,
	};
	if (task.status === 'FAILURE') return { state: 'failed', render };
	if (task.status === 'SUCCESS') return { state: task.result_url ? 'done' : 'noVideo', render };
	return { state: isLate ? 'timedOut' : 'rendering', render };
}

// --- One look at a task

/** Checks under way at once. */
export const CONCURRENT_CHECKS = 10;

/**
 * Fetches a task once; on trouble, or on a failure that may pass, a few times more. `limitMs`
 * applies to each fetch.
 */
export type Check = (before: Render, limitMs?: number) => Promise<Step>;

export function openCheck(run: Run, connection: Connection): Check {
	const { clock, signal, maxPauseMs } = run;
	const fetch = openFetch(run, connection);
	return async (before, limitMs) => {
		let render = before;
		const met = { denied: 0, unknown: 0, other: 0 };
		for (let attempt = 1; ; attempt++) {
			const result = await fetch(render, limitMs);
			const next = step(render, result, clock.now());
			let pauseMs = next.state === 'rendering' ? next.pauseMs : undefined;
			if (result.kind === 'trouble' && next.state !== 'trouble') {
				const kind = toTroubleKind(result.trouble);
				const isLast = ++met[kind] >= MAX_TRIES_OF_A_CHECK[kind];
				pauseMs = isLast ? undefined : (result.retryAfterMs ?? delayMs(attempt, clock.random()));
			}
			if (pauseMs === undefined || pauseMs > maxPauseMs || signal.aborted) return next;
			await clock.pause(pauseMs);
			render = next.render;
		}
	};
}

// --- The wait for a task

const GROWTH = 1.2;
/** Each pause is shortened by up to this share, so that the polls of a batch spread out. */
const SPREAD = 0.2;
/** The last fetch is sent when the time is up; the wait ends this many milliseconds later. */
const LAST_FETCH_MS = 3_000;

interface Polling {
	fetch: Fetch;
	/** Skips fetches once the signal of the run has fired. */
	limiter: Limiter;
	/** The first pause between polls; it grows to `maxPollIntervalMs`. */
	pollIntervalMs: number;
	maxPollIntervalMs: number;
	/** When to hand the task over (`open`), in milliseconds since 1970. */
	untilMs?: number;
	/** Called after each answer that is a task record. */
	onProgress: (render: Render) => void;
	/** Called at the end, before the limiter starts another request in place of the last fetch. */
	onEnd: (end: Ended) => void;
}

/** Polls one task until it ends, its time is up, trouble lasts, or the run is stopped. */
export async function pollTask(
	{ clock, signal }: Run,
	started: Render,
	{ fetch, limiter, untilMs = Infinity, onProgress, onEnd, ...pace }: Polling,
): Promise<Ended | { state: 'stopped'; render: Render } | { state: 'open'; render: Render }> {
	const spread = (ms: number) => ms * (1 - SPREAD * clock.random());
	const lastMs = Math.min(started.deadlineMs ?? Infinity, untilMs);
	let render = started;
	let intervalMs = pace.pollIntervalMs;
	// A task of an earlier try may be done by now.
	let pauseMs = started.reused ? 0 : spread(intervalMs);
	for (;;) {
		await clock.pause(Math.min(pauseMs, lastMs - clock.now()));
		const fetched = await limiter(async () => {
			const leftMs = lastMs + LAST_FETCH_MS - clock.now();
			// If the time ran out while this waited for its turn, other requests get no answers either.
			const result: FetchResult =
				leftMs > 0
					? await fetch(render, leftMs)
					: { kind: 'trouble', trouble: toTrouble(TIMED_OUT) };
			const next = step(render, result, clock.now());
			if (next.state !== 'rendering' && !signal.aborted) onEnd(next);
			return { result, next };
		});
		if (!fetched) return { state: 'stopped', render };
		const { result, next } = fetched;
		// A fetch that was under way when the run stopped may still have brought news.
		if (signal.aborted && next.state === 'rendering') {
			return { state: 'stopped', render: result.kind === 'task' ? next.render : render };
		}
		render = next.render;
		if (result.kind === 'task') onProgress(render);
		if (next.state !== 'rendering') return next;
		if (clock.now() >= untilMs) return { state: 'open', render };
		intervalMs = Math.min(intervalMs * GROWTH, pace.maxPollIntervalMs);
		const asked = result.kind === 'trouble' ? result.retryAfterMs : next.pauseMs;
		pauseMs = Math.max(spread(intervalMs), asked ?? 0);
	}
}
