import type { IDataObject } from 'n8n-workflow';

import type { Run } from '../item/run';
import type { ItemResult } from '../item/output';
import { isSet } from '../item/reader';
import { INTERRUPTED, MIXED_UP, NOT_TOLD } from '../item/words';
import type { Next } from '../service/next';
import { toObject, toText } from '../lib/json';
import { openConnection } from '../service/connection';
import { type Failure, isFailure } from '../service/failure';
import type { RouteName } from '../service/routes';
import { isStatus, type VideoTask } from '../service/videoTask';
import type { BegunRuns } from './lostRuns';
import { type Render, type RenderJob, type TaskOutcome, toRender } from './render';
import { createExecutionLimit } from './videoLimits';
import { isSameWish, toFact, toWish, toWishKey, type Wish } from './wish';

/** A job as it is looked for; the rest is missing until its item has been read. */
type Sought = Pick<RenderJob, 'itemIndex' | 'wish'> & Partial<RenderJob>;

/** One submit, as n8n stores it with the execution. */
export interface Entry {
	/** The execution that paid. */
	executionId: string;
	wish: Wish;
	submittedAtMs?: number;
	task_id?: string;
	model?: string;
	/** On which the service has taken it. */
	route?: RouteName;
	/** Set if nobody knows whether there is a task. */
	unclear?: Failure;
	/** The execution that saw the task end in FAILURE. */
	failedIn?: string;
	/** The task as it was once its record said SUCCESS. */
	done?: VideoTask;
	/** Its item went on, and not as a failing one, which may come back. */
	isDone?: boolean;
	/** The chat in which an agent asked for it. */
	sessionId?: string;
}

/** The node's context, which n8n saves with the execution. */
interface Store extends BegunRuns {
	/** By place: run and item. */
	paidTasks?: Record<string, Entry[]>;
	/** The keys of wishes that the service has refused. */
	refused?: string[];
}

/** The static data of an agent's tool, which n8n keeps for a published workflow. */
interface ChatStore {
	paidInChats?: Entry[];
}

/** A chat's next message finds a task for so long, and no more tasks than these are kept. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;
const MAX_REMEMBERED = 50;

/** Reads what an item that comes back says of its submit: in its error, or without one, in its record. */
function readReturned({ error, ...record }: IDataObject) {
	const { next, billed, submitted_at, ...rest } = toObject(error);
	const isDone = record.status === 'SUCCESS' && isSet(record.result_url);
	const isOpen = !isSet(error) && isStatus(record.status) && !isDone;
	// Only a task has a status.
	const isOfTask = next === ('followTask' satisfies Next) || isSet(rest.status);
	const [task_id, time = ''] = [isOpen ? record.task_id : rest.task_id, submitted_at].map(toText);
	const submittedAtMs = Date.parse(time);
	const isWhole = isSet(next) && (task_id !== undefined || !Number.isNaN(submittedAtMs));
	return {
		task_id,
		/** Without its error, it stands for its task as long as its request is the same. */
		isOpen,
		/** Only a changed request helps. */
		needsChange: next === ('changeRequest' satisfies Next),
		/** Its error is this node's, and tells of no submit. */
		isRefused: isSet(next) && task_id === undefined && Number.isNaN(submittedAtMs),
		/** When its unclear submit was sent, in milliseconds since 1970; NaN if it does not tell. */
		submittedAtMs,
		/** It may be paid for, and no longer tells its submit as this node wrote it. */
		isThin:
			next === ('checkUsage' satisfies Next)
				? !/T.*\.\d{3}Z$/.test(time)
				: isSet(next) && isOfTask && task_id === undefined,
		/** It may be what is left of this node's error, or another node's. */
		isForeign: isSet(error) && billed !== 'no' && !isWhole,
		/** Its render has ended, in FAILURE or without a film. */
		hasFailed: isOpen && ['FAILURE', 'SUCCESS'].includes(record.status as string),
	};
}

