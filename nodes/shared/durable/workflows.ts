import type {
	ExecuteWorkflowData,
	IConnections,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWorkflowBase,
	IWorkflowSettings,
} from 'n8n-workflow';

export const START = 'Submitted Videos';
export const RETURN_STEP = 'Return Videos';

/** The Checker sleeps in this node; an instance can be without it (NODES_EXCLUDE). */
export const WAIT_NODE = 'n8n-nodes-base.wait';

/**
 * Starts an inline sub-workflow that this execution waits for. Where it sleeps, n8n parks this
 * execution, too (`waitTill` is set), and resumes it with the items of the sub-workflow's last
 * node; the node that called is not run again then.
 */
export async function startSubExecution(
	context: IExecuteFunctions,
	code: IWorkflowBase,
	items: INodeExecutionData[],
): Promise<ExecuteWorkflowData> {
	const parentExecution = {
		executionId: context.getExecutionId(),
		workflowId: context.getWorkflow().id ?? '',
		shouldResume: true,
	};
	const options = { parentExecution, executionMode: context.getMode() };
	return await context.executeWorkflow({ code }, items, undefined, options);
}

/**
 * The Keeper, the sub-execution that the caller waits for. It launches the Checker, and launches it
 * again where n8n died in the middle of it: n8n marks such an execution as crashed and resumes what
 * waits for it, and the caller's own node cannot go on from there.
 */
export const toKeeperWorkflow = (caller: INode): IWorkflowBase =>
	toWorkflow(
		`${caller.name}: wait for videos`,
		[
			start,
			{
				...step(caller, 'Wait for Renders', 'launch', 1),
				onError: 'continueRegularOutput',
				// Where n8n saves progress, one that died after its check leaves nothing: go on all the same.
				alwaysOutputData: true,
			},
			{
				...step(caller, RETURN_STEP, 'return', 2),
				// Failing items leave by the first output, as the caller itself sorts them.
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
 * The Checker, the sub-execution that sleeps and checks: Start -> Sleep -> Check Videos -> Sleep.
 * People read it in the executions list, so its nodes have names that say what happens.
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

/** On Error, and the setting that it was before. */
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

/** Video Status of this package, whatever n8n calls the package, with the caller's credential. */
const step = (
	caller: INode,
	name: string,
	durableStep: 'check' | 'launch' | 'return',
	column: number,
): INode => ({
	...place(name, column),
	type: caller.type.replace(/[^.]+$/, 'videoStatus'),
	typeVersion: 1,
	parameters: { durableStep },
	credentials: caller.credentials,
});

/**
 * Saved whatever the instance or the workflow says: n8n resumes the caller from the saved data, and
 * downloaded files belong to the execution that fetched them. No time limit: sleeping takes long.
 */
const SETTINGS: IWorkflowSettings = {
	executionOrder: 'v1',
	saveDataSuccessExecution: 'all',
	saveDataErrorExecution: 'all',
	saveManualExecutions: true,
	executionTimeout: -1,
	callerPolicy: 'any',
};

/** Without an id n8n gives it the caller's, and with it the credentials that the caller may use. */
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
		settings: { ...SETTINGS },
	};
}
