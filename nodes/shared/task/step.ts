import type { FetchedTask } from '../service/fetchTask';
import { TOO_LARGE } from '../service/http';
import { type CheckFailure, isFailure, type Reason } from '../service/reason';
import { endOf } from '../service/answerPaths';
import type { Render, TaskOutcome } from './render';

/**
 * New API turns a passing error of Google into a FAILURE, so that one is believed only once so many records
 * in a row say it, also when the time is up: a video that is believed to have failed may be submitted, and
 * paid for, again.
 */
const BELIEVED_FAILURES = 4;

/** A wait is lost once the checks that have failed in a row weigh so much together. */
const LOST_WEIGHT = 60;

/**
 * Returns what a failed check weighs. A deployment under load says 401 and 403 now and then: five end a wait,
 * and so do answers over the size limit. New API answers a submit before it inserts the task: six that know
 * no such task. Anything else: sixty, which takes ten minutes in
 * process.
 */
function weigh({ httpCode, code }: Reason): number {
	if (httpCode === 401 || httpCode === 403 || code === TOO_LARGE) return LOST_WEIGHT / 5;
	const isUnknown = code === 'task_not_exist' || httpCode === 404 || httpCode === 410;
	return isUnknown ? LOST_WEIGHT / 6 : 1;
}

/** Returns the render after a fetch, and how the wait for it stands. No other code judges an answer. */
export function step(
	before: Render,
	result: FetchedTask | CheckFailure,
	nowMs: number,
): TaskOutcome {
	const isLate = nowMs >= (before.deadlineMs ?? Infinity);
	const open = isLate ? 'timedOut' : 'rendering';
	const render: Render = { ...before, pollCount: before.pollCount + 1 };
	if (isFailure(result)) {
		render.missed += weigh(result);
		return { state: render.missed >= LOST_WEIGHT ? 'lost' : open, render, failure: result };
	}
	// A finished video is paid for. Its record may say FAILURE later, as where Google has forgotten it.
	const task = (endOf(result.task.status) === 'failed' && before.done) || result.task;
	const end = endOf(task.status);
	if (end === 'failed' && task.hasLiveRecord) {
		render.doubted++;
		if (render.doubted < BELIEVED_FAILURES) return { state: open, render };
	}
	// Keep what the submit told if the record does not tell it.
	const { model, hasLiveRecord } = before.task;
	render.task = { model, ...(!end && { hasLiveRecord }), ...task };
	render.answer = result.answer ?? before.answer;
	render.missed = 0;
	render.doubted = 0;
	if (!end) return { state: open, render: { ...render, finishedAtMs: undefined } };
	render.finishedAtMs ??= nowMs;
	if (end === 'done') render.done = task;
	return { state: end, render };
}
