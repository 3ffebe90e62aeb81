import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import * as workflowPackage from 'n8n-workflow';

import {
	MIN_SLEEP_S,
	toBatchItems,
	type BatchVideo,
	type SleepingJob,
} from '../shared/durable/sleepingVideo';
import { startSubExecution, toKeeperWorkflow, WAIT_NODE } from '../shared/durable/subExecution';
import { toVideos } from '../shared/lib/text';
import { summaryOf, toItems, toShown, type Results } from '../shared/n8n/output';
import type { Run } from '../shared/n8n/run';
import type { RenderJob } from '../shared/task/job';
import type { Render } from '../shared/task/render';

/** What of a job only a submit needs; the request may hold pictures. */
const WITHOUT_REQUEST = { request: undefined, asked: undefined };
type ForSubmit = Partial<Pick<RenderJob, keyof typeof WITHOUT_REQUEST>>;

/** How long before the end of the execution the wait ends: it takes a check and two resumptions. */
const RESUME_MS = 60_000;

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
	const { clock, context, hasErrorOutput, report, stopsOnFailure } = run;
	const lastMs = endOfExecutionMs(run) - RESUME_MS;
	if (clock.now() + MIN_SLEEP_S * 1000 > lastMs) {
		return { whyNot: 'the workflow would end in the sleep (Timeout Workflow)' };
	}
	const shown = results.map((result) => result && toShown(run, result));
	const videos: BatchVideo[] = [];
	const toBatched = (itemIndex: number) => ({
		itemIndex,
		summary: summaryOf(run, itemIndex),
		incoming: hasErrorOutput ? run.items[itemIndex].binary : undefined,
	});
	for (const [itemIndex, result] of shown.entries()) {
		if (result) videos[itemIndex] = { ...toBatched(itemIndex), result };
	}
	for (const [{ itemIndex, ...wanted }, { deadlineMs = Infinity, ...rest }] of rendering) {
		const job = { ...wanted, ...WITHOUT_REQUEST, itemIndex, workflowEnds: lastMs < deadlineMs };
		const render = { ...rest, deadlineMs: Math.min(lastMs, deadlineMs) };
		videos[itemIndex] = { ...toBatched(itemIndex), stopsOnFailure, job, render };
	}
	try {
		const batch = toBatchItems(videos.flat(), run);
		const items = await startSubExecution(context, toKeeperWorkflow(run), batch);
		if (items) return { items };
	} catch (error) {
		return { whyNot: (error as Error).message };
	}
	report.debug(`sleeping in the database until ${toVideos(rendering.size)} ended`);
	const isFailing = ({ json }: INodeExecutionData) => Number(json.error !== undefined);
	const items = toItems(run, shown).sort((one, other) => isFailing(one) - isFailing(other));
	return { items };
}

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