/** Opens what an agent has paid for in its chat, also in earlier messages. */
function openChat({ context, forAgent, items }: Run) {
	// n8n adds the item of the agent, which is the one of the Chat Trigger.
	const sessionId = forAgent ? toText(items[0].json.sessionId) : undefined;
	const store: ChatStore = sessionId === undefined ? {} : context.getWorkflowStaticData('node');
	const remembered = () =>
		(store.paidInChats ?? []).filter(
			({ submittedAtMs = 0 }) => Date.now() - submittedAtMs < REMEMBERED_MS,
		);
	return {
		sessionId,
		entries: () => remembered().filter((entry) => entry.sessionId === sessionId),
		add(entry: Entry): void {
			store.paidInChats = [...remembered(), entry].slice(-MAX_REMEMBERED);
		},
	};
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Returns the ledger of a run. A job is known by its place, which is its run and item, and by its wish
 * (`isSameWish`): an edited prompt is another video. Within one execution, its place alone tells,
 * whatever its expressions give now. Each call of an agent's tool is a run of its own, so there the
 * wish alone tells, also of an earlier message of the same chat. An item that comes back from the error
 * output names its submit.
 *
 * @param baseUrl `undefined` if the credential cannot be read: the tasks are found without it
 */
export function createLedger(run: Run, baseUrl: string | undefined) {
	const { context, forAgent, items, runIndex } = run;
	const store = context.getContext('node') as Store;
	const paidTasks = (store.paidTasks ??= {});
	const executionId = context.getExecutionId();
	const chat = openChat(run);
	const limit = createExecutionLimit(run, paidTasks);

	// The parsed address is the same however it is spelled.
	const service: Wish = baseUrl === undefined ? {} : { service: toFact(new URL(baseUrl).href) };
	const wishOf = ({ wish }: Sought): Wish => ({ ...wish, ...service });
	const returnedOf = ({ itemIndex }: Sought) => readReturned(items[itemIndex].json);
	const placeOf = ({ itemIndex }: Sought) => `${runIndex}.${itemIndex}`;
	const all = () => Object.values(paidTasks).flat();
	/** The keys of the wishes of all items of the input. */
	let itemKeys: Record<'exact' | 'uncounted', Set<string>> | undefined;
	const keysOfItems = () => {
		const wishes = itemKeys ? [] : items.map((_, itemIndex) => toWish(run, itemIndex));
		return (itemKeys ??= {
			exact: new Set(wishes.map((wish) => toWishKey(wish))),
			uncounted: new Set(wishes.map((wish) => toWishKey(wish, { uncounted: true }))),
		});
	};

	/** Returns the last entry of a job, by the surest key that finds one. */
	const entryOf = (job: Sought): Entry | undefined => {
		const last = (entries: Entry[], isOfJob: (entry: Entry) => boolean) =>
			entries.filter(isOfJob).at(-1);
		const hasWish = (entry: Entry) => isSameWish(entry.wish, wishOf(job));
		if (forAgent) return last(all(), hasWish) ?? last(chat.entries(), hasWish);
		const isPlaced = (entry: Entry) => entry.executionId === executionId || hasWish(entry);
		const placed = last(paidTasks[placeOf(job)] ?? [], isPlaced);
		const { task_id, submittedAtMs, isOpen, hasFailed } = returnedOf(job);
		// Searching all entries for each job would take long in a large batch.
		if (placed || (task_id === undefined && Number.isNaN(submittedAtMs))) return placed;
		return last(all(), ({ unclear, ...entry }) =>
			unclear
				? entry.submittedAtMs === submittedAtMs
				: entry.task_id === task_id &&
					(!isOpen || isSameWish(entry.wish, wishOf(job), hasFailed ? 'anywhere' : undefined)),
		);
	};
	/** Returns whether an item came back with another one's task, as where a Merge node adds errors by position. */
	const isMixedUp = ({ task_id, wish }: Entry, job: Sought) => {
		const mine = wishOf(job);
		const isTold = task_id !== undefined && task_id === returnedOf(job).task_id;
		if (!isTold || isSameWish(wish, mine)) return false;
		const { exact, uncounted } = keysOfItems();
		// Two rows may differ in a number alone, and a loop may count there.
		return isSameWish(wish, mine, 'anywhere')
			? exact.has(toWishKey(wish)) && all().some((other) => isSameWish(other.wish, mine))
			: uncounted.has(toWishKey(wish, { uncounted: true })) ||
					all().some(
						(other) => other.task_id !== task_id && isSameWish(other.wish, mine, 'inExpressions'),
					);
	};
	/** Returns whether an item came back with the error of another one, which was refused, in place of its own. */
	const lacksOwnError = (job: Sought) =>
		!store.refused?.includes(toWishKey(wishOf(job), { uncounted: true })) &&
		all().some(
			({ wish, isDone, failedIn }) =>
				!isDone && failedIn === undefined && isSameWish(wish, wishOf(job), 'inExpressions'),
		);
	/** Returns whether a job whose task has failed is to be submitted anew. */
	const mayResubmit = (entry: Entry, job: Sought) => {
		const { task_id, needsChange } = returnedOf(job);
		// Otherwise, each pass of a loop would pay for an item of which nothing but a count has changed.
		// Some services give several videos one ID.
		if (entry.task_id === task_id) {
			const isOfJob = ({ wish, ...other }: Entry) =>
				other.task_id === task_id && isSameWish(wish, wishOf(job), 'anywhere');
			return needsChange && !all().some(isOfJob);
		}
		return entry.failedIn !== undefined && !(forAgent && entry.failedIn === executionId);
	};
	/** Returns why a job without an entry may be paid for all the same; `undefined` if it is not. */
	const findLoss = (job: Sought): Failure | undefined => {
		const { lostRuns } = store;
		if (lostRuns === 'all' || lostRuns?.includes(runIndex)) return INTERRUPTED;
		// A loop sends an item back in a later run; in the first one, it is a row of an earlier execution.
		const { isThin, isForeign, isRefused } = returnedOf(job);
		const isSubmitted = () =>
			all().some(({ wish }) => isSameWish(wish, wishOf(job), 'inExpressions'));
		const isBack = !forAgent && runIndex > 0 && (isThin || (isForeign && isSubmitted()));
		if (isBack && lostRuns) return INTERRUPTED;
		if (isBack && Object.keys(paidTasks).length > 0) return NOT_TOLD;
		return !forAgent && runIndex > 0 && isRefused && lacksOwnError(job) ? MIXED_UP : undefined;
	};

	/** Returns the job's task, or the unclear end of an earlier try; `undefined` to submit it. */
	const find = (job: Sought): Render | Failure | undefined => {
		const entry = entryOf(job);
		if (!entry) return findLoss(job);
		const { unclear, task_id, route, model = job.model, submittedAtMs, done } = entry;
		if (unclear) return unclear;
		if (isMixedUp(entry, job)) return MIXED_UP;
		if (task_id === undefined || mayResubmit(entry, job)) return undefined;
		const task = { task_id, route, model };
		return toRender(task, { submittedAtMs, reused: true, done });
	};

	return {
		/** The object that all runs of the node in this execution share. */
		store: paidTasks,
		find,
		/** Keeps a job's task, or that its submit was unclear. */
		keep(job: RenderJob, end: Render | Failure): void {
			const place = placeOf(job);
			const { task_id, route, model } = isFailure(end) ? {} : end.task;
			const result = isFailure(end) ? { unclear: end } : { task_id, route, model };
			const { submittedAtMs } = end;
			const { sessionId } = chat;
			const entry = { executionId, wish: wishOf(job), ...result, submittedAtMs, sessionId };
			paidTasks[place] = [...(paidTasks[place] ?? []), entry];
			chat.add(entry);
			limit.end(job);
		},
		/** Notes how the job's task ended. */
		noteEnd(job: Sought, { state, render: { done } }: TaskOutcome): void {
			const entry = entryOf(job);
			if (!entry) return;
			if (state === 'failed') entry.failedIn = executionId;
			if (done) entry.done = run.redaction.show(done);
		},
		/** Notes how the job's item goes on. */
		noteItem(job: Sought, result: ItemResult | undefined): void {
			const entry = entryOf(job);
			const fails = result !== undefined && isFailure(result);
			if (entry) entry.isDone = !fails;
			if (entry || !fails || result.certainty !== 'refused') return;
			const key = toWishKey(wishOf(job), { uncounted: true });
			store.refused = [...new Set(store.refused).add(key)];
		},
		/** Throws if these jobs need more submits than Max Videos per Execution still allows. */
		limitTo: (max: number, jobs: Sought[]) =>
			limit.set(max, jobs.filter((job) => !find(job)).length),
		/** Counts a job that is being submitted until it is kept; throws if it is one too many. */
		begin: limit.begin,
		end: limit.end,
	};
}

/**
 * Tells the run, before items are read, which of them an earlier try has paid for. An item that can
 * no longer be read (say, its image URL has expired) then still fails with its task ID.
 */
export async function notePaidTasks(run: Run): Promise<void> {
	const { context, credential, redaction, items, forAgent } = run;
	const { paidTasks = {} } = context.getContext('node') as Store;
	if (forAgent || Object.keys(paidTasks).length === 0) return;
	// A credential that cannot be opened is reported later, where it is used; the paid tasks are
	// found without it.
	const opening = openConnection(context, credential, redaction);
	const ledger = createLedger(run, (await opening.catch(() => undefined))?.baseUrl);
	for (const itemIndex of items.keys()) {
		const known = ledger.find({ itemIndex, wish: toWish(run, itemIndex) });
		if (known && isFailure(known)) run.unclear.set(itemIndex, known);
		else if (known) run.taskIds.set(itemIndex, known.task.task_id);
	}
}
