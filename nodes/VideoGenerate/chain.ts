import { toItemName } from '../shared/item/failure';
import { isFailed } from '../shared/item/output';
import type { Run } from '../shared/item/run';
import { mapTexts } from '../shared/lib/json';
import { lowerFirst } from '../shared/lib/text';
import type { SubmitRequest } from '../shared/service/videoApi';
import type { Ledger } from '../shared/task/ledger';
import type { NoTask, Outcome } from '../shared/task/render';
import { toItemResult } from '../shared/task/taskResult';
import type { VideoJob } from './readJob';
import { ANEW, RETRY, toPlaceholder } from './shots';

/**
 * Returns jobs, in the order of the items, with the shot before as the ledger knows it. What follows a
 * shot that is still to be submitted is another video than any before.
 */
export function followLedger(ledger: Ledger, jobs: VideoJob[]): VideoJob[] {
	const tasks = new Map<number, string>();
	return jobs.map((job) => {
		if (!job.shot) return job;
		const { before } = job.shot;
		const placed = before === undefined ? job : { ...job, after: tasks.get(before) ?? '' };
		const known = ledger.find(placed);
		if (known && 'task' in known) tasks.set(job.itemIndex, known.task.task_id);
		return placed;
	});
}

/** How a job ended, and the job as it was rendered. */
interface End {
	job: VideoJob;
	outcome: Outcome;
	/** Why it was not submitted, if a shot before it has no last frame. */
	refusal?: NoTask;
}

/**
 * Returns what renders jobs, each shot of a film once the one before is ready. It must be called in
 * the order of the items.
 */
export function openFilms(
	{ signal, stopsOnFailure, redaction }: Run,
	ledger: Ledger,
	render: (job: VideoJob) => Promise<Outcome>,
) {
	const ends = new Map<number, Promise<End>>();
	const renderAfter = async (wanted: VideoJob, before: number): Promise<End> => {
		const earlier = await ends.get(before)?.catch(() => undefined);
		const task = earlier && 'render' in earlier.outcome ? earlier.outcome.render.task : undefined;
		const address = earlier?.outcome.state === 'done' ? task?.last_frame_url : undefined;
		// The service passes it on to the vendor, who must not learn the API key.
		const url =
			address === undefined || redaction.redact(address) === address ? address : undefined;
		// Without a task there is none that an earlier execution could have gone on from.
		const job = { ...wanted, after: task?.task_id ?? '' };
		if (url !== undefined) {
			const placeholder = toPlaceholder(before);
			const insert = (text: string) => (text === placeholder ? url : text);
			const sent = mapTexts(job.request, insert) as SubmitRequest;
			return { job, outcome: await render({ ...job, sent }) };
		}
		// What is paid for is followed, whatever became of the shot before.
		if (ledger.find(job)) return { job, outcome: await render(job) };
		if (signal.aborted) return { job, outcome: { state: 'notSubmitted' } };
		const advice = stopsOnFailure ? RETRY : ANEW;
		const refusal = earlier?.refusal ?? toRefusal(before, earlier, advice);
		return { job, outcome: refusal, refusal };
	};
	return async (job: VideoJob): Promise<End> => {
		const renderNow = async () => ({ job, outcome: await render(job) });
		const { before } = job.shot ?? {};
		const end = before === undefined ? renderNow() : renderAfter(job, before);
		if (job.shot) ends.set(job.itemIndex, end);
		return await end;
	};
}

/** Returns why the shots behind an item are not submitted. */
function toRefusal(itemIndex: number, end: End | undefined, description: string): NoTask {
	const result = end && toItemResult(end.outcome, { ...end.job, timeOutFails: true });
	const isDone = end?.outcome.state === 'done';
	const why = isFailed(result)
		? lowerFirst(result.failure.message)
		: isDone
			? 'the service returned no last frame that can be used'
			: 'the item was not rendered';
	return {
		state: 'refused',
		trouble: {
			message: `its film stops at ${toItemName(itemIndex)}, because ${why}`,
			description,
			retryable: true,
		},
	};
}
