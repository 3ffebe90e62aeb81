import { toEnd, update } from '../task/pollTask';
import { lookAtTask, type LookTools } from '../task/checkTask';
import type { RenderOutcome } from '../task/render';
import { addTroubles, areTooMany, NO_TROUBLES } from '../task/troubles';
import { isFinal } from '../service/videoTask';
import type { SleepingVideo } from './sleepingVideo';

type Ended = Extract<RenderOutcome, { state: 'done' | 'failed' | 'lost' | 'timedOut' }>;

/**
 * Looks at a sleeping render: how it ended, or the same render a little older. The limits are those
 * of the wait in process: what counts is requests in a row that met one kind of trouble.
 */
export async function lookAtSleeper(
	{ render: before, troubles: troublesBefore, ...sleeper }: SleepingVideo,
	tools: LookTools & { now: () => number },
): Promise<Ended | SleepingVideo> {
	const render = { ...before };
	const look = await lookAtTask(render.task.task_id, tools);
	render.pollCount += look.pollCount;
	if (look.result.kind === 'task') {
		update(render, look.result, tools.now());
		if (isFinal(render.task.status)) return toEnd(render);
		if (tools.now() >= sleeper.deadlineMs) return { state: 'timedOut', render };
		return { ...sleeper, render, troubles: NO_TROUBLES };
	}
	const { error } = look.result;
	const troubles = addTroubles(troublesBefore, look.troubles);
	if (areTooMany(troubles)) return { state: 'lost', render, error };
	if (tools.now() >= sleeper.deadlineMs) return { state: 'timedOut', render, error };
	return { ...sleeper, render, troubles };
}
