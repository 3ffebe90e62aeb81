import { NodeOperationError } from 'n8n-workflow';

import type { Run } from '../item/run';
import { inTurn } from '../lib/turns';
import type { Trouble } from '../service/trouble';
import { toVideos } from './batchReport';
import type { Begun } from './lostRuns';
import { type NoTask, type Render, type RenderJob, toIso, toRender } from './render';
import { fingerprint } from './wish';

/** A job as it is looked for; `request` is missing until its item has been read. */
type Sought = Pick<RenderJob, 'itemIndex' | 'wish'> & Partial<RenderJob>;

/** One submit, as n8n stores it with the execution. */
interface Entry {
	/** The execution that paid. */
	executionId: string;
	/** Fingerprints of the service, of the person's wish (`toWish`), and of the request as sent. */
	service: string;
	wish: string;
	request: string;
	/** The task whose last frame it begins with. */
	after?: string;
	submitted_at?: number;
	task_id?: string;
	/** Set if nobody knows whether there is a task. */
	unclear?: Trouble;
	/** The execution that saw the task end in FAILURE. */
	failedIn?: string;
}

/** The node's context, which n8n saves with the execution. */
interface Store extends Begun {
	/** By run and item. */
	paidTasks?: Record<string, Entry[]>;
}

/** Says why a lost run submits no video. */
export const INTERRUPTED: Trouble = {
	message:
		'This execution retries one that was killed or stopped, and n8n has not stored what that one had paid for',
	description:
		'n8n\'s log contains the IDs that were known by then ("[item 0] is video task ..."), and the custom data of a stopped execution does, too: Video Status and Video Download take them. To submit the video in any case, start a new execution.',
	retryable: false,
};

/** The jobs being submitted, by the object in which n8n keeps what a node has paid for. */
const underWay = new WeakMap<object, Set<Sought>>();

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Returns the ledger of a run. Within one execution, run and item alone identify a job, whatever
 * its expressions give now. In a retried execution, its service and either its wish (`toWish`) or
 * its request must be the same as well: an edited prompt is another video. So is a shot whose
 * predecessor was rendered anew. Each call of an agent's tool is a run of its own, so there a job is
 * known by service and wish or request alone.
 *
 * @param baseUrl `undefined` if the credential cannot be read: the tasks are found without it
 */
