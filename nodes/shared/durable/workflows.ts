import type { IConnections, INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

/** What a step of a sub-execution does; the hidden parameter of Video Status. */
export type DurableStep = 'check' | 'launch' | 'return' | 'submit';

export const START = 'Submitted Videos';
export const UNSUBMITTED_START = 'Videos to Submit';
export const SUBMIT_STEP = 'Submit Videos';
export const RENDERS_STEP = 'Wait for Renders';
export const RETURN_STEP = 'Return Videos';

/** What the Checker sleeps in; an instance can be without it (NODES_EXCLUDE). */
export const WAIT_NODE = 'n8n-nodes-base.wait';

/**
 * The Checker, the sub-execution that sleeps and checks: Start -> Sleep -> Check Videos -> Sleep.
 * People read it in the executions list, so its nodes have names that say what happens.
 */
export const toCheckerWorkflow = (caller: INode): IWorkflowBase =>
	toWorkflow(
		`${caller.name}: sleep and check`,
		[
			start(),
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

/**
 * The Submitter, only there with Crash-Safe Submit: Start -> Submit Videos, chunk by chunk -> Wait for
 * Renders, which launches the Checker. n8n stores it after each chunk. A chunk leaves by the first
 * output, because that is the one that n8n hands over of an execution that has crashed.
 */
export const toSubmitterWorkflow = (caller: INode, stopsOnFailure: boolean): IWorkflowBase => {
	const workflow = toWorkflow(
		`${caller.name}: submit videos`,
		[
			start(UNSUBMITTED_START),
			{
				...step(caller, SUBMIT_STEP, 'submit', 1),
				...(stopsOnFailure ? {} : { onError: 'continueRegularOutput' as const }),
			},
			waitForRenders(caller, 2),
		],
		{
			[UNSUBMITTED_START]: { main: [[to(SUBMIT_STEP)]] },
			[SUBMIT_STEP]: { main: [[to(SUBMIT_STEP)], [to(RENDERS_STEP)]] },
		},
	);
	return { ...workflow, settings: { ...workflow.settings, saveExecutionProgress: true } };
};

/**
 * The Keeper, the sub-execution that the caller waits for. It launches the Checker, or the
 * Submitter, and launches it again where n8n died in the middle of it: n8n marks such an execution
 * as crashed and resumes what waits for it, and the caller's own node cannot go on from there.
 */
export const toKeeperWorkflow = (caller: INode, startName = START): IWorkflowBase =>
	toWorkflow(
		`${caller.name}: wait for videos`,
		[
			start(startName),
			waitForRenders(caller, 1),
			{
				...step(caller, RETURN_STEP, 'return', 2),
				// Failing items leave by the first output, as the caller itself sorts them.
				...(stops(caller) ? {} : { onError: 'continueRegularOutput' as const }),
			},
		],
		{
			[startName]: { main: [[to(RENDERS_STEP)]] },
			[RENDERS_STEP]: { main: [[to(RETURN_STEP)]] },
			[RETURN_STEP]: { main: [[], [to(RENDERS_STEP)]] },
		},
	);

const waitForRenders = (caller: INode, column: number): INode => ({
	...step(caller, RENDERS_STEP, 'launch', column),
	onError: 'continueRegularOutput',
	// Where n8n saves progress, one that died after its check leaves nothing: go on all the same.
	alwaysOutputData: true,
});

/** On Error, and the setting that it was before. */
const stops = ({ onError, continueOnFail }: INode) =>
	onError === undefined ? continueOnFail !== true : onError === 'stopWorkflow';

const to = (node: string) => ({ node, type: 'main' as const, index: 0 });

const place = (name: string, column: number) => ({
	id: name.toLowerCase().replaceAll(' ', '-'),
	name,
	position: [column * 240, 0] as [number, number],
});

const start = (name = START): INode => ({
	...place(name, 0),
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
});

/** Video Status of this package, whatever n8n calls the package, with the caller's credential. */
const step = (caller: INode, name: string, durableStep: DurableStep, column: number): INode => ({
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
