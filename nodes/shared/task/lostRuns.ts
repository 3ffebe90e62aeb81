import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { claim } from '../n8n/claim';
import type { Run } from '../n8n/run';

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
	if (!stored) return;
	const isFirst = await noteRetry(context, begun ?? findStart(stored), runIndex).catch((error) => {
		// The next try of Retry On Fail has to note it first, too.
		store.begun = begun;
		throw error;
	});
	const lost = isFirst ? findLostRuns(stored, name, runIndex, begun?.runIndex ?? -1) : 'all';
	if (lost) store.lostRuns = lost === 'all' || earlier === 'all' ? 'all' : [...earlier, ...lost];
}

/**
 * Returns whether no other retry began the node from this state. n8n stores nothing of a retry that is killed
 * or stopped, and gives the same data to the next one, or to several at once.
 */
async function noteRetry(
	context: IExecuteFunctions,
	state: BegunRuns['begun'] | number,
	runIndex: number,
): Promise<boolean> {
	if (state === undefined) return true;
	return await claim(context, `run ${runIndex} of a retry from ${JSON.stringify(state)}`);
}

/** Returns when the first node of the retried execution began: that tells it from others. */
const findStart = ({ resultData: { runData = {} } }: IRunExecutionData): number | undefined =>
	Object.values(runData)
		.flatMap((runs) => runs.map(({ startTime }) => startTime))
		.sort((one, other) => one - other)[0];

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