export function createLedger({ context, forAgent, runIndex }: Run, baseUrl: string | undefined) {
	const store = context.getContext('node') as Store;
	const paidTasks = (store.paidTasks ??= {});
	const executionId = context.getExecutionId();
	// The parsed address is the same however it is spelled.
	const service = baseUrl && fingerprint(new URL(baseUrl).href);
	const submitting = underWay.get(paidTasks) ?? new Set();
	underWay.set(paidTasks, submitting);
	let maxVideos = Infinity;

	const all = () => Object.values(paidTasks).flat();
	const keyOf = ({ itemIndex }: Sought) => `${runIndex}.${itemIndex}`;

	const isOf = (job: Sought) => {
		const request = fingerprint(job.request);
		return (entry: Entry) =>
			(service === undefined || entry.service === service) &&
			(job.after === undefined || entry.after === job.after) &&
			(entry.wish === job.wish || entry.request === request);
	};
	const entryOf = (job: Sought): Entry | undefined => {
		const isSame = isOf(job);
		if (forAgent) return all().filter(isSame).at(-1);
		const here = paidTasks[keyOf(job)] ?? [];
		const own = here.filter((entry) => entry.executionId === executionId || isSame(entry));
		return own.at(-1) ?? entryThatCameBack(job);
	};
	/** Returns the entry of a failed item that comes back to this node in a later run of a loop. */
	const entryThatCameBack = ({ failedTaskId, unclearSince }: Sought) => {
		// Searching all entries for each job would take long in a large batch.
		if (failedTaskId === undefined && unclearSince === undefined) return undefined;
		return all().find(({ task_id, unclear, submitted_at }) =>
			unclear
				? unclearSince !== undefined && toIso(submitted_at) === unclearSince
				: task_id === failedTaskId,
		);
	};
	/** Returns whether a job whose task came to nothing is to be submitted anew. */
	const isAnew = (entry: Entry, job: Sought) => {
		// Otherwise, each pass of a loop would pay for an item that nobody has changed.
		if (entry.task_id === job.failedTaskId) return job.cameToNothing === true && !isOf(job)(entry);
		return entry.failedIn !== undefined && !(forAgent && entry.failedIn === executionId);
	};

	/** Returns the job's task, or the unclear end of an earlier try; `undefined` to submit it. */
	const find = (job: Sought): Render | NoTask | undefined => {
		const entry = entryOf(job);
		if (!entry) {
			const { lostRuns = [] } = store;
			const isLost = lostRuns === 'all' || lostRuns.includes(runIndex);
			// An item of a lost run that a loop sends back arrives in a later run, which is not lost itself.
			const cameBack = store.lostRuns !== undefined && job.unclearSince === '';
			const isUnknown = isLost || cameBack;
			return isUnknown ? { state: 'unclear', trouble: INTERRUPTED } : undefined;
		}
		const { unclear, task_id, submitted_at: submittedAtMs } = entry;
		if (unclear) return { state: 'unclear', trouble: unclear, submittedAtMs };
		if (task_id === undefined || isAnew(entry, job)) return undefined;
		const task = { task_id, model: job.request?.model };
		return toRender(task, { submittedAtMs, reused: true });
	};

	/** Counts what this execution has paid for, in all runs or in others than this one. */
	const countPaid = (inOthers = false) =>
		Object.entries(paidTasks)
			.flatMap(([key, paid]) => (inOthers && key.startsWith(`${runIndex}.`) ? [] : paid))
			.filter((entry) => entry.executionId === executionId).length;
	const refuse = (wanted: number, paid: number): never => {
		const message =
			paid === 0
				? `This run would submit ${toVideos(wanted)}, and Max Videos per Execution is ${maxVideos}`
				: `This execution may submit ${toVideos(maxVideos)} (Max Videos per Execution), and ${paid} of them ${paid === 1 ? 'is' : 'are'} submitted already`;
		const advice = forAgent
			? 'Do not ask for further videos; tell the person that the limit is reached.'
			: 'Send fewer items, or raise Max Videos per Execution.';
		const description = `Nothing${paid === 0 ? '' : ' more'} was submitted. ${advice}`;
		throw new NodeOperationError(context.getNode(), message, { description });
	};

	return {
		find,
		/** Keeps a job's task, or that its submit was unclear. */
		keep(job: RenderJob, end: Render | NoTask): void {
			const entry: Entry = {
				executionId,
				service: service ?? '',
				wish: job.wish,
				request: fingerprint(job.request),
				after: job.after,
				...('task' in end ? { task_id: end.task.task_id } : { unclear: end.trouble }),
				submitted_at: end.submittedAtMs,
			};
			paidTasks[keyOf(job)] = [...(paidTasks[keyOf(job)] ?? []), entry];
			submitting.delete(job);
		},
		/** Notes that the job's task ended in FAILURE; returns whether the job may be submitted again. */
		forget(job: Sought): boolean {
			const entry = entryOf(job);
			if (entry?.task_id !== undefined) entry.failedIn = executionId;
			return !find(job);
		},
		/** Throws if these jobs need more submits than Max Videos per Execution still allows. */
		limitTo(max: number, jobs: Sought[]): void {
			maxVideos = max;
			const wanted = jobs.filter((job) => !find(job)).length;
			// Another try of this run takes what is left, and refuses the rest one by one.
			const paid = countPaid(true);
			if (wanted > 0 && paid + wanted > max) refuse(wanted, paid);
		},
		/**
		 * Resolves to what `find` returns, or submits the job; throws if that would be one too many. An
		 * agent's calls with the same wish or request go one after the other.
		 */
		async findOrSubmit<End>(
			job: RenderJob,
			submit: (job: RenderJob) => Promise<End>,
		): Promise<Render | NoTask | End> {
			const work = async () => {
				const known = find(job);
				if (known) return known;
				const paid = maxVideos === Infinity ? 0 : countPaid() + submitting.size;
				if (paid >= maxVideos) refuse(1, paid);
				submitting.add(job);
				try {
					return await submit(job);
				} finally {
					submitting.delete(job);
				}
			};
			if (!forAgent) return await work();
			const ofRequest = `request ${fingerprint(job.request)}`;
			const inner = async () => await inTurn(paidTasks, ofRequest, work);
			return await inTurn(paidTasks, `wish ${job.wish}`, inner);
		},
	};
}
