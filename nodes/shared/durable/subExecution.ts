import type { IExecuteFunctions, INode, INodeExecutionData, IWorkflowBase } from 'n8n-workflow';

import type { Run } from '../n8n/run';

export const START = 'Submitted Videos';
export const RETURN_STEP = 'Return Videos';

/** The Checker sleeps in this node; an n8n instance may lack it (NODES_EXCLUDE). */
export const WAIT_NODE = 'n8n-nodes-base.wait';

/** Where a sub-execution differs from the settings of the caller's workflow. */
const OVERRULED = {
	executionOrder: 'v1',
	// n8n resumes the caller from what it has saved of these executions, and deletes an execution that
	// it does not save at once, with the downloaded files. No node can delete one later.
	saveDataSuccessExecution: 'all',
	saveDataErrorExecution: 'all',
	// The narrowest policy under which n8n lets a workflow call itself.
	callerPolicy: 'workflowsFromSameOwner',
	// The failure of the caller itself calls it.
	errorWorkflow: undefined,
	// The steps hand files on beside their JSON.
	binaryMode: undefined,
} as const;

/**
 * Starts a sub-workflow given as code. Resolves to the items of its last node, or to `undefined` if
 * it sleeps. In that case n8n also suspends the caller's execution, and resumes it with those items
 * as the output of the calling node, which does not run again.
 */
export async function startSubExecution(
	context: IExecuteFunctions,
	workflow: IWorkflowBase,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[] | undefined> {
	const { id: workflowId = '' } = context.getWorkflow();
	const parentExecution = { executionId: context.getExecutionId(), workflowId, shouldResume: true };
	const options = { parentExecution, executionMode: context.getMode() };
	const code = { ...workflow, settings: { ...context.getWorkflowSettings(), ...OVERRULED } };
	const ended = await context.executeWorkflow({ code }, items, undefined, options);
	return ended.waitTill ? undefined : (ended.data[0] ?? []);
}

/**
 * Returns the workflow of the Keeper, the sub-execution that the caller waits for. The Keeper
 * launches the Checker, and launches it again if n8n dies during a check: n8n then marks the
 * Checker as crashed and resumes the Keeper. The caller could not do this, because n8n does not run
 * its node again.
 */
export function toKeeperWorkflow({ context, name, stopsOnFailure }: Run): IWorkflowBase {
	const caller = context.getNode();
	const launch: INode = {
		...toStep(caller, 'Wait for Renders', 'launch', 1),
		onError: 'continueRegularOutput',
		// If n8n saves progress, a Checker that died after its check returns no items. The next
		// step must run all the same.
		alwaysOutputData: true,
	};
	const give = toStep(caller, RETURN_STEP, 'return', 2);
	// Failing items leave by the first output: n8n sorts them behind the caller's node.
	if (!stopsOnFailure) give.onError = 'continueRegularOutput';
	return toWorkflow(`${name}: wait for videos`, launch, give);
}

/** Returns the workflow of the Checker, the sub-execution that sleeps and checks. */
export function toCheckerWorkflow(caller: INode): IWorkflowBase {
	const sleep: INode = {
		...toPosition('Sleep', 1),
		type: WAIT_NODE,
		typeVersion: 1.1,
		parameters: { resume: 'timeInterval', amount: '={{ $json.sleep_seconds }}', unit: 'seconds' },
	};
	const check = toStep(caller, 'Check Videos', 'check', 2);
	return toWorkflow(`${caller.name}: sleep and check`, sleep, check);
}

/** Returns a Video Status node, with the caller's package name, because n8n may change that. */
const toStep = (caller: INode, name: string, durableStep: string, column: number): INode => ({
	...toPosition(name, column),
	type: caller.type.replace(/[^.]+$/, 'videoStatus'),
	typeVersion: 1,
	parameters: { durableStep },
	credentials: caller.credentials,
});

const toPosition = (name: string, column: number) => ({
	id: name.toLowerCase().replaceAll(' ', '-'),
	name,
	position: [column * 240, 0] as [number, number],
});

/**
 * Returns a workflow of three nodes: start -> `one` -> `other`. The second output of `other` leads
 * back to `one`. People see the workflow in the executions list, so its nodes are named after what
 * they do. Its ID is empty: n8n then takes the caller's, and with it the caller's credentials.
 */
function toWorkflow(name: string, one: INode, other: INode): IWorkflowBase {
	const start: INode = {
		...toPosition(START, 0),
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const to = (node: INode) => [{ node: node.name, type: 'main' as const, index: 0 }];
	const now = new Date();
	return {
		...{ id: '', name, active: false, activeVersionId: null, isArchived: false },
		...{ createdAt: now, updatedAt: now },
		nodes: [start, one, other],
		connections: {
			[start.name]: { main: [to(one)] },
			[one.name]: { main: [to(other)] },
			[other.name]: { main: [[], to(one)] },
		},
	};
}
