import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import type { Run } from '../item/run';
import { INTERRUPTED, toIso, toVideos } from '../item/words';
import type { Next } from '../service/next';
import { toObject, toText } from '../lib/json';
import { inTurn } from '../lib/turns';
import { openConnection } from '../service/connection';
import { type Failure, isFailure } from '../service/failure';
import type { RouteName } from '../service/routes';
import { type Render, type RenderJob, toRender } from './render';
import type { BegunRuns } from './traces';
import { isSameWish, toFact, toWish, type Wish } from './wish';

/** A job as it is looked for; the rest is missing until its item has been read. */
type Sought = Pick<RenderJob, 'itemIndex' | 'wish'> & Partial<RenderJob>;

/** One submit, as n8n stores it with the execution. */
interface Entry {
	/** The execution that paid. */
	executionId: string;
	wish: Wish;
	submittedAtMs?: number;
	task_id?: string;
	/** On which the service has taken it. */
	route?: RouteName;
	/** Set if nobody knows whether there is a task. */
	unclear?: Failure;
	/** The execution that saw the task end in FAILURE. */
	failedIn?: string;
	/** The chat in which an agent asked for it. */
	sessionId?: string;
}

/** The node's context, which n8n saves with the execution. */
interface Store extends BegunRuns {
	/** By place: run and item. */
	paidTasks?: Record<string, Entry[]>;
}

/** The static data of an agent's tool, which n8n keeps for a published workflow. */
interface ChatStore {
	paidInChats?: Entry[];
}

/** A chat's next message finds a task for so long, and no more tasks than these are kept. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;
const MAX_REMEMBERED = 50;

/** Reads what an item that comes back from the error output says of its submit. */
function readReturned({ error }: IDataObject) {
	const { task_id, next, submitted_at } = toObject(error);
	return {
		task_id: toText(task_id),
		/** Only a changed request helps. */
		needsChange: next === ('changeRequest' satisfies Next),
		/** Nobody knows whether there is a task. */
		isUnclear: next === ('checkUsage' satisfies Next),
		submittedAt: toText(submitted_at),
	};
}

/** The jobs being submitted, by the object in which n8n keeps what a node has paid for. */
const submittingIn = new WeakMap<object, Set<Sought>>();

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
export function createLedger(
	{ context, forAgent, items, runIndex }: Run,
	baseUrl: string | undefined,
) {
	const store = context.getContext('node') as Store;
	const paidTasks = (store.paidTasks ??= {});
	const executionId = context.getExecutionId();
	const submitting = submittingIn.get(paidTasks) ?? new Set();
	submittingIn.set(paidTasks, submitting);
	// n8n adds the item of the agent, which is the one of the Chat Trigger.
	const sessionId = forAgent ? toText(items[0].json.sessionId) : undefined;
	const chats: ChatStore = sessionId === undefined ? {} : context.getWorkflowStaticData('node');
	const remembered = () =>
		(chats.paidInChats ?? []).filter(
			({ submittedAtMs = 0 }) => Date.now() - submittedAtMs < REMEMBERED_MS,
		);
	let maxVideos = Infinity;

	// The parsed address is the same however it is spelled.
	const service: Wish = baseUrl === undefined ? {} : { service: toFact(new URL(baseUrl).href) };
	const wishOf = ({ wish }: Sought): Wish => ({ ...wish, ...service });
	const isSame = (entry: Entry, job: Sought) => isSameWish(entry.wish, wishOf(job));

	const returnedOf = ({ itemIndex }: Sought) => readReturned(items[itemIndex].json);
	const placeOf = ({ itemIndex }: Sought) => `${runIndex}.${itemIndex}`;
	const all = () => Object.values(paidTasks).flat();
	/** Returns the keys by which a job is known, the surest first: among which entries, and by what. */
	const keysOf = (job: Sought): Array<[among: () => Entry[], isOf: (entry: Entry) => boolean]> => {
		if (forAgent) {
			const isAsked = (entry: Entry) => isSame(entry, job);
			return [
				[all, isAsked],
				[() => remembered().filter((entry) => entry.sessionId === sessionId), isAsked],
			];
		}
		const { task_id, isUnclear, submittedAt } = returnedOf(job);
		const isReturned = ({ unclear, submittedAtMs, ...entry }: Entry) =>
			unclear ? isUnclear && toIso(submittedAtMs) === submittedAt : entry.task_id === task_id;
		return [
			[
				() => paidTasks[placeOf(job)] ?? [],
				(entry) => entry.executionId === executionId || isSame(entry, job),
			],
			// Searching all entries for each job would take long in a large batch.
			[() => (task_id !== undefined || isUnclear ? all() : []), isReturned],
		];
	};
	const entryOf = (job: Sought): Entry | undefined => {
		for (const [among, isOf] of keysOf(job)) {
			const entry = among().filter(isOf).at(-1);
			if (entry) return entry;
		}
		return undefined;
	};
	/** Returns whether a job whose task has failed is to be submitted anew. */
	const mayResubmit = (entry: Entry, job: Sought) => {
		const { task_id, needsChange } = returnedOf(job);
		// Otherwise, each pass of a loop would pay for an item of which nothing but a count has changed.
		// Some services give several videos one ID.
		if (entry.task_id === task_id) {
			const isOfJob = ({ wish, ...one }: Entry) =>
				one.task_id === task_id && isSameWish(wish, wishOf(job), true);
			return needsChange && !all().some(isOfJob);
		}
		return entry.failedIn !== undefined && !(forAgent && entry.failedIn === executionId);
	};

	/** Returns the job's task, or the unclear end of an earlier try; `undefined` to submit it. */
	const find = (job: Sought): Render | Failure | undefined => {
		const entry = entryOf(job);
		if (!entry) {
			const { lostRuns = [] } = store;
			const isLost = lostRuns === 'all' || lostRuns.includes(runIndex);
			// An item of a lost run that a loop sends back arrives in a later run, which is not lost itself.
			const { isUnclear, submittedAt } = returnedOf(job);
			const wasLost = store.lostRuns !== undefined && isUnclear && submittedAt === undefined;
			return isLost || wasLost ? INTERRUPTED : undefined;
		}
		const { unclear, task_id, route, submittedAtMs } = entry;
		if (unclear) return unclear;
		if (task_id === undefined || mayResubmit(entry, job)) return undefined;
		const task = { task_id, route, model: job.model };
		return toRender(task, { submittedAtMs, reused: true });
	};

	/** Counts what this execution has paid for, in all runs or in others than this one. */
	const countPaid = (inOthers = false) =>
		Object.entries(paidTasks)
			.flatMap(([place, paid]) => (inOthers && place.startsWith(`${runIndex}.`) ? [] : paid))
			.filter((entry) => entry.executionId === executionId).length;
	const throwOverLimit = (wanted: number, paid: number): never => {
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
		/** The object that all runs of the node in this execution share. */
		store: paidTasks,
		find,
		/** Keeps a job's task, or that its submit was unclear. */
		keep(job: RenderJob, end: Render | Failure): void {
			const place = placeOf(job);
			const { task_id, route } = isFailure(end) ? {} : end.task;
			const result = isFailure(end) ? { unclear: end } : { task_id, route };
			const { submittedAtMs } = end;
			const entry = { executionId, wish: wishOf(job), ...result, submittedAtMs, sessionId };
			paidTasks[place] = [...(paidTasks[place] ?? []), entry];
			submitting.delete(job);
			if (sessionId === undefined) return;
			chats.paidInChats = [...remembered(), entry].slice(-MAX_REMEMBERED);
		},
		/** Notes that the job's task ended in FAILURE; returns whether the job may be submitted again. */
		noteFailure(job: Sought): boolean {
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
			if (wanted > 0 && paid + wanted > max) throwOverLimit(wanted, paid);
		},
		/** Counts a job that is being submitted until it is kept; throws if it is one too many. */
		begin(job: RenderJob): void {
			const paid = maxVideos === Infinity ? 0 : countPaid() + submitting.size;
			if (paid >= maxVideos) throwOverLimit(1, paid);
			submitting.add(job);
		},
		end: (job: RenderJob) => void submitting.delete(job),
	};
}

