import type { Run } from '../shared/item/run';
import { delayedSignal } from '../shared/lib/time';
import { createLimiter } from '../shared/lib/turns';
import type { Connection } from '../shared/service/connection';
import { submit } from '../shared/service/videoApi';
import type { BatchReport } from '../shared/task/batchReport';
import { saveTaskId, SUBMIT_GRACE_MS } from '../shared/task/customData';
import type { Ledger } from '../shared/task/ledger';
import { openFetch, openSeldomFetch } from '../shared/task/openFetch';
import type { Rendering } from '../shared/task/renderVideo';
import type { VideoJob } from './readJob';
import type { Talk } from './talk';

interface Parts {
	jobs: VideoJob[];
	ledger: Ledger;
	report: BatchReport;
	talk?: Talk;
}

/** What the rendering of a batch asks of n8n, the service and the clock. */
export function toRendering(
	run: Run,
	connection: Connection,
	{ jobs, ledger, report, talk }: Parts,
): Rendering {
	const { clock, signal, maxPauseMs } = run;
	const submitSignal = delayedSignal(run.stop, SUBMIT_GRACE_MS);
	const fetchTask = openFetch(connection, { clock, signal });
	return {
		submit: async (body) => await submit(connection, body, submitSignal),
		fetchTask,
		openSeldomFetch: openSeldomFetch(connection, fetchTask, { clock, signal }),
		ledger,
		keep(job, render) {
			ledger.keep(job, render);
			saveTaskId(run, job.itemIndex, render.task.task_id);
			if (job.wait !== 'none') talk?.onTask(job.itemIndex, render);
		},
		// "Retry execution" is an execution of its own, to be found by the id as well.
		onReused({ itemIndex }, render) {
			saveTaskId(run, itemIndex, render.task.task_id);
			talk?.onTask(itemIndex, render);
		},
		onNoTask(job, { state, trouble }) {
			if (state === 'unclear') ledger.keepUnclear(job, run.show(trouble));
			run.onFailure();
		},
		onProgress(job, render) {
			report.onProgress(job, render);
			talk?.onProgress(job.itemIndex, render);
		},
		onEnd(job, { state }) {
			if (state === 'timedOut' ? job.timeOutFails : state !== 'done') run.onFailure();
		},
		limiter: createLimiter(jobs[0].concurrency, signal),
		...{ clock, signal, maxPauseMs },
	};
}
