import type { Failure } from '../item/failure';
import { isFailed, type ItemResult } from '../item/output';
import type { Run } from '../item/run';
import { toText } from '../lib/json';
import { sentences } from '../lib/text';
import type { Connection } from '../service/connection';
import { isFinal } from '../service/videoTask';
import type { Ledger } from '../task/ledger';
import type { Outcome, RenderJob } from '../task/render';
import { ASK_LATER, NOT_AGAIN, NOT_BILLED, toAgentJson } from './answer';
import { createAgentPace } from './pace';

/** A render that an agent may ask for. */
export interface AgentJob extends RenderJob {
	/** An agent asked, and nobody has set how long it may wait. */
	briefly: boolean;
}

/** What is different where an agent asks for the videos. */
interface VideoAgent {
	/** The job as an agent means it: waits are short, and asking again is asking how far it is. */
	toBrief: <Job extends AgentJob>(job: Job) => Job;
	/** A result in the words and fields for an agent. */
	tell: (result: ItemResult | undefined, outcome: Outcome) => ItemResult | undefined;
}

export function createVideoAgent(run: Run, connection: Connection, ledger: Ledger): VideoAgent {
	const pace = createAgentPace(run);
	return {
		toBrief(job) {
			const known = ledger.find(job);
			const isPaid = known !== undefined && 'task' in known;
			const wait = job.wait === 'none' && isPaid ? 'inProcess' : job.wait;
			if (!job.briefly) return { ...job, wait };
			const maxWaitMs = isPaid ? pace.untilNewsMs(known.task.task_id) : pace.forNewTasksMs();
			return { ...job, wait, maxWaitMs };
		},
		tell(result, outcome) {
			if (!result) return undefined;
			if (outcome.state === 'refused' && isFailed(result)) {
				const advice = outcome.trouble.retryable ? ASK_LATER : NOT_BILLED;
				return advise(result.failure, sentences(result.failure.description, advice));
			}
			if (!('render' in outcome)) return result;
			const { task, reused } = outcome.render;
			if (!isFinal(task.status)) pace.told(task.task_id);
			if (!isFailed(result)) {
				const film = toText(result.json.message);
				return { ...result, json: toAgentJson(task, connection, { reused, film }) };
			}
			return outcome.state === 'failed' ? advise(result.failure, NOT_AGAIN) : result;
		},
	};
}

const advise = (failure: Failure, description: string | undefined): ItemResult => ({
	failure: { ...failure, description },
});
