'use strict';

const { firstRunData } = require('./workflow');

/** As fetchWorkflowData: an inline workflow takes the parent's id and settings if it has none. */
function inlineWorkflow({ code }, options) {
	if (!code) throw new Error('The test engine runs inline sub-workflows only');
	const { parentWorkflowId, parentWorkflowSettings: settings } = options;
	const id = code.id || parentWorkflowId;
	return { name: 'Sub-Workflow', active: false, settings, ...structuredClone(code), id };
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
		retryOf: undefined,
		resumes: false,
		runExecutionData,
	};
}

/** All runs of the last node, merged. */
function outputOf({ runs, lastNodeExecuted }, { mergeRunsPerBranch }) {
	const ofLastNode = runs(lastNodeExecuted);
	return ofLastNode.length > 0 ? mergeRunsPerBranch(ofLastNode) : [null];
}

/** `executeWorkflow` of packages/cli/src/workflow-execute-additional-data.ts. */
async function runSubWorkflow(loaded, parent, info, options) {
	const { executionId, done } = parent.start(childJob(parent, info, options));
	const result = await done;
	if (result.status !== 'success' && result.status !== 'waiting') {
		const { message, description, stack } = result.error;
		throw Object.assign(new Error(message), { description, stack, executionId });
	}
	const data = outputOf(result, loaded.workflow);
	return { executionId, data, waitTill: result.waitTill };
}

/** Whether `result` is a sleeping sub-execution that execution `parentId` waits for. */
function isParked({ status, saved }, parentId) {
	return status === 'waiting' && saved.data.parentExecution?.executionId === parentId;
}

/**
 * As updateParentExecutionWithChildResults: the parent goes on with the child's error, or with what
 * the child's last node left.
 * @returns {boolean} false for a parent that stays where it is
 */
function patchParent(parent, child) {
	const { executionId, workflowData, run } = child;
	const { error, lastNodeExecuted, runData } = run.data.resultData;
	const left = runData[lastNodeExecuted]?.at(-1);
	if (!error && !left?.data) return false;
	const [entry] = parent.saved.data.executionData.nodeExecutionStack;
	const childIds = entry.metadata?.waitingChildExecutionIds ?? [];
	if (childIds.length > 0 && !childIds.includes(executionId)) return false;
	if (error) {
		const subExecution = { executionId, workflowId: workflowData.id };
		entry.metadata = { ...entry.metadata, resumeError: error, subExecution };
	} else {
		entry.data = left.data;
	}
	return true;
}

module.exports = { runSubWorkflow, isParked, patchParent };