/**
 * Tells the run, before items are read, which of them an earlier try has paid for. An item that can
 * no longer be read (say, its image URL has expired) then still fails with its task ID.
 */
export async function notePaidTasks(run: Run): Promise<void> {
	const { context, credential, redaction, traits, items, forAgent } = run;
	const { paidTasks = {} } = context.getContext('node') as Store;
	if (forAgent || Object.keys(paidTasks).length === 0) return;
	// A credential that cannot be opened is reported later, where it is used; the paid tasks are
	// found without it.
	const opening = openConnection(context, credential, redaction, traits);
	const ledger = createLedger(run, (await opening.catch(() => undefined))?.baseUrl);
	for (const itemIndex of items.keys()) {
		const known = ledger.find({ itemIndex, wish: toWish(run, itemIndex) });
		if (known && isFailure(known)) run.unclear.set(itemIndex, known);
		else if (known) run.taskIds.set(itemIndex, known.task.task_id);
	}
}

/** The most that Max Videos per Day takes. n8n keeps as many slots of a node: all of today, whatever its limit was. */
export const MAX_PER_DAY = 1_000;
const SLOTS = { mode: 'entries', maxEntries: MAX_PER_DAY } as const;

/** By workflow and node: the queue of those who want a slot, and the last slot that was given. */
const days = new Map<string, { last: number }>();

/**
 * Claims one of the slots of Max Videos per Day, so that a submit may follow. n8n writes it into its
 * database at once, where neither Stop nor a kill undoes it; what a node keeps elsewhere, n8n saves at
 * the end only. In queue mode, two workers may get the same slot.
 *
 * @returns how to give the slot back; a failure if none is left
 */
export async function claimOfDay(
	{ context, clock, forAgent }: Run,
	max: number | undefined,
): Promise<(() => Promise<void>) | Failure> {
	if (max === undefined || context.getMode() === 'manual') return async () => {};
	const { helpers } = context;
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	const day = days.get(id) ?? { last: 0 };
	days.set(id, day);
	const timeZone = context.getTimezone();
	// The Swedish way to write a day is that of ISO 8601.
	const today = new Date(clock.now()).toLocaleDateString('sv', { timeZone });
	return await inTurn(day, async () => {
		for (let tried = 0; tried < max; tried++) {
			const number = ((day.last + tried) % max) + 1;
			const slot = [`${today} ${number}`];
			const { new: claimed } = await helpers.checkProcessedAndRecord(slot, 'node', SLOTS);
			if (claimed.length === 0) continue;
			day.last = number;
			const remove = async () => await helpers.removeProcessed(slot, 'node', SLOTS);
			// A slot that stays claimed counts one video too many, and never one too few.
			return async () => await inTurn(day, remove).catch(() => {});
		}
		return {
			during: 'submit',
			certainty: 'refused',
			message: `This node has submitted ${toVideos(max)} on ${today} (${timeZone}), as many as Max Videos per Day allows`,
			passes: !forAgent,
			advice: forAgent
				? 'Do not ask for further videos today; tell the person that the limit is reached.'
				: 'Run it again tomorrow, or raise Max Videos per Day.',
		};
	});
}
