import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { Render, RenderJob } from './render';

/** Paid tasks of this node in this execution, so that a retry picks them up. */
export interface Ledger {
	find: (job: RenderJob) => Render | undefined;
	keep: (job: RenderJob, render: Render) => void;
	/** For a task that ended in FAILURE: a retry submits it anew. */
	forget: (job: RenderJob) => void;
}

interface Entry extends IDataObject {
	task_id: string;
	submitted_at: number;
}

/**
 * n8n saves a node's context with the execution: it outlives Retry On Fail and "Retry execution".
 * The context is shared by all runs of the node in a loop, so the key holds the run and the item,
 * and a fingerprint of the request: an edited prompt is another video.
 */
export function createLedger(context: IExecuteFunctions, baseUrl: string): Ledger {
	const store = context.getContext('node') as { paidTasks?: Record<string, Entry> };
	const entries = (store.paidTasks ??= {});
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const keyOf = ({ itemIndex, request }: RenderJob) =>
		`${runIndex}.${itemIndex}.${fingerprint([baseUrl, request])}`;
	return {
		find: (job) => toRender(entries[keyOf(job)], job),
		keep: (job, { task, submittedAtMs }) => {
			entries[keyOf(job)] = { task_id: task.task_id, submitted_at: submittedAtMs };
		},
		forget: (job) => {
			delete entries[keyOf(job)];
		},
	};
}

const fingerprint = (value: unknown) =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

function toRender(entry: Entry | undefined, job: RenderJob): Render | undefined {
	if (!entry) return undefined;
	const { task_id, submitted_at } = entry;
	return {
		task: { task_id, status: 'queued', progress: 0, model: job.request.model },
		submittedAtMs: submitted_at,
		pollCount: 0,
		reused: true,
		answer: undefined,
	};
}
