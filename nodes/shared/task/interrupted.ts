import type { IRunExecutionData } from 'n8n-workflow';

import type { Run } from '../item/run';
import type { Trouble } from '../service/trouble';

/** What a node's context knows of its runs; it also holds what was paid for. */
export interface Begun {
	/** The last run that began, and the execution that it began in. */
	begun?: { executionId: string; runIndex: number };
	/** Runs whose tasks n8n did not store, because the execution was killed or stopped meanwhile. */
	lostRuns?: 'all' | number[];
}

/** Says why such a run submits no video. */
export const INTERRUPTED: Trouble = {
	message:
		'This execution retries one that was killed or stopped, and n8n has not stored what that one had paid for',
	description:
		'n8n\'s log contains the IDs that were known by then ("item 0 is video task ..."), and the custom data of a stopped execution does, too: Video Status and Video Download take them. To submit the video in any case, start a new execution, or switch Reuse Paid Task on Retry off and retry with the currently saved workflow.',
	retryable: false,
};

/**
 * Notes in the node's context that a run begins; if the execution is a retry, finds the runs that
 * were lost. n8n stores the context of an execution that ends by itself, failed or not. So the
 * retried execution was killed or stopped if n8n knows that the node had begun and the context does
 * not, or if the whole execution left nothing behind. Its paid tasks are then not in the ledger.
 */
export async function noteBegin({ context, name }: Run): Promise<void> {
	const store = context.getContext('node') as Begun;
	const executionId = context.getExecutionId();
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
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
): Begun['lostRuns'] {
	const beginsHere = executionData?.nodeExecutionStack[0]?.node.name === name;
	// For a killed execution, n8n finds in its event log which nodes had begun, and adds a failed run
	// for them. The retry drops that run; the node's name stays.
	if (lastBegun < 0 && runData[name] !== undefined) return beginsHere ? [runIndex] : 'all';
	// Stopped, or killed without an event log: n8n has only the data from the beginning.
	if (Object.keys(runData).length === 0) return 'all';
	// If n8n saves progress, the retry goes on in the node that the execution was in. That node
	// failed by itself if the context knows this very run. Each retry counts nodes from the start
	// again, so nodes have run in a retry if the count falls back.
	const inOrder = Object.values(runData)
		.flat()
		.sort((a, b) => a.startTime - b.startTime || a.executionIndex - b.executionIndex);
	const hasRunSince = inOrder.some(
		(run, i) => i > 0 && run.executionIndex <= inOrder[i - 1].executionIndex,
	);
	return beginsHere && !hasRunSince && lastBegun < runIndex ? [runIndex] : undefined;
}
