import type { IExecuteFunctions } from 'n8n-workflow';

import { maxPauseMs } from '../shared/item/isTool';
import type { BatchReport } from '../shared/task/report';
import type { Ledger } from '../shared/task/ledger';
import { createLimiter } from '../shared/lib/limiter';
import type { RenderTools } from '../shared/task/renderAll';
import { saveTaskId } from '../shared/task/customData';
import { createWait, delayedSignal } from '../shared/lib/pause';
import type { Connection } from '../shared/service/http';
import { createSend } from '../shared/service/connection';
import { fetchTask, submit } from '../shared/service/videoApi';
import type { VideoJob } from './readJobs';

/** After Stop, a submit under way may still tell its task id; in milliseconds. */
const SUBMIT_GRACE_MS = 700;

interface Parts {
	jobs: VideoJob[];
	/** Fires on Stop, and when the first failure ends the run. */
	signal: AbortSignal;
	/** Called for each failing item; ends the run in the default mode. */
	onFailure: () => void;
	ledger: Ledger;
	report: BatchReport;
}

/** What the rendering of a batch needs of n8n, the service and the clock. */
export function createRenderTools(
	context: IExecuteFunctions,
	connection: Connection,
	{ jobs, signal, onFailure, ledger, report }: Parts,
): RenderTools<VideoJob> {
	const send = createSend(context, connection);
	const submitSignal = delayedSignal(context.getExecutionCancelSignal(), SUBMIT_GRACE_MS);
	return {
		submit: async (body) => await submit(send, body, submitSignal),
		fetchTask: async (task_id) => await fetchTask(send, task_id),
		find(job) {
			const known = ledger.find(job);
			if (!known || !('task' in known)) return known;
			if (!job.reuseTask) return undefined;
			// "Retry execution" is an execution of its own, to be found by the id as well.
			saveTaskId(context, job.itemIndex, known.task.task_id);
			return known;
		},
		forget: (job) => ledger.forget(job),
		keep(job, render) {
			ledger.keep(job, render);
			saveTaskId(context, job.itemIndex, render.task.task_id);
		},
		onRefused: onFailure,
		onProgress: ({ itemIndex }, render) => report.onProgress(itemIndex, render),
		limiter: createLimiter(jobs[0].concurrency),
		wait: createWait(signal),
		signal,
		now: Date.now,
		random: Math.random,
		maxPauseMs: maxPauseMs(context),
	};
}
