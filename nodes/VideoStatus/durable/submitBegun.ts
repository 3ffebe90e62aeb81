import { type BatchVideo, isUnsubmitted, type UnsubmittedVideo } from '../../shared/durable/sleepingVideo';
import type { ItemResult, Results } from '../../shared/item/output';
import type { Run } from '../../shared/item/run';
import { openAndWork } from '../../shared/item/runItems';
import { delayedSignal } from '../../shared/lib/time';
import { createLimiter } from '../../shared/lib/turns';
import type { Connection } from '../../shared/service/connection';
import { submit } from '../../shared/service/videoApi';
import { saveTaskId, SUBMIT_GRACE_MS } from '../../shared/task/customData';
import type { Render } from '../../shared/task/render';
import { toItemResult } from '../../shared/task/renderResult';
import { type Submitting, submitVideo } from '../../shared/task/submitVideo';

interface SubmitJob extends Pick<UnsubmittedVideo, 'request' | 'wishes'> {
	itemIndex: number;
}

/** Submits the videos of the chunk that had been said to begin, and leaves the others as they are. */
export async function submitBegun(run: Run, videos: BatchVideo[]): Promise<BatchVideo[]> {
	const begun = videos.filter((video) => isUnsubmitted(video) && video.begun);
	const jobs = begun
		.filter(isUnsubmitted)
		.map(({ item, request, wishes }) => ({ itemIndex: item, request, wishes }));
	const results: Results = [];
	const renders = new Map<number, Render>();
	const open = (opened: Run, connection: Connection) => openSubmits(opened, connection, renders);
	if (jobs.length > 0) await openAndWork(run, jobs, results, open);
	return videos.map((video) => {
		if (!isUnsubmitted(video) || !video.begun) return video;
		const { item, callerId, wishes } = video;
		const render = renders.get(item);
		if (render) return { item, callerId, render, wishes };
		const result = results[item];
		// Neither: a refusal has stopped the run before this one was sent.
		return result ? { item, result } : { ...video, begun: false };
	});
}

function openSubmits(run: Run, connection: Connection, renders: Map<number, Render>) {
	const { clock, signal, maxPauseMs } = run;
	const submitSignal = delayedSignal(run.stop, SUBMIT_GRACE_MS);
	const submitting: Submitting<SubmitJob> = {
		submit: async (body) => await submit(connection, body, submitSignal),
		keep({ itemIndex, wishes }, render) {
			saveTaskId(run, itemIndex, render.task.task_id);
			renders.set(itemIndex, { ...render, deadlineMs: clock.now() + wishes.maxWaitMs });
		},
		onNoTask: () => run.onFailure(),
		// The chunk is as large as so many at once may be.
		limiter: createLimiter(Infinity, signal),
		...{ clock, signal, maxPauseMs },
	};
	const work = async (job: SubmitJob): Promise<ItemResult | undefined> => {
		const end = await submitVideo(job, submitting);
		return 'task' in end ? undefined : toItemResult(end, job.wishes);
	};
	return { work };
}
