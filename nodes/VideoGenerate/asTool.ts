import type { Failure } from '../shared/item/failure';
import { isFailed, type ItemResult } from '../shared/item/output';
import type { RenderOutcome } from '../shared/task/render';
import { ASK_LATER, NOT_AGAIN, NOT_BILLED, toToolJson } from '../shared/agent/answer';
import { createToolPace } from '../shared/agent/pace';
import { sentences } from '../shared/item/serviceFailure';
import { isFinal } from '../shared/service/videoTask';
import type { Batch } from './batch';
import type { VideoJob } from './readJobs';

/** What is different where an agent asks for the videos. */
export interface ToolSide {
	/** Runs the work after equal calls that are under way, with jobs that wait as long as tools do. */
	inTurn: <Result>(
		jobs: VideoJob[],
		work: (brief: VideoJob[]) => Promise<Result>,
	) => Promise<Result>;
	/** A result in the words and fields for an agent. */
	tell: (result: ItemResult, outcome: RenderOutcome) => ItemResult;
}

export function createToolSide({ context, connection, ledger }: Batch): ToolSide {
	const pace = createToolPace(context, Date.now);

	const toBrief = (job: VideoJob): VideoJob => {
		const known = job.reuseTask ? ledger.find(job) : undefined;
		const isPaid = known !== undefined && 'task' in known;
		// An agent that asks for the same again wants to know how far it is.
		const waitForCompletion = job.waitForCompletion || isPaid;
		if (!job.briefly) return { ...job, waitForCompletion };
		const maxWaitMs = isPaid ? pace.untilNewsMs(known.task.task_id) : pace.firstWatchMs();
		return { ...job, waitForCompletion, maxWaitMs };
	};

	return {
		inTurn: async (jobs, work) =>
			await ledger.inTurn(jobs[0], async () => await work(jobs.map(toBrief))),
		tell(result, outcome) {
			if (outcome.state === 'refused' && isFailed(result)) {
				const advice = outcome.error.retryable ? ASK_LATER : NOT_BILLED;
				return advise(result.failure, sentences(result.failure.description, advice));
			}
			if (!('render' in outcome)) return result;
			const { task, reused } = outcome.render;
			if (!isFinal(task.status)) pace.told(task.task_id);
			if (!isFailed(result)) {
				return { ...result, json: toToolJson(task, connection, { reused }) };
			}
			return task.status === 'FAILURE' ? advise(result.failure, NOT_AGAIN) : result;
		},
	};
}

const advise = (failure: Failure, description: string | undefined): ItemResult => ({
	failure: { ...failure, description },
});
