import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import * as workflowPackage from 'n8n-workflow';

import { toItem, toShown, type Results } from '../item/output';
import type { Run } from '../item/run';
import type { Render } from '../task/render';
import {
	toBatchItems,
	type BatchVideo,
	type SleepingJob,
	type SleepingVideo,
} from './sleepingVideo';
import { startSubExecution, toKeeperWorkflow, WAIT_NODE } from './workflows';

/**
 * Hands the open renders to a sub-execution that sleeps in n8n's database, together with the
 * results that are known already, and lets go: n8n parks this execution and resumes it with the
 * items of the sub-execution. Resolves to the items that n8n stores meanwhile, or why it cannot do
 * this. The open ones come first: where the first item has failed, n8n's Retry On Fail would run the
 * node once more beside its own sleep.
 */
export async function park(
	run: Run,
	open: Map<SleepingJob & { request: unknown }, Render>,
	results: Results,
): Promise<{ items: INodeExecutionData[] } | { whyNot: string }> {
	const { context, report, stopsOnFailure } = run;
	const callerId = context.getExecutionId();
	const sleeping = new Map<number, SleepingVideo>();
	for (const [job, render] of open) {
		const { itemIndex } = job;
		const stored = { ...job, request: undefined };
		sleeping.set(itemIndex, { itemIndex, callerId, stopsOnFailure, job: stored, render });
	}
	const videos = results.flatMap((result, itemIndex): BatchVideo[] => {
		const video = sleeping.get(itemIndex) ?? (result && { itemIndex, result });
		return video ? [video] : [];
	});
	try {
		const keeper = toKeeperWorkflow(context.getNode());
		const batch = toBatchItems(videos, run);
		const { data, waitTill } = await startSubExecution(context, keeper, batch);
		if (!waitTill) {
			// n8n held the process for it, or the Checker could not be started.
			const items = data[0] ?? [];
			const whyNot = items[0]?.json.not_started as string | undefined;
			return whyNot === undefined ? { items } : { whyNot };
		}
	} catch (error) {
		return { whyNot: (error as Error).message };
	}
	report.debug(`sleeping in the database (videos to wait for: ${open.size})`);
	const parked = results.flatMap((result, item) =>
		result ? [toItem(toShown(run, result), item)] : [],
	);
	const isOpen = ({ json }: INodeExecutionData) => json.error === undefined;
	return { items: [...parked.filter(isOpen), ...parked.filter((item) => !isOpen(item))] };
}

/**
 * Nodes cannot ask for n8n's version. This export came with the last of the three abilities that
 * Durable needs: n8n resumes an execution with the items of the sub-execution that it waited for
 * (2.0), with its error (2.27 at the latest), and after a crash (2.39.8 to 2.39.10 and from 2.41.0;
 * 2.40 lacks it). A copy of n8n-workflow beside this package may be newer than n8n; the method
 * `onExecutionFinish` is n8n's own.
 */
const canResume = (context: IExecuteFunctions) =>
	'WAIT_FOR_SUB_EXECUTION' in workflowPackage && 'onExecutionFinish' in context;

/** Returns why a render must be waited for in process although Durable is chosen, if it must. */
export function whyNotDurable({ context, forAgent }: Run): string | undefined {
	if (forAgent) return 'an AI agent is waiting for this tool';
	if (!canResume(context)) return 'this version of n8n cannot resume the execution with the videos';
	// Asked beforehand: an execution that cannot start for want of a node is shown as running for ever.
	if (!(WAIT_NODE in context.getKnownNodeTypes())) {
		return 'this n8n instance has no Wait node to sleep in';
	}
	if (!context.getWorkflow().id) return 'the workflow is not saved';
	if (isAnsweredByLastNode(context)) {
		return 'its webhook responds with the last node (use Respond to Webhook)';
	}
	return undefined;
}

const RESPONDING_TRIGGERS = /\.(webhook|formTrigger|chatTrigger)$/;

/** Returns whether a Webhook, a form or a chat answers with the last node of this execution. */
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

/** Says once for the node why it waits in process, wherever the reason came from. */
export function sayNotDurable({ report }: Run, why: string): void {
	const message = `Not durable, but waited in process: ${why}.`;
	report.warn(message);
	report.hint(message, 'warning');
}
