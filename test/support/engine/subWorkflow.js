'use strict';

const { firstRunData } = require('./workflow');

/** As fetchWorkflowData: an inline workflow takes the parent's id and settings if it has none. */
function inlineWorkflow({ code }, options) {
	if (!code) throw new Error('The test engine runs inline sub-workflows only');
	const { parentWorkflowId: id, parentWorkflowSettings: settings } = options;
	return { name: 'Sub-Workflow', active: false, id, settings, ...structuredClone(code) };
}

function childJob({ job }, info, options) {
	const workflowData = inlineWorkflow(info, options);
	const { nodes } = workflowData;
	const startNode = nodes.find(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger');
	if (!startNode) throw new Error('Missing node to start execution');
	const { inputData = [{ json: {} }], parentExecution } = options;
	const runExecutionData = firstRunData(startNode, inputData, { parentExecution });
	return {
		...job,
		executionId: undefined,
		workflowData,
		nodeName: nodes.at(-1).name,
		mode: 'integrated',
		runExecutionData,
	};
}

/** n8n 2 merges all runs of the last node; n8n 1 gives the last run. */
function outputOf({ runs, lastNodeExecuted }, { mergeRunsPerBranch }, lastRunOnly) {
	const ofLastNode = runs(lastNodeExecuted);
	if (mergeRunsPerBranch && !lastRunOnly && ofLastNode.length > 0) {
		return mergeRunsPerBranch(ofLastNode);
	}
	return ofLastNode.at(-1)?.data?.main ?? [null];
}

/** `executeWorkflow` of packages/cli/src/workflow-execute-additional-data.ts. */
async function runSubWorkflow(loaded, parent, info, options) {
	const { executionId, done } = parent.start(childJob(parent, info, options));
	if (options.doNotWaitToFinish) return { executionId, data: [null] };
	const result = await done;
	if (result.status !== 'success' && result.status !== 'waiting') {
		const { message, description, stack } = result.error;
		throw Object.assign(new Error(message), { description, stack, executionId });
	}
	const data = outputOf(result, loaded.workflow, options.returnLastRunOnly);
	return { executionId, data, waitTill: result.waitTill };
}

/** Whether `result` is a sleeping sub-execution that execution `parentId` waits for. */
function isParked({ status, saved }, parentId) {
	return status === 'waiting' && saved.data.parentExecution?.executionId === parentId;
}

/** As updateParentExecutionWithChildResults: the parent goes on with what the child left. */
function patchParent(parent, child) {
	const [entry] = parent.saved.data.executionData.nodeExecutionStack;
	const { executionId, workflowData } = child;
	if (child.error) {
		const subExecution = { executionId, workflowId: workflowData.id };
		entry.metadata = { ...entry.metadata, resumeError: child.error, subExecution };
	} else {
		entry.data = child.runs(child.lastNodeExecuted).at(-1).data;
	}
}

module.exports = { runSubWorkflow, isParked, patchParent };
