import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';
import * as workflowPackage from 'n8n-workflow';

import { summaryOf, toItems, toShown, type Results } from '../item/output';
import type { Run } from '../item/run';
import { toVideos } from '../item/words';
import type { RenderJob } from '../task/job';
import type { Render } from '../task/render';
import { MIN_SLEEP_S, toBatchItems, type BatchVideo, type SleepingJob } from './sleepingVideo';

/** What of a job only a submit needs; the request may hold pictures. */
const WITHOUT_REQUEST = {
	...{ requestFor: undefined, loadBytes: undefined, readRest: undefined, asked: undefined },
};
type ForSubmit = Partial<Pick<RenderJob, keyof typeof WITHOUT_REQUEST>>;

/**
 * Hands the renders that go on and the results so far to a sub-execution, which sleeps in n8n's database.
 * n8n suspends this execution and later resumes it with the items of the sub-execution. Resolves to
 * the items that n8n shows until then, or to why the node has to wait in process. Failing items
 * come last, because n8n's Retry On Fail looks at the first item only: if that one had failed, n8n
 * would run the node again during the sleep.
 */
export async function park(
	run: Run,
	rendering: Map<SleepingJob & ForSubmit, Render>,
	results: Results,
): Promise<{ items: INodeExecutionData[] } | { whyNot: string }> {
	const { context, report, stopsOnFailure, hasErrorOutput, clock } = run;
	const lastMs = endOfExecutionMs(run) - RESUME_MS;
	if (clock.now() + MIN_SLEEP_S * 1000 > lastMs) {
		return { whyNot: 'the workflow would end in the sleep (Timeout Workflow)' };
	}
	const videos: BatchVideo[] = [];
	const shown = results.map((result) => result && toShown(run, result));
	const toBatched = (itemIndex: number) => ({
		itemIndex,
		summary: summaryOf(run, itemIndex),
		incoming: hasErrorOutput ? run.items[itemIndex].binary : undefined,
	});
	shown.forEach((result, itemIndex) => {
		if (result) videos[itemIndex] = { ...toBatched(itemIndex), result };
	});
	const callerId = context.getExecutionId();
	for (const [wanted, render] of rendering) {
		const { itemIndex } = wanted;
		const workflowEnds = lastMs < render.deadlineMs!;
		const job = { ...wanted, ...WITHOUT_REQUEST, workflowEnds };
		const limited = { ...render, deadlineMs: Math.min(lastMs, render.deadlineMs!) };
		const rest = { callerId, stopsOnFailure, job, render: limited };
		videos[itemIndex] = { ...toBatched(itemIndex), ...rest };
	}
	try {
		const batch = toBatchItems(videos.flat(), run);
		const items = await startSubExecution(context, toKeeperWorkflow(run), batch);
		if (items) {
			// The Keeper has ended already: with its videos, or because it could not start the Checker.
			if (items.length === 0) return { whyNot: 'its sub-execution returned nothing' };
			const whyNot = items[0].json.not_started as string | undefined;
			return whyNot === undefined ? { items } : { whyNot };
		}
	} catch (error) {
		return { whyNot: (error as Error).message };
	}
	report.debug(`sleeping in the database until ${toVideos(rendering.size)} ended`);
	const isFailing = ({ json }: INodeExecutionData) => Number(json.error !== undefined);
	const items = toItems(run, shown).sort((one, other) => isFailing(one) - isFailing(other));
	return { items };
}

/** How long before the end of the execution the wait ends: it takes a check and two resumptions. */
const RESUME_MS = 60_000;

/** Returns when n8n cancels the execution: the limit of its workflow counts the sleep, too. */
function endOfExecutionMs({ context, clock }: Run): number {
	const { executionTimeout = 0 } = context.getWorkflowSettings();
	if (executionTimeout <= 0) return Infinity;
	// A retry has the context of the execution that it retries.
	const began = context.getMode() === 'retry' ? undefined : context.getExecutionContext();
	return (began?.establishedAt ?? clock.now()) + executionTimeout * 1000;
}

