import type {
	IConnections,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWorkflowBase,
	IWorkflowSettings,
} from 'n8n-workflow';

export const START = 'Submitted Videos';
export const RETURN_STEP = 'Return Videos';

/** The Checker sleeps in this node; an n8n instance may lack it (NODES_EXCLUDE). */
export const WAIT_NODE = 'n8n-nodes-base.wait';

/**
 * Starts an inline sub-workflow and resolves to the items of its last node; to `undefined` if it
 * sleeps. n8n then suspends this execution, too, and resumes it with those items; the calling node
 * does not run again.
 */
export async function startSubExecution(
	context: IExecuteFunctions,
	code: IWorkflowBase,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[] | undefined> {
	const parentExecution = {
		executionId: context.getExecutionId(),
		workflowId: context.getWorkflow().id ?? '',
		shouldResume: true,
	};
	const options = { parentExecution, executionMode: context.getMode() };
	const ended = await context.executeWorkflow({ code }, items, undefined, options);
	return ended.waitTill ? undefined : (ended.data[0] ?? []);
}

/**
 * Returns the Keeper, the sub-execution that the caller waits for. It launches the Checker, and
 * launches it again if n8n dies during a check: n8n then marks the Checker as crashed and resumes
 * the execution that waits for it. The caller's own node could not go on from there.
 */
export const toKeeperWorkflow = (caller: INode): IWorkflowBase =>
	toWorkflow(
		`${caller.name}: wait for videos`,
		[
			start,
			{
				...step(caller, 'Wait for Renders', 'launch', 1),
				onError: 'continueRegularOutput',
				// If n8n saves progress, a Checker that died after its check returns no items: go on
				// without them.
				alwaysOutputData: true,
			},
			{
				...step(caller, RETURN_STEP, 'return', 2),
				// Failing items leave by the first output, because the caller sorts them itself.
				...(stops(caller) ? {} : { onError: 'continueRegularOutput' as const }),
			},
		],
		{
			[START]: { main: [[to('Wait for Renders')]] },
			'Wait for Renders': { main: [[to(RETURN_STEP)]] },
			[RETURN_STEP]: { main: [[], [to('Wait for Renders')]] },
		},
	);

/**
 * Returns the Checker, the sub-execution that sleeps and checks: Start -> Sleep -> Check Videos ->
 * Sleep. People see it in the executions list, so the names of its nodes say what happens.
 */
export const toCheckerWorkflow = (caller: INode): IWorkflowBase =>
	toWorkflow(
		`${caller.name}: sleep and check`,
		[
			start,
			{
				...place('Sleep', 1),
				type: WAIT_NODE,
				typeVersion: 1.1,
				parameters: {
					resume: 'timeInterval',
					amount: '={{ $json.sleep_seconds }}',
					unit: 'seconds',
				},
			},
			step(caller, 'Check Videos', 'check', 2),
		],
		{
			[START]: { main: [[to('Sleep')]] },
			Sleep: { main: [[to('Check Videos')]] },
			'Check Videos': { main: [[], [to('Sleep')]] },
		},
	);

/** Returns whether a failure stops the workflow, by On Error or the older `continueOnFail`. */
const stops = ({ onError, continueOnFail }: INode) =>
	onError === undefined ? continueOnFail !== true : onError === 'stopWorkflow';

const to = (node: string) => ({ node, type: 'main' as const, index: 0 });

const place = (name: string, column: number) => ({
	id: name.toLowerCase().replaceAll(' ', '-'),
	name,
	position: [column * 240, 0] as [number, number],
});

const start: INode = {
	...place(START, 0),
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/** Returns a Video Status node; its type comes from the caller's, as n8n may rename the package. */
const step = (caller: INode, name: string, durableStep: string, column: number): INode => ({
	...place(name, column),
	type: caller.type.replace(/[^.]+$/, 'videoStatus'),
	typeVersion: 1,
	parameters: { durableStep },
	credentials: caller.credentials,
});

/**
 * These executions are always saved, whatever the instance or the workflow says: n8n resumes the
 * caller from the saved data, and downloaded files belong to the execution that fetched them. They
 * have no time limit, because sleeping takes long.
 */
const SETTINGS: IWorkflowSettings = {
	executionOrder: 'v1',
	saveDataSuccessExecution: 'all',
	saveDataErrorExecution: 'all',
	saveManualExecutions: true,
	executionTimeout: -1,
	callerPolicy: 'any',
};

/**
 * Returns a workflow with an empty ID: n8n then uses the caller's, and with it the credentials that
 * the caller may use.
 */
function toWorkflow(name: string, nodes: INode[], connections: IConnections): IWorkflowBase {
	const now = new Date();
	return {
		id: '',
		name,
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes,
		connections,
		settings: SETTINGS,
	};
}
