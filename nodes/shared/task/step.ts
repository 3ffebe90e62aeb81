import { isReason, type Reason } from '../failure/reason';
import { withoutGaps } from '../lib/json';
import { endOf } from '../services/answerPaths';
import type { TaskAnswer } from '../services/videoTask';
import type { Render, WaitState } from './render';

/**
 * New API turns a passing error of Google into a FAILURE, so that one is believed only once so many records
 * in a row say it, also when the time is up: a video that is believed to have failed may be submitted, and
 * paid for, again.
 */
const BELIEVED_FAILURES = 4;

/**
 * A wait is lost once so many checks in a row have failed, which takes ten minutes in process; sooner where the
 * table of failures says so: a deployment under load says 401 and 403 now and then.
 */
const LOST_AFTER = 60;

/** What of a task is large, and is read again. */
const WITHOUT_CONTENT = { inline: undefined, output: undefined, text: undefined };

/** Returns the render after a fetch, and how the wait for it stands. No other code judges an answer. */
export function step(before: Render, result: TaskAnswer | Reason, nowMs: number): WaitState {
	const isLate = nowMs >= (before.deadlineMs ?? Infinity);
	const open = isLate ? 'timedOut' : 'rendering';
	const render: Render = { ...before, pollCount: before.pollCount + 1 };
	if (isReason(result)) {
		render.missed += LOST_AFTER / (result.lostAfter ?? LOST_AFTER);
		return { state: render.missed >= LOST_AFTER ? 'lost' : open, render, because: result };
	}
	// A finished video is paid for. Its record may say FAILURE later, as where Google has forgotten it.
	const task = (endOf(result.task.status) === 'failed' && before.done) || result.task;
	const end = endOf(task.status);
	if (end === 'failed' && task.hasLiveRecord) {
		render.doubted++;
		if (render.doubted < BELIEVED_FAILURES) return { state: open, render };
	}
	// Keep what the submit told if the record does not tell it.
	const { model, makes, hasLiveRecord } = before.task;
	render.task = { model, makes, ...(!end && { hasLiveRecord }), ...task };
	render.answer = result.answer ?? before.answer;
	// An empty answer for a task that renders says nothing of its progress.
	if (!end && result.answer === undefined) render.task.progress = before.task.progress;
	render.missed = 0;
	render.doubted = 0;
	if (!end) return { state: open, render: { ...render, finishedAtMs: undefined } };
	render.finishedAtMs ??= nowMs;
	// n8n stores it.
	if (end === 'done') render.done = withoutGaps({ ...task, ...WITHOUT_CONTENT });
	return { state: end, render };
}
