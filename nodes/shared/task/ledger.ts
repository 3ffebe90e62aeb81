import { createHash } from 'node:crypto';

import type { Run } from '../item/run';
import { inTurn } from '../lib/inTurn';
import type { Trouble } from '../service/trouble';
import { toRender, type NoTask, type Render, type RenderJob } from './render';

/** What this node has paid for in this execution, so that a retry does not pay again. */
export interface Ledger {
	/** The job's task; or that it is unclear whether an earlier try of this execution made one. */
	find: (job: RenderJob) => Render | NoTask | undefined;
	keep: (job: RenderJob, render: Render) => void;
	keepUnclear: (job: RenderJob, trouble: Trouble) => void;
	/**
	 * For a task that ended in FAILURE: a retry submits it anew. An agent that asks for the same again
	 * does not: it would go on asking, and paying, until its turns are used up.
	 */
	forget: (job: RenderJob) => void;
	/** Runs the work once no other call of a tool is busy with the same request. */
	inTurn: <Result>(job: RenderJob, work: () => Promise<Result>) => Promise<Result>;
}

type PaidTask = { task_id: string; submitted_at: number; failedIn?: string };
type Entry = PaidTask | { unclear: Trouble; executionId: string };

/**
 * n8n saves a node's context with the execution: it outlives Retry On Fail and "Retry execution".
 * The context is shared by all runs of the node in a loop, so the key holds the run and the item,
 * and a fingerprint of the request: an edited prompt is another video. Each call of an agent's tool is
 * a run of its own, so there the same request is the same video, whichever call it comes with.
 */
export function createLedger({ context, forAgent }: Run, baseUrl: string): Ledger {
	const store = context.getContext('node') as { paidTasks?: Record<string, Entry> };
	const entries = (store.paidTasks ??= {});
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const keyOf = ({ itemIndex, request }: RenderJob) =>
		`${forAgent ? 'tool' : `${runIndex}.${itemIndex}`}.${fingerprint([baseUrl, request])}`;
	const executionId = context.getExecutionId();
	return {
		find(job) {
			const entry = entries[keyOf(job)];
			if (entry === undefined) return undefined;
			if ('task_id' in entry) {
				const failedBefore = entry.failedIn !== undefined && entry.failedIn !== executionId;
				return failedBefore || !job.reuseTask ? undefined : toReused(entry, job);
			}
			// Somebody who retries the execution by hand has been told what to look at before.
			const isSameExecution = entry.executionId === executionId;
			return isSameExecution ? { state: 'unclear', trouble: entry.unclear } : undefined;
		},
		keep: (job, { task: { task_id }, submittedAtMs }) => {
			entries[keyOf(job)] = { task_id, submitted_at: submittedAtMs ?? Date.now() };
		},
		keepUnclear: (job, trouble) => {
			entries[keyOf(job)] = { unclear: trouble, executionId };
		},
		forget: (job) => {
			const entry = entries[keyOf(job)];
			if (forAgent && entry && 'task_id' in entry) entry.failedIn = executionId;
			else delete entries[keyOf(job)];
		},
		inTurn: async (job, work) => await inTurn(entries, keyOf(job), work),
	};
}

const fingerprint = (value: unknown) =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

const toReused = ({ task_id, submitted_at }: PaidTask, { request: { model } }: RenderJob) =>
	toRender({ task_id, model }, { submittedAtMs: submitted_at, reused: true });
