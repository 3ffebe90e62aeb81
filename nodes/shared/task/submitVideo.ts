import { sendPaid, type PaidSending, type PaidTrouble } from '../service/paid';
import type { SubmitRequest, SubmitResult } from '../service/videoApi';
import { toRender, type NoTask, type Render, type RenderJob } from './render';

/** Of a job, what a submit needs. */
type SubmitJob = Pick<RenderJob, 'itemIndex' | 'request'>;

/** What submitting asks of the world. */
export interface Submitting<Job extends SubmitJob = RenderJob> extends PaidSending {
	submit: (body: SubmitRequest) => Promise<SubmitResult>;
	/** Puts a new task into safe keeping. Called in the same tick that its id becomes known. */
	keep: (job: Job, render: Render) => void;
	/** Told that a job has no task and never will, before its place goes to the next submit. */
	onNoTask: (job: Job, end: NoTask) => void;
}

/** Submits one job: a task, or why there is none. */
export async function submitVideo<Job extends SubmitJob>(
	job: Job,
	{ submit, keep, onNoTask, ...sending }: Submitting<Job>,
): Promise<Render | NoTask | { state: 'notSubmitted' }> {
	const send = async () => {
		const result = await submit(job.request).catch(toUnclear);
		if (result.kind !== 'accepted') return result;
		const { task_id, answer } = result;
		const { model } = job.request;
		const render = toRender({ task_id, model }, { answer, submittedAtMs: sending.clock.now() });
		keep(job, render);
		return { kind: 'accepted' as const, render };
	};
	const result = await sendPaid(send, sending, (end) => {
		if (end.kind !== 'accepted') onNoTask(job, toNoTask(end));
	});
	if (!result) return { state: 'notSubmitted' };
	return result.kind === 'accepted' ? result.render : toNoTask(result);
}

/** Whatever is thrown once a submit is on its way: a task may exist. */
const toUnclear = (): PaidTrouble => ({
	kind: 'unclear',
	trouble: { message: 'The answer of the service cannot be read', retryable: false },
});

const toNoTask = ({ kind, trouble }: PaidTrouble): NoTask => ({ state: kind, trouble });
