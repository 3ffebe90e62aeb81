import type { IDataObject } from 'n8n-workflow';

import type { Run } from '../item/run';
import { toText } from '../lib/json';
import { endOf } from '../service/answerPaths';
import { isStatus, type VideoTask } from '../service/videoTask';
import { type Asked, isSameAsked, toAsked } from './asked';
import type { Order } from './job';
import type { BegunRuns } from './lostRuns';
import type { Render, TaskOutcome } from './render';
import { createExecutionLimit } from './videoLimits';
import { isOwnError } from '../item/failure';
import { isFailure, type UnclearSubmit } from '../service/reason';

/** One submit that is paid for, or may be, as n8n stores it with the execution. */
export interface Paid extends Asked {
	/** The run and the item. */
	place: string;
	/** The task of the shot before. */
	after?: string;
	executionId: string;
	submittedAtMs?: number;
	/** The whole record once it is done: Google forgets finished tasks. */
	task?: Pick<VideoTask, 'task_id'> & Partial<VideoTask>;
	/** Set if nobody knows whether there is a task. */
	unclear?: UnclearSubmit;
	/** `failed` never takes the place of `done`. */
	end?: 'done' | 'failed';
}

/** What is known of a submit whose ledger is lost, in a retried execution. */
const INTERRUPTED: UnclearSubmit = {
	kind: 'unclear',
	message:
		'This execution retries one that was killed or stopped, and n8n has not stored what that one had paid for',
	description:
		'n8n\'s log contains the IDs that were known by then ("[item 0] is video task ..."), and the custom data of a stopped execution does, too: Video Status and Video Download take them. To submit the video in any case, start a new execution.',
	passes: false,
};

/** The node's context, which n8n saves with the execution. */
interface Store extends BegunRuns {
	paid?: Paid[];
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Returns the ledger of a run: what the node has paid for in this execution, and in the one that this
 * execution retries. A job is its place and what it asks for.
 */
export function createLedger(run: Run) {
	const { context, forAgent, items, runIndex } = run;
	const store = context.getContext('node') as Store;
	const paid = (store.paid ??= []);
	const executionId = context.getExecutionId();
	const limit = createExecutionLimit(run, paid);
	const placeOf = (itemIndex: number) => `${runIndex}.${itemIndex}`;
	const isFailed = ({ end }: Paid) => end === 'failed';

	/** Returns the task that an item which comes back names: in our `error`, or as Video Status does. */
	const findReturned = (json: IDataObject, { request }: Asked): Paid | undefined => {
		const { error, status } = json;
		const isOurs = isOwnError(error);
		const isOpen = error === undefined && isStatus(status) && endOf(status) !== 'done';
		const task_id = toText(isOurs ? error.task_id : isOpen ? json.task_id : undefined);
		const submittedAtMs = isOurs ? Date.parse(String(error.submitted_at)) : NaN;
		return last(paid, (entry) => {
			if (entry.unclear) return entry.submittedAtMs === submittedAtMs;
			if (entry.task?.task_id !== task_id) return false;
			// A changed request is another video; an unchanged one fails again.
			const hasFailed = isFailed(entry) || endOf(status) === 'failed';
			return !hasFailed || (request !== undefined && entry.request === request);
		});
	};

	/** Returns what is paid for of a job, or may be; `undefined` to submit it. */
	const find = ({ itemIndex, asked, after }: Order): Paid | undefined => {
		const isSame = (entry: Paid) => entry.after === after && isSameAsked(entry, asked);
		const place = placeOf(itemIndex);
		const { lostRuns = [] } = store;
		const isLost = lostRuns === 'all' || lostRuns.includes(runIndex);
		const lost = isLost ? { ...asked, place, executionId, unclear: INTERRUPTED } : undefined;
		// Each call of an agent's tool is a run of its own.
		if (forAgent) {
			const isOpen = (entry: Paid) => !isFailed(entry) || entry.executionId === executionId;
			return last(paid, (entry) => isSame(entry) && isOpen(entry)) ?? lost;
		}
		const atPlace = paid.filter((entry) => entry.place === place && !isFailed(entry));
		const found =
			last(atPlace, (entry) => entry.executionId === executionId) ??
			findReturned(items[itemIndex].json, asked) ??
			last(atPlace, isSame);
		return found ?? lost;
	};

	return {
		/** The list that all runs of the node in this execution share. */
		paid,
		find,
		/** Keeps a job's task, or that its submit was unclear. */
		keep(job: Order, end: Render | UnclearSubmit): void {
			const { itemIndex, asked, after } = job;
			const { submittedAtMs } = end;
			const result = isFailure(end) ? { unclear: end } : { task: end.task };
			paid.push({
				...asked,
				place: placeOf(itemIndex),
				after,
				executionId,
				submittedAtMs,
				...result,
			});
			limit.end(job);
		},
		/** Notes how a task ended; some services give several videos one ID. */
		noteEnd({ state, render: { task, done } }: TaskOutcome): void {
			for (const entry of paid.filter((one) => one.task?.task_id === task.task_id)) {
				if (done) Object.assign(entry, { end: 'done', task: run.redaction.show(done) });
				else if (state === 'failed') entry.end ??= 'failed';
			}
		},
		/** Throws if these jobs need more submits than Max Videos per Execution still allows. */
		limitTo: (max: number, jobs: Order[]) =>
			limit.set(max, jobs.filter((job) => !find(job)).length),
		/** Counts a job that is being submitted until it is kept; throws if it is one too many. */
		begin: limit.begin,
		end: limit.end,
	};
}

const last = (entries: Paid[], isWanted: (entry: Paid) => boolean): Paid | undefined =>
	entries.filter(isWanted).at(-1);

/**
 * Tells the run, before items are read, which of them an earlier try has paid for. An item that can
 * no longer be read (say, its image URL has expired) then still fails with its task ID.
 */
export function notePaidTasks(run: Run): void {
	if (run.forAgent) return;
	const ledger = createLedger(run);
	if (ledger.paid.length === 0) return;
	for (const itemIndex of run.items.keys()) {
		const { task, unclear } = ledger.find({ itemIndex, asked: toAsked(run, itemIndex) }) ?? {};
		if (unclear) run.unclear.set(itemIndex, unclear);
		else if (task) run.taskIds.set(itemIndex, task.task_id);
	}
}
