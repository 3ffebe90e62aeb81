import type { IRunExecutionData } from 'n8n-workflow';

import type { Run } from '../item/run';
import { toIso, toItemName } from '../item/words';

/** What the node's context tells of the runs that began. */
export interface BegunRuns {
	/** The last run that began, and the execution that it began in. */
	begun?: { executionId: string; runIndex: number };
	/** Runs whose tasks n8n did not store, because the execution was killed or stopped meanwhile. */
	lostRuns?: 'all' | number[];
}

/**
 * Notes in the node's context that a run begins; if the execution is a retry, finds the runs that
 * were lost. n8n stores the context of an execution that ends by itself, failed or not. So the
 * retried execution was killed or stopped if n8n knows that the node had begun and the context does
 * not, or if the whole execution left nothing behind.
 */
export async function noteBegin({ context, name, runIndex }: Run): Promise<void> {
	const store = context.getContext('node') as BegunRuns;
	const executionId = context.getExecutionId();
	const { begun, lostRuns: earlier = [] } = store;
	store.begun = { executionId, runIndex };
	if (context.getMode() !== 'retry' || begun?.executionId === executionId) return;
	const stored = await context.getExecutionDataById(executionId).catch(() => undefined);
	const lost = stored && findLostRuns(stored, name, runIndex, begun?.runIndex ?? -1);
	if (lost) store.lostRuns = lost === 'all' || earlier === 'all' ? 'all' : [...earlier, ...lost];
}

/**
 * @param stored n8n's data on the retry: its start, and each node since if n8n saves progress
 * @param runIndex the run that begins now
 * @param lastBegun the last run that the context knows
 */
function findLostRuns(
	{ resultData: { runData = {} }, executionData }: IRunExecutionData,
	name: string,
	runIndex: number,
	lastBegun: number,
): BegunRuns['lostRuns'] {
	const beginsHere = executionData?.nodeExecutionStack[0]?.node.name === name;
	// For a killed execution, n8n finds in its event log which nodes had begun, and adds a failed run
	// for them. The retry drops that run; the node's name stays.
	if (lastBegun < 0 && runData[name] !== undefined) return beginsHere ? [runIndex] : 'all';
	// Stopped, or killed without an event log: n8n has only the data from the beginning.
	if (Object.keys(runData).length === 0) return 'all';
	// If n8n saves progress, the retry goes on in the node that the execution was in. If the context
	// knows this very run, that node failed by itself. n8n numbers nodes anew in each retry, so a
	// number that falls back shows that nodes have already run in a retry.
	const inOrder = Object.values(runData)
		.flat()
		.sort((a, b) => a.startTime - b.startTime || a.executionIndex - b.executionIndex);
	const hasRunSince = inOrder.some(
		(run, i) => i > 0 && run.executionIndex <= inOrder[i - 1].executionIndex,
	);
	return beginsHere && !hasRunSince && lastBegun < runIndex ? [runIndex] : undefined;
}

/** n8n keeps ten entries per execution; one is for the note below, one for the workflow's owner. */
const KEYS = Array.from({ length: 8 }, (_, i) => `video_task_ids${i === 0 ? '' : `_${i + 1}`}`);
/**
 * n8n stores 512 characters of a value, and complains in its log above 255. The longer limit is
 * used only once all entries have reached the shorter one. Together they hold about 100 IDs.
 */
const MAX_VALUE_CHARS = [255, 512];
const STOP_NOTE =
	'Stopped. Renders in progress continue and are billed: follow their task IDs with Video Status.';

/**
 * Notes an item's task, and saves its ID where it outlives the run: in n8n's log, and in the
 * execution's custom data, by which the executions list can be searched. n8n stores nothing else of a
 * stopped run: neither the node's output nor its context.
 *
 * @param otherIds are saved, too
 */
export function saveTaskId(
	run: Run,
	itemIndex: number,
	task_id: string,
	otherIds: string[] = [],
): void {
	run.taskIds.set(itemIndex, task_id);
	for (const id of [task_id, ...otherIds]) saveId(run, itemIndex, id);
}

function saveId(run: Run, itemIndex: number, task_id: string): void {
	const { context, clock } = run;
	// n8n's console shows no time.
	const where = `execution ${context.getExecutionId()} of workflow ${context.getWorkflow().id}`;
	run.report.info(
		`${toItemName(itemIndex)} is video task ${task_id} (${where}, ${toIso(clock.now())})`,
	);
	const shown = run.redaction.redact(task_id);
	inCustomData(run, 'the task ID', (data) => {
		if (KEYS.some((key) => data.get(key)?.split(',').includes(shown))) return;
		for (const maxChars of MAX_VALUE_CHARS) {
			for (const key of KEYS) {
				const ids = data.get(key);
				const joined = ids ? `${ids},${shown}` : shown;
				// An ID is never cut: one that fits nowhere is only in the log and in the item.
				if (joined.length <= maxChars) return void data.set(key, joined);
			}
		}
	});
}

/**
 * Adds a note about the renders to the IDs of a stopped run. The note must be written during the
 * stop event itself: n8n stores the run right after it, and shows no hint of a stopped node.
 * @returns a function that removes the listener
 */
export function noteStop(run: Run): () => void {
	const note = () =>
		inCustomData(run, 'the note about the renders', (data) => data.set('video_note', STOP_NOTE));
	run.stop.addEventListener('abort', note, { once: true });
	return () => run.stop.removeEventListener('abort', note);
}

/** Only warns if writing fails: a paid run must not end over this. */
function inCustomData(run: Run, what: string, write: (data: Map<string, string>) => unknown): void {
	try {
		// Of n8n's custom data, only the `get` and `set` of a map are used.
		write(run.context.getWorkflowDataProxy(0).$execution.customData as Map<string, string>);
	} catch (error) {
		const { message } = error as Error;
		run.report.warn(`could not write ${what} to the custom data of the execution: ${message}`);
	}
}
