import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import * as workflowPackage from 'n8n-workflow';

import type { Run } from '../item/run';
import { WAIT_NODE } from './workflows';

/**
 * Nodes cannot ask for n8n's version. This export came with the last of the three abilities that
 * Durable needs: n8n resumes an execution with the items of the sub-execution that it waited for
 * (2.0), with its error (2.27 at the latest), and after a crash (2.39.8 to 2.39.10 and from 2.41.0;
 * 2.40 lacks it).
 */
const MARKER = 'WAIT_FOR_SUB_EXECUTION';

/** A copy of n8n-workflow beside this package may be newer than n8n; this method is n8n's own. */
const canResume = (context: IExecuteFunctions) =>
	MARKER in workflowPackage && 'onExecutionFinish' in context;

/** Asked beforehand: an execution that cannot start for want of a node is shown as running for ever. */
const hasWaitNode = (context: IExecuteFunctions) => WAIT_NODE in context.getKnownNodeTypes();

/** Why a render has to be waited for in process although Durable is chosen; `undefined` if not. */
export function whyNotDurable({ context, forAgent }: Run): string | undefined {
	if (forAgent) return 'an AI agent is waiting for this tool';
	if (!canResume(context)) return 'this version of n8n cannot resume the execution with the videos';
	if (!hasWaitNode(context)) return 'this n8n instance has no Wait node to sleep in';
	if (!context.getWorkflow().id) return 'the workflow is not saved';
	if (isAnsweredByLastNode(context)) {
		return 'its webhook responds with the last node (use Respond to Webhook)';
	}
	return undefined;
}

const RESPONDING_TRIGGERS = /\.(webhook|formTrigger|chatTrigger)$/;

/** Whether somebody waits for the last node of this execution: a Webhook, a form, a chat. */
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

/** Said once for the node, wherever the reason came from. */
export function sayNotDurable({ report }: Run, why: string): void {
	const message = `Not durable, but waited in process: ${why}.`;
	report.warn(message);
	report.hint(message, 'warning');
}
