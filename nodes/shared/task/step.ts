import type { Trouble } from '../service/trouble';
import type { FetchResult } from '../service/videoApi';
import { isFinal } from '../service/videoTask';
import type { Ended, Render } from './render';
import {
	addTrouble,
	areTooMany,
	LOOKS_AT_A_FAILURE,
	NO_TROUBLES,
	PAUSE_AFTER_A_FAILURE_MS,
} from './troubles';

/**
 * A render after one more fetch; `trouble` is what that met instead of the task, and `pauseMs` how
 * long to wait at least before the next one.
 */
export type Step =
	Ended | { state: 'rendering'; render: Render; trouble?: Trouble; pauseMs?: number };

/**
 * What a fetch makes of a render: the next one, or its end. The one place that decides it, for the
 * wait in process, the durable one, Video Status and an agent alike.
 */
export function step(before: Render, result: FetchResult, nowMs: number): Step {
	const isLate = nowMs >= (before.deadlineMs ?? Infinity);
	const pollCount = before.pollCount + 1;
	if (result.kind === 'trouble') {
		const { trouble } = result;
		const troubles = addTrouble(before.troubles, trouble);
		const render = { ...before, pollCount, troubles };
		if (areTooMany(troubles)) return { state: 'trouble', render, trouble };
		return { state: isLate ? 'timedOut' : 'rendering', render, trouble };
	}
	const { task, answer } = result;
	const failures = before.troubles.failed + 1;
	if (task.mayPass && failures < LOOKS_AT_A_FAILURE && !isLate) {
		const troubles = { ...before.troubles, failed: failures };
		const render = { ...before, pollCount, troubles };
		return { state: 'rendering', render, pauseMs: PAUSE_AFTER_A_FAILURE_MS };
	}
	const render: Render = {
		...before,
		// What the submit knew (the model) is kept where the record does not say it.
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
