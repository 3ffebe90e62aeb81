import type { IRunExecutionData } from 'n8n-workflow';

import type { Run } from '../item/run';
import type { Trouble } from '../service/trouble';

/** The runs of a node that its context knows of, beside what was paid for. */
export interface Begun {
	/** The last run that began, and the execution it began in. */
	begun?: { executionId: string; runIndex: number };
	/** Runs whose tasks n8n has not stored, because the execution was killed or stopped in them. */
	lostRuns?: 'all' | number[];
}

/** Says why a video is not submitted in such a run. */
export const INTERRUPTED: Trouble = {
	message:
		'This execution retries one that was killed or stopped, and n8n has not stored what that one had paid for',
	description:
		'n8n\'s log contains the IDs that were known by then ("item 0 is video task ..."), and the custom data of a stopped execution does, too: Video Status and Video Download take them. To submit the video in any case, start a new execution, or switch Reuse Paid Task on Retry off and retry with the currently saved workflow.',
	retryable: false,
};

/**
 * Notes in the node's context that a run begins, and looks back where the execution is a retry. n8n
 * stores the context of an execution that ends by itself, failed or not. So where n8n knows that the
 * node had begun and the context does not, or where the whole execution left nothing behind, it was
 * killed or stopped, and what it had paid for is not in the ledger.
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
	if (!lost) return;
	store.lostRuns = lost === 'all' || earlier === 'all' ? 'all' : [...earlier, ...lost];
}

export const isLost = ({ lostRuns = [] }: Begun, runIndex: number) =>
	lostRuns === 'all' || lostRuns.includes(runIndex);

/**
 * @param stored what n8n has of the retry: what it began with, and each node since if it saves progress
 * @param runIndex the run that begins now
 * @param lastBegun the last run that the context knows
 */
function findLostRuns(
	{ resultData: { runData = {} }, executionData }: IRunExecutionData,
	name: string,
	runIndex: number,
	lastBegun: number,
): 'all' | number[] | undefined {
	const beginsHere = executionData?.nodeExecutionStack[0]?.node.name === name;
	// Of a killed execution n8n looks up in its event log which nodes had begun. What it takes for a
	// failed run is dropped by the retry; the node's name stays.
	if (lastBegun < 0 && runData[name] !== undefined) return beginsHere ? [runIndex] : 'all';
	// Stopped, or killed without an event log: n8n has what it had at the beginning.
	if (Object.keys(runData).length === 0) return 'all';
	// With its progress saved it goes on in the node that it was in; that one failed by itself if the
	// context knows this very run. n8n counts nodes anew in each retry, so where the count falls back,
	// nodes have run in one.
	const inOrder = Object.values(runData)
		.flat()
		.sort((a, b) => a.startTime - b.startTime || a.executionIndex - b.executionIndex);
	const hasRunSince = inOrder.some(
		(run, i) => i > 0 && run.executionIndex <= inOrder[i - 1].executionIndex,
	);
	return beginsHere && !hasRunSince && lastBegun < runIndex ? [runIndex] : undefined;
}