/** Returns why Durable is not possible here; `undefined` if it is. */
export function whyNotDurable({ context, forAgent }: Run): string | undefined {
	if (forAgent) return 'an AI agent is waiting for this tool';
	// n8n resumes an execution with its sub-execution's items since 2.0, with its error since 2.27,
	// and after its crash in 2.39.8 to 2.39.10 and since 2.41.0. Nodes cannot ask n8n's version, but
	// WAIT_FOR_SUB_EXECUTION came with the last of these changes. The n8n-workflow beside this
	// package may be newer than n8n, so a method of n8n itself must be there, too.
	if (!('WAIT_FOR_SUB_EXECUTION' in workflowPackage && 'onExecutionFinish' in context)) {
		return 'this version of n8n cannot resume the execution with the videos';
	}
	// n8n never starts a workflow that lacks a node type, but shows it as running forever.
	if (!(WAIT_NODE in context.getKnownNodeTypes())) {
		return 'this n8n instance has no Wait node to sleep in';
	}
	if (!context.getWorkflow().id) return 'the workflow is not saved';
	return isAnsweredByLastNode(context)
		? 'its trigger responds with the last node (use Respond to Webhook)'
		: undefined;
}

const RESPONDING_TRIGGERS = /\.(webhook|formTrigger|chatTrigger)$/;

/** Returns whether a webhook, form or chat responds with the last node, so at the first sleep. */
function isAnsweredByLastNode(context: IExecuteFunctions): boolean {
	const proxy = context.getWorkflowDataProxy(0);
	const parents = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return parents.some(({ name, type, parameters }) => {
		if (!RESPONDING_TRIGGERS.test(type) || !proxy.$(name).isExecuted) return false;
		const { responseMode, options } = (parameters ?? {}) as IDataObject;
		const chosen = responseMode ?? (options as IDataObject | undefined)?.responseMode;
		return (chosen ?? (type.endsWith('chatTrigger') ? 'lastNode' : undefined)) === 'lastNode';
	});
}

/** Says why the node waits in process although Durable is chosen. */
export function sayNotDurable({ report }: Run, why: string): void {
	const message = `Durable is not possible; the node waits in process: ${why}.`;
	report.warn(message);
	report.hint(message, 'warning');
}

export const START = 'Submitted Videos';
export const RETURN_STEP = 'Return Videos';

/** The Checker sleeps in this node; an n8n instance may lack it (NODES_EXCLUDE). */
const WAIT_NODE = 'n8n-nodes-base.wait';

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
function toKeeperWorkflow({ context, name, stopsOnFailure }: Run): IWorkflowBase {
	const caller = context.getNode();
	return toWorkflow(
		`${name}: wait for videos`,
		{
			...toStep(caller, 'Wait for Renders', 'launch', 1),
			onError: 'continueRegularOutput',
			// If n8n saves progress, a Checker that died after its check returns no items. The next
			// step must run all the same.
			alwaysOutputData: true,
		},
		{
			...toStep(caller, RETURN_STEP, 'return', 2),
			// Failing items leave by the first output: n8n sorts them behind the caller's node.
			...(stopsOnFailure ? {} : { onError: 'continueRegularOutput' as const }),
		},
	);
}

/** Returns the workflow of the Checker, the sub-execution that sleeps and checks. */
export const toCheckerWorkflow = (caller: INode): IWorkflowBase =>
	toWorkflow(
		`${caller.name}: sleep and check`,
		{
			...toPlace('Sleep', 1),
			type: WAIT_NODE,
			typeVersion: 1.1,
			parameters: {
				resume: 'timeInterval',
				amount: '={{ $json.sleep_seconds }}',
				unit: 'seconds',
			},
		},
		toStep(caller, 'Check Videos', 'check', 2),
	);

/** Returns a Video Status node, with the caller's package name, because n8n may change that. */
const toStep = (caller: INode, name: string, durableStep: string, column: number): INode => ({
	...toPlace(name, column),
	type: caller.type.replace(/[^.]+$/, 'videoStatus'),
	typeVersion: 1,
	parameters: { durableStep },
	credentials: caller.credentials,
});

const toPlace = (name: string, column: number) => ({
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
		...toPlace(START, 0),
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
