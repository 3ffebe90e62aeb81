import type { Run } from '../item/run';
import type { Connection } from '../service/connection';
import { TOO_LARGE } from '../service/http';
import { delayMs } from '../service/paid';
import { isUnknownTask, type Trouble } from '../service/trouble';
import type { FetchResult } from '../service/videoApi';
import { isFinal } from '../service/videoTask';
import { openFetch } from './fetchRender';
import { type Ended, NO_TROUBLES, type Render } from './render';

/**
 * How many fetches with one kind of trouble, and no believed record in between, end a wait, or one
 * check. `denied`: 401 and 403, which a deployment under load gives now and then, and answers over
 * the size limit. `unknown`: no such task, as its record can appear some seconds after the submit.
 * `other`: about ten minutes at ten seconds per poll.
 */
const MAX_TROUBLES = {
	denied: { wait: 5, check: 2 },
	unknown: { wait: 6, check: 3 },
	other: { wait: 60, check: 5 },
};

function toTroubleKind(trouble: Trouble): keyof typeof MAX_TROUBLES {
	const { httpCode, code } = trouble;
	if (httpCode === 401 || httpCode === 403 || code === TOO_LARGE) return 'denied';
	if (isUnknownTask(trouble) || httpCode === 404 || httpCode === 410) return 'unknown';
	return 'other';
}

/**
 * A failure that may pass is believed once so many records in a row say it, which takes a minute.
 * Fewer are enough once the time is up, but never one alone: a video whose task is believed to have
 * failed may be submitted, and paid for, again.
 */
const LOOKS_AT_A_FAILURE = { inTime: 4, late: 2 };
const PAUSE_AFTER_A_FAILURE_MS = 20_000;

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
	const pollCount = before.pollCount + 1;
	const addTrouble = (kind: keyof Render['troubles']): Render => {
		const troubles = { ...before.troubles, [kind]: before.troubles[kind] + 1 };
		return { ...before, pollCount, troubles };
	};
	const isLate = nowMs >= (before.deadlineMs ?? Infinity);
	const state = isLate ? 'timedOut' : 'rendering';
	if (result.kind === 'trouble') {
		const { trouble } = result;
		const kind = toTroubleKind(trouble);
		const render = addTrouble(kind);
		const isTooMuch = render.troubles[kind] >= MAX_TROUBLES[kind].wait;
		return { state: isTooMuch ? 'trouble' : state, render, trouble };
	}
	const { task, answer } = result;
	const looks = before.troubles.failed + 1;
	const mayPass = task.status === 'FAILURE' && task.hasLiveRecord;
	if (mayPass && looks < LOOKS_AT_A_FAILURE[isLate ? 'late' : 'inTime']) {
		return { state, render: addTrouble('failed'), pauseMs: PAUSE_AFTER_A_FAILURE_MS };
	}
	const { model, hasLiveRecord } = before.task;
	const render: Render = {
		...before,
		// Keep what the submit told if the record does not tell it.
		task: { model, ...(!isFinal(task.status) && { hasLiveRecord }), ...task },
		answer: answer ?? before.answer,
		pollCount,
		troubles: NO_TROUBLES,
		finishedAtMs: isFinal(task.status) ? (before.finishedAtMs ?? nowMs) : undefined,
	};
	if (task.status === 'FAILURE') return { state: 'failed', render };
	if (task.status === 'SUCCESS') return { state: task.result_url ? 'done' : 'noVideo', render };
	return { state, render };
}

export const CONCURRENT_CHECKS = 10;

/**
 * Returns a check, which fetches a task once, and a few times more on trouble or on a failure that
 * may pass: one of these alone says nothing about the task.
 */
export function openCheck(run: Run, connection: Connection) {
	const { clock, signal, maxPauseMs } = run;
	const fetch = openFetch(run, connection);
	/** `limitMs` applies to each fetch. */
	return async (before: Render, limitMs?: number): Promise<Step> => {
		let render = before;
		for (let attempt = 1; ; attempt++) {
			const result = await fetch(render, limitMs);
			const next = step(render, result, clock.now());
			let pauseMs = next.state === 'rendering' ? next.pauseMs : undefined;
			if (result.kind === 'trouble' && next.state !== 'trouble') {
				const kind = toTroubleKind(result.trouble);
				const met = next.render.troubles[kind] - before.troubles[kind];
				const again = result.retryAfterMs ?? delayMs(attempt, clock.random());
				if (met < MAX_TROUBLES[kind].check) pauseMs = again;
			}
			if (pauseMs === undefined || pauseMs > maxPauseMs || signal.aborted) return next;
			await clock.pause(pauseMs);
			render = next.render;
		}
	};
}

export type Check = ReturnType<typeof openCheck>;
