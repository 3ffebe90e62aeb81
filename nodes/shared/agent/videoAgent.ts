import type { Failure } from '../item/failure';
import { isFailed, type ItemResult } from '../item/output';
import type { Run } from '../item/run';
import { toText } from '../lib/json';
import { sentences } from '../lib/text';
import type { Connection } from '../service/connection';
import type { Check, Step } from '../task/followTask';
import type { Ledger } from '../task/ledger';
import type { Outcome, Render, RenderJob } from '../task/render';
import { ASK_LATER, NOT_AGAIN, NOT_BILLED, toAgentJson, WAIT_FOR_NEWS_MS } from './answer';

/** The time, in milliseconds, that a call of Video Generate polls its new task. */
const FIRST_POLLS_MS = 20_000;
const PAUSE_MS = 10_000;

/** A render that an agent may ask for. */
export interface AgentJob extends RenderJob {
	/** Whether an agent asked and nobody set Max Wait. */
	briefly: boolean;
}

/**
 * Returns the job as an agent means it: waits are short, and asking again means asking how far the
 * task is.
 */
export function toBrief<Job extends AgentJob>(job: Job, ledger: Ledger): Job {
	const known = ledger.find(job);
	const isPaid = known !== undefined && 'task' in known;
	const wait = job.wait === 'none' && isPaid ? 'inProcess' : job.wait;
	if (!job.briefly) return { ...job, wait };
	return { ...job, wait, maxWaitMs: isPaid ? WAIT_FOR_NEWS_MS : FIRST_POLLS_MS };
}

/** Returns a result in the words and fields for an agent. */
export function tellAgent(
	result: ItemResult | undefined,
	outcome: Outcome,
	connection: Connection,
): ItemResult | undefined {
	if (!result) return undefined;
	if (isFailed(result)) {
		const { failure } = result;
		if (outcome.state === 'failed') return advise(failure, NOT_AGAIN);
		if (outcome.state !== 'refused') return result;
		const advice = outcome.trouble.retryable ? ASK_LATER : NOT_BILLED;
		return advise(failure, sentences(failure.description, advice));
	}
	if (!('render' in outcome)) return result;
	const { task, reused } = outcome.render;
	const film = toText(result.json.message);
	return { ...result, json: toAgentJson(task, connection, { reused, film }) };
}

const advise = (failure: Failure, description: string | undefined): ItemResult => ({
	failure: { ...failure, description },
});

/**
 * Checks a task for an agent until it ends or a limit is reached. Agents ask again at once, and
 * each turn of a model costs time, money and one of the turns that n8n allows it.
 */
export async function checkForAgent(
	check: Check,
	before: Render,
	{ clock, signal }: Run,
): Promise<Step> {
	let checked = await check(before);
	let leftMs = WAIT_FOR_NEWS_MS;
	while (checked.state === 'rendering' && !checked.trouble && leftMs > 0 && !signal.aborted) {
		const pauseMs = Math.min(leftMs, checked.pauseMs ?? PAUSE_MS);
		await clock.pause(pauseMs);
		leftMs -= pauseMs;
		// The last check has a deadline, so it decides whether a failure that may pass is believed.
		const deadlineMs = leftMs > 0 ? undefined : clock.now();
		checked = await check({ ...checked.render, deadlineMs });
	}
	return checked;
}
