import { toAgentJson } from '../shared/agent/videoAgent';
import { cancelFailed, checkFailed } from '../shared/failure/failure';
import { type Reason, readReason } from '../shared/failure/reason';
import { isNoAnswer, RECORD_LIMITS } from '../shared/http/answer';
import { sentences } from '../shared/lib/text';
import type { Done, ItemResult } from '../shared/n8n/output';
import type { Reader } from '../shared/n8n/reader';
import type { Run } from '../shared/n8n/run';
import { readTaskId } from '../shared/n8n/runItems';
import { endOf } from '../shared/services/answerPaths';
import type { Connection } from '../shared/services/connection';
import type { Service } from '../shared/services/contract';
import { createCheck } from '../shared/task/poll';
import { type Render, toRender, toRenderItem } from '../shared/task/render';

interface CancelJob {
	itemIndex: number;
	task_id: string;
	rawResponse: boolean;
}

export function readCancel(read: Reader, run: Run): CancelJob | Done {
	const { itemIndex, options } = read;
	const task_id = readTaskId(read, run);
	if (typeof task_id !== 'string') return task_id;
	run.taskIds.set(itemIndex, task_id);
	return { itemIndex, task_id, rawResponse: options.boolean('rawResponse') };
}

/** Before the look after a cancel, in milliseconds: fal answers 202, CANCELLATION_REQUESTED (fal.ai/docs, queue). */
const SETTLE_MS = 2_000;

/** Returns what cancels a task that has not ended. It looks before and after. */
export function createCancels(run: Run, connection: Connection) {
	const { clock, forAgent } = run;
	const { service, send } = connection;
	const check = createCheck(run, connection);
	return async ({ task_id, rawResponse }: CancelJob): Promise<ItemResult | undefined> => {
		const { cancel, label, askEveryMs = SETTLE_MS } = service;
		if (!cancel) return cancelFailed(cannotCancel(service), task_id);
		const toResult = (render: Render, message = ''): Done => ({
			json: forAgent
				? { ...toAgentJson(render.task, connection), message }
				: toRenderItem(render, { rawResponse }, { message }),
		});
		const before = await check(toRender({ task_id }));
		if (before.because) return checkFailed(before.because, task_id);
		const { status } = before.render.task;
		// When it ended is not known.
		const found = { ...before.render, finishedAtMs: undefined };
		if (endOf(status)) return toResult(found, HAD_ENDED[endOf(status)!]);
		// The run has ended, perhaps before the look.
		if (run.signal.aborted) return undefined;
		const answer = await send({ ...cancel.at(task_id), ...RECORD_LIMITS });
		const isHeard = !isNoAnswer(answer) && answer.status < 300;
		await clock.pause(askEveryMs);
		const { render, because } = await check(before.render);
		const end = because ? undefined : endOf(render.task.status);
		if (end) return toResult(render, sentences(toEnd(render), cancel.note));
		if (!isHeard) return cancelFailed(readReason('check', answer), task_id);
		if (because?.unknownTask) {
			return cancelFailed({ message: GONE, description: cancel.note, passes: false }, task_id);
		}
		return because
			? checkFailed(because, task_id)
			: toResult(render, sentences(`${label} was told to cancel the task`, cancel.note));
	};
}

const HAD_ENDED = {
	done: 'The task had ended before, and its file is there. Nothing was canceled.',
	failed: 'The task had failed or was canceled before. Nothing was sent.',
};
/** Returns how a task has ended that was told to. */
function toEnd({ task: { status, fail_code = '' } }: Render): string {
	if (endOf(status) === 'done') {
		return 'The task ended before it could be canceled, and its file is there';
	}
	const isCanceled = /cancel/i.test(fail_code);
	return isCanceled ? 'The task is canceled' : 'The task failed before it could be canceled';
}

const GONE = 'The task is gone';

const cannotCancel = ({ label, usagePage }: Service): Reason => ({
	message: `the service (${label}) has no way to do so`,
	description: usagePage && `Its own page may have one: ${usagePage}.`,
	passes: false,
});
