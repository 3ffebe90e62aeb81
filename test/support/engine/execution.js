'use strict';

const { makeAdditionalData } = require('./additionalData');
const { toRunResult } = require('./runResult');

/** Hooks record what n8n would save, show or stream. */
function makeHooks({ core, copy }, job, seen) {
	const { mode, executionId, workflowData, streaming, onChunk, retryOf, watch } = job;
	const hooks = new core.ExecutionLifecycleHooks(mode, executionId, workflowData, retryOf);
	hooks.addHandler('workflowExecuteAfter', (run) => {
		seen.saved = { status: run.status, data: copy(run.data), job };
	});
	if (workflowData.settings?.saveExecutionProgress) {
		hooks.addHandler('nodeExecuteAfter', (nodeName, _taskData, data) => {
			data.resultData.lastNodeExecuted = nodeName;
			job.saveProgress(copy(data));
		});
	}
	hooks.addHandler('nodeExecuteBefore', (name) => watch.began(name));
	hooks.addHandler('nodeExecuteAfter', async (name, _task, data) => await watch.ended(name, data));
	const hear = (chunk) => {
		seen.chunks.push(chunk);
		onChunk?.(chunk);
	};
	if (streaming) hooks.addHandler('sendChunk', hear);
	return hooks;
}

/** n8n stores a run that could not start, say for a missing parameter, as a failed execution. */
function failedRun(error, job) {
	const fields = { ...error, message: error.message, stack: error.stack };
	const data = { ...job.runExecutionData, resultData: { error: fields, runData: {} } };
	return { status: 'error', mode: job.mode, data };
}

/**
 * Starts one execution the way n8n's WorkflowRunner does.
 * @param {object} loaded what `loadCore` returned
 * @param {object} job executionId, workflowData, nodeName, runExecutionData, mode, streaming,
 * onChunk, retryOf, nodeTypes, credentialsHelper, executeWorkflow, getRunExecutionData, saveProgress,
 * watch
 * @returns `{ done, stop }`
 */
function startExecution(loaded, job) {
	const { core, workflow: workflowPackage, logs } = loaded;
	const { executionId, workflowData, nodeName } = job;
	const seen = { executionId, workflowData, nodeName, uiMessages: [], chunks: [] };
	const additionalData = makeAdditionalData({
		executionId,
		workflowId: workflowData.id,
		workflowSettings: workflowData.settings,
		credentialsHelper: job.credentialsHelper,
		executeWorkflow: job.executeWorkflow,
		getRunExecutionData: job.getRunExecutionData,
		hooks: makeHooks(loaded, job, seen),
		streamingEnabled: job.streaming === true,
		restartExecutionId: job.resumes ? executionId : undefined,
		sendDataToUI: (type, data) => void seen.uiMessages.push({ type, ...data }),
	});
	const firstLog = logs.length;
	const finish = (run) => toRunResult(run, { ...seen, logs: logs.slice(firstLog) });
	try {
		const workflow = new workflowPackage.Workflow({ ...workflowData, nodeTypes: job.nodeTypes });
		const execute = new core.WorkflowExecute(additionalData, job.mode, job.runExecutionData);
		const running = execute.processRunExecutionData(workflow);
		return { done: running.then(finish), stop: () => running.cancel() };
	} catch (error) {
		const run = failedRun(error, job);
		seen.saved = { status: run.status, data: run.data, job };
		return { done: Promise.resolve(finish(run)), stop() {} };
	}
}

module.exports = { startExecution };
