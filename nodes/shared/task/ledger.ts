import type { Run } from '../item/run';
import { inTurn, keysInTurn } from '../lib/turns';
import type { Trouble } from '../service/trouble';
import type { SubmitRequest } from '../service/videoApi';
import type { CallerTasks } from './callerTasks';
import { type Begun, INTERRUPTED, isLost } from './interrupted';
import { type NoTask, type Render, type RenderJob, toRender } from './render';
import { fingerprint, type PaidEntry, type PaidTask } from './wish';

/** Of a job, what it is known by; `request` is missing where it could not be read. */
type Sought = Pick<
	RenderJob,
	'itemIndex' | 'wish' | 'reuseTask' | 'failedTaskId' | 'wasUnclear'
> & { request: SubmitRequest | undefined };

/** What this node has paid for in this execution, so that a retry does not pay again. */
export interface Ledger {
	/** The job's task; or that it is unclear whether an earlier try made one. */
	find: (job: Sought) => Render | NoTask | undefined;
	/**
	 * Of these jobs, how many are still to be submitted, and how many videos count beside them: none,
	 * or all that an agent has had submitted in this execution, by calls under way, too.
	 */
	count: (jobs: Sought[]) => { wanted: number; before: number };
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

/**
 * n8n saves a node's context with the execution: it outlives Retry On Fail and "Retry execution".
 * Inside one execution a job is known by its run and item alone, whatever its expressions give now.
 * In a retried one it is the same wish if the person's words and the incoming item are the same, or
 * the request is: an edited prompt is another video. Each call of an agent's tool is a run of its
 * own, so there the same request is the same video, whichever call it comes with.
 */
export function createLedger(
	{ context, forAgent }: Run,
	baseUrl: string,
	callerTasks?: CallerTasks,
): Ledger {
	const store = context.getContext('node') as Begun & { paidTasks?: Record<string, PaidEntry[]> };
	const paidTasks = (store.paidTasks ??= {});
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const executionId = context.getExecutionId();
	const lost: NoTask | undefined = isLost(store, runIndex)
		? { state: 'unclear', trouble: INTERRUPTED }
		: undefined;

	const toOwn = ({ wish, request }: Sought) => ({
		executionId,
		wish: fingerprint([baseUrl, wish]),
		request: fingerprint([baseUrl, request]),
	});
	const keyOf = (job: Sought) =>
		forAgent ? `tool.${toOwn(job).request}` : `${runIndex}.${job.itemIndex}`;
	const entriesOf = (job: Sought) => paidTasks[keyOf(job)] ?? [];
	const entryOf = (job: Sought): PaidEntry | undefined => {
		const own = toOwn(job);
		const isSame = (entry: PaidEntry) =>
			(entry.executionId === executionId && !forAgent) ||
			entry.wish === own.wish ||
			entry.request === own.request;
		return entriesOf(job).filter(isSame).at(-1) ?? failedBefore(job);
	};
	/** What a sub-execution of an earlier try of the caller has paid for. */
	const takeFromCaller = (job: Sought): PaidEntry | undefined => {
		const taken = callerTasks?.take(toOwn(job), keyOf(job));
		if (!taken || !(job.reuseTask || 'unclear' in taken)) return undefined;
		const entry = { ...taken, ...toOwn(job) };
		paidTasks[keyOf(job)] = [...entriesOf(job), entry];
		return entry;
	};
	/** One that comes back from the error output of this node, in a later run of a loop. */
	const failedBefore = ({ failedTaskId, wasUnclear }: Sought) => {
		// Looking through all entries for each job would take long in a large batch.
		if (failedTaskId === undefined && !wasUnclear) return undefined;
		return Object.values(paidTasks)
			.flat()
			.find((entry) => ('task_id' in entry ? entry.task_id === failedTaskId : wasUnclear));
	};
	const add = (job: RenderJob, what: PaidTask | { unclear: Trouble }) => {
		const entry = { ...toOwn(job), ...what };
		paidTasks[keyOf(job)] = [...entriesOf(job), entry];
		callerTasks?.keep(entry, keyOf(job));
	};

	const find: Ledger['find'] = (job) => {
		const own = entryOf(job);
		if (!own && lost && job.reuseTask) return lost;
		const entry = own ?? takeFromCaller(job);
		if (!entry) return undefined;
		if ('unclear' in entry) return { state: 'unclear', trouble: entry.unclear };
		const failedEarlier = entry.failedIn !== undefined && entry.failedIn !== executionId;
		return failedEarlier || !job.reuseTask ? undefined : toReused(entry, job);
	};
	const countOfAgent = (jobs: Sought[]) => {
		const isOwn = (entry: PaidEntry) => entry.executionId === executionId;
		const paid = Object.values(paidTasks).flat().filter(isOwn).length;
		const same = jobs.map(keyOf);
		const underWay = keysInTurn(paidTasks).filter(
			(key) => !same.includes(key) && !paidTasks[key]?.some(isOwn),
		);
		return paid + underWay.length;
	};

	return {
		find,
		count: (jobs) => ({
			wanted: jobs.filter((job) => !find(job)).length,
			before: forAgent ? countOfAgent(jobs) : 0,
		}),
		keep: (job, { task: { task_id }, submittedAtMs }) =>
			add(job, { task_id, submitted_at: submittedAtMs }),
		keepUnclear: (job, trouble) => add(job, { unclear: trouble }),
		forget(job) {
			const entry = entryOf(job);
			if (!entry) return;
			callerTasks?.forget(entry, keyOf(job));
			if (forAgent && 'task_id' in entry) {
				entry.failedIn = executionId;
				return;
			}
			for (const [key, entries] of Object.entries(paidTasks)) {
				paidTasks[key] = entries.filter((one) => one !== entry);
				if (paidTasks[key].length === 0) delete paidTasks[key];
			}
		},
		inTurn: async (job, work) => await inTurn(paidTasks, keyOf(job), work),
	};
}

const toReused = ({ task_id, submitted_at }: PaidTask, { request }: Sought) =>
	toRender({ task_id, model: request?.model }, { submittedAtMs: submitted_at, reused: true });
