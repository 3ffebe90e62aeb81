import type { IDataObject } from 'n8n-workflow';

import { type Failure, isFailure, isOwnError, submitUnclear } from '../failure/failure';
import { toText } from '../lib/json';
import type { Run } from '../n8n/run';
import { endOf } from '../services/answerPaths';
import { isStatus, type KnownTask } from '../services/videoTask';
import { type Asked, isSameAsked, toAsked } from './asked';
import type { LedgerKey } from './job';
import type { BegunRuns } from './lostRuns';
import type { Render, WaitState } from './render';
import { createExecutionLimit } from './videoLimits';

/** One submit that is paid for, or may be, as n8n stores it with the execution. */
export interface Paid extends Asked {
	/** The run and the item. */
	place: string;
	/** The task of the shot before. */
	after?: string;
	executionId: string;
	submittedAtMs?: number;
	/** The whole record once it is done: Google forgets finished tasks. */
	task?: KnownTask;
	/** Set if nobody knows whether there is a task. */
	unclear?: Failure;
	/** `broke`: at the vendor, and not over what was asked for. A failure never takes the place of `done`. */
	end?: 'done' | 'failed' | 'broke';
	/** The first render that broke off, whose item was led back for this one. */
	insteadOf?: string;
}

/** How often a video is ordered again, in all, for items that are led back after renders that broke off. */
const MAX_REPEATS = 2;

/** What is known of a submit whose ledger is lost, in a retried execution. */
const INTERRUPTED: Failure = {
	...submitUnclear({ message: '', passes: false }, {}),
	message:
		'This execution retries one that was killed or stopped, and n8n has not stored what that one had paid for',
	description:
		'Nothing was submitted now. To find what was paid for, use Video Tasks in a new workflow, with Since at the start of that execution. If the service has no list, look into n8n\'s log ("[item 0] is video task ...") and the custom data of the stopped execution. Video Download takes the IDs. Items that are in none of them were not submitted, except for those in flight at that moment: order them in a new execution.',
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
	const isAsked =
		({ asked, after }: LedgerKey) =>
		(entry: Paid) =>
			entry.after === after && isSameAsked(entry, asked);

	/** Returns the render that broke off, in whose place a job is ordered. */
	const findBroken = (job: LedgerKey): Paid | undefined => {
		const task_id = returnedTask(items[job.itemIndex].json);
		const isSame = isAsked(job);
		const isBefore = (entry: Paid) =>
			forAgent
				? entry.executionId === executionId && isSame(entry)
				: task_id !== undefined && entry.task?.task_id === task_id;
		return last(paid, (entry) => entry.end === 'broke' && isBefore(entry));
	};

	/** Returns what is paid for of a job, or may be; `undefined` to submit it. */
	const find = (job: LedgerKey): Paid | undefined => {
		const { itemIndex, asked } = job;
		const isSame = isAsked(job);
		const place = placeOf(itemIndex);
		const { lostRuns = [] } = store;
		const isLost = lostRuns === 'all' || lostRuns.includes(runIndex);
		const lost = isLost ? { ...asked, place, executionId, unclear: INTERRUPTED } : undefined;
		// Each call of an agent's tool is a run of its own.
		if (forAgent) {
			const isOpen = (entry: Paid) =>
				!hasFailed(entry) || (entry.executionId === executionId && !mayRepeat(paid, entry));
			return last(paid, (entry) => isSame(entry) && isOpen(entry)) ?? lost;
		}
		const atPlace = paid.filter((entry) => entry.place === place && !hasFailed(entry));
		const found =
			last(atPlace, (entry) => entry.executionId === executionId) ??
			findReturned(paid, items[itemIndex].json, asked) ??
			last(atPlace, isSame);
		return found ?? lost;
	};

	return {
		/** The list that all runs of the node in this execution share. */
		paid,
		find,
		/** Keeps a job's task, or that its submit was unclear. */
		keep(job: LedgerKey, end: Render | Failure): void {
			const { itemIndex, asked, after } = job;
			const broken = findBroken(job);
			const { submittedAtMs, task } = isFailure(end) ? {} : end;
			paid.push({
				...asked,
				...{ place: placeOf(itemIndex), after, executionId, submittedAtMs },
				...(isFailure(end) ? { unclear: end } : { task }),
				...(broken && { insteadOf: firstOf(broken) }),
			});
			limit.end(job);
		},
		/** Notes how a task ended; some services give several videos one ID. */
		noteEnd({ state, render: { task, done } }: WaitState): void {
			for (const entry of paid.filter((one) => one.task?.task_id === task.task_id)) {
				if (done) Object.assign(entry, { end: 'done', task: run.redaction.show(done) });
				else if (state === 'failed') entry.end ??= task.broke ? 'broke' : 'failed';
			}
		},
		/** Whether a render has broken off so often that its video is not ordered again by itself. */
		brokeTooOften: (task_id: string) =>
			paid.some((entry) => entry.task?.task_id === task_id && brokeTooOften(paid, entry)),
		/** Throws if these jobs need more submits than Max Videos per Execution still allows. */
		limitTo: (max: number, jobs: LedgerKey[]) =>
			limit.set(max, jobs.filter((job) => !find(job)).length),
		/** Counts a job that is being submitted until it is kept; throws if it is one too many. */
		begin: limit.begin,
		end: limit.end,
	};
}

const hasFailed = ({ end }: Paid) => end === 'failed' || end === 'broke';
const firstOf = ({ insteadOf, task }: Paid) => insteadOf ?? task?.task_id;
const brokeTooOften = (paid: Paid[], entry: Paid) =>
	paid.filter(({ insteadOf }) => insteadOf === firstOf(entry)).length >= MAX_REPEATS;
const mayRepeat = (paid: Paid[], entry: Paid) =>
	entry.end === 'broke' && !brokeTooOften(paid, entry);

/** Returns the task that an item which comes back names: in our `error`, or as Video Status does. */
function findReturned(paid: Paid[], json: IDataObject, asked: Asked): Paid | undefined {
	const task_id = returnedTask(json);
	return last(paid, (entry) => {
		if (entry.unclear) return isReturned(entry.unclear, json);
		if (entry.task?.task_id !== task_id || mayRepeat(paid, entry)) return false;
		const isOver = hasFailed(entry) || endOf(json.status) === 'failed';
		return !isOver || isUnchanged(entry, asked);
	});
}

/**
 * Returns whether a job asks for what has failed. A changed request is another video, unless its expressions
 * have changed it by themselves: the node and the item are the same.
 */
const isUnchanged = (entry: Paid, asked: Asked): boolean =>
	(asked.request !== undefined && entry.request === asked.request) ||
	(entry.input === asked.input && isSameAsked(entry, asked));

/** Returns the ID of the task that an item which comes back names, unless it is done. */
function returnedTask({ error, status, task_id }: IDataObject): string | undefined {
	if (isOwnError(error)) return toText(error.task_id);
	const isOpen = error === undefined && isStatus(status) && endOf(status) !== 'done';
	return isOpen ? toText(task_id) : undefined;
}

/** An unclear submit has no ID; when it was sent tells it from others. */
const isReturned = ({ submitted_at }: Failure, { error }: IDataObject): boolean =>
	submitted_at !== undefined && isOwnError(error) && error.submitted_at === submitted_at;

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
