import { toEnd, update } from '../rendering/pollTask';
import { lookAtTask, type LookTools } from '../rendering/lookAtTask';
import type { RenderOutcome } from '../rendering/render';
import { MAX_TROUBLES_IN_A_ROW, toTroubleKind } from '../service/retry';
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
	const { result, pollCount } = await lookAtTask(render.task.task_id, tools);
	render.pollCount += pollCount;
	const error = result.kind === 'task' ? undefined : result.error;
	const troubles = { refused: 0, unknown: 0, trouble: 0 };
	if (result.kind === 'task') {
		update(render, result, tools.now());
		if (isFinal(render.task.status)) return toEnd(render);
	} else {
		const kind = toTroubleKind(result.error);
		Object.assign(troubles, troublesBefore);
		troubles[kind] += pollCount;
		if (troubles[kind] >= MAX_TROUBLES_IN_A_ROW[kind]) {
			return { state: 'lost', render, error: result.error };
		}
	}
	if (tools.now() >= sleeper.deadlineMs) return { state: 'timedOut', render, error };
	return { ...sleeper, render, troubles };
}
