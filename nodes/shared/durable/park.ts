import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import * as workflowPackage from 'n8n-workflow';

import { toItem, toShown, type Results } from '../item/output';
import type { Run } from '../item/run';
import { toVideos } from '../task/batchReport';
import type { Render } from '../task/render';
import { toBatchItems, type BatchVideo, type SleepingJob } from './sleepingVideo';
import { startSubExecution, toKeeperWorkflow, WAIT_NODE } from './workflows';

/**
 * Moves the open renders, with the results already known, into a sub-execution that sleeps in n8n's
 * database. n8n suspends this execution and later resumes it with the items of the sub-execution.
 * Resolves to the items that n8n shows meanwhile, or to why n8n cannot do this. Failing items come
 * last: if the first item failed, n8n's Retry On Fail would run the node again while this wait
 * sleeps.
 */
export async function park(
	run: Run,
	open: Map<SleepingJob & { request: unknown }, Render>,
	results: Results,
): Promise<{ items: INodeExecutionData[] } | { whyNot: string }> {
	const { context, report, stopsOnFailure } = run;
	const videos: BatchVideo[] = [];
	results.forEach((result, itemIndex) => {
		if (result) videos[itemIndex] = { itemIndex, result };
	});
	const callerId = context.getExecutionId();
	for (const [wanted, render] of open) {
		const { itemIndex } = wanted;
		// n8n does not run a node again that fails after a sleep, so no retry picks the task up.
		const job = { ...wanted, request: undefined, reuseTask: false };
		videos[itemIndex] = { itemIndex, callerId, stopsOnFailure, job, render };
	}
	try {
		const batch = toBatchItems(videos.flat(), run);
		const items = await startSubExecution(context, toKeeperWorkflow(context.getNode()), batch);
		if (items) {
			// The sub-execution ended without sleeping, or the Checker could not be started.
			if (items.length === 0) return { whyNot: 'its sub-execution returned nothing' };
			const whyNot = items[0].json.not_started as string | undefined;
			return whyNot === undefined ? { items } : { whyNot };
		}
	} catch (error) {
		return { whyNot: (error as Error).message };
	}
	report.debug(`sleeping in the database until ${toVideos(open.size)} ended`);
	const isOpen = ({ json }: INodeExecutionData) => json.error === undefined;
	const shown = results.map((result) => result && toShown(run, result));
	const items = shown.flatMap((result, item) => (result ? [toItem(result, item)] : []));
	return { items: [...items.filter(isOpen), ...items.filter((item) => !isOpen(item))] };
}

/** Returns why Durable is not possible here; `undefined` if it is. */
export function whyNotDurable({ context, forAgent }: Run): string | undefined {
	if (forAgent) return 'an AI agent is waiting for this tool';
	// n8n resumes an execution with the items of the sub-execution that it waited for since 2.0, with
	// its error since 2.27, and after a crash in 2.39.8 to 2.39.10 and from 2.41.0. It does not tell
	// nodes its version, but this export arrived with the last of the three. The n8n-workflow beside
	// this package may be newer than n8n, so a method from n8n itself is checked, too.
	if (!('WAIT_FOR_SUB_EXECUTION' in workflowPackage && 'onExecutionFinish' in context)) {
		return 'this version of n8n cannot resume the execution with the videos';
	}
	// Checked first: an execution with a missing node type never starts, and shows as running
	// forever.
	if (!(WAIT_NODE in context.getKnownNodeTypes())) {
		return 'this n8n instance has no Wait node to sleep in';
	}
	if (!context.getWorkflow().id) return 'the workflow is not saved';
	return isAnsweredByLastNode(context)
		? 'its trigger responds with the last node (use Respond to Webhook)'
		: undefined;
}

const RESPONDING_TRIGGERS = /\.(webhook|formTrigger|chatTrigger)$/;

/** Returns whether a webhook, form or chat responds with the last node of this execution. */
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
	const message = `The node waited in process, not durably: ${why}.`;
	report.warn(message);
	report.hint(message, 'warning');
}
