'use strict';

/** n8n's URLs; the node helpers parse some of them, so they must be valid. */
const BASE = 'http://localhost:5678';
const URLS = {
	restApiUrl: `${BASE}/rest`,
	instanceBaseUrl: `${BASE}/`,
	formWaitingBaseUrl: `${BASE}/form-waiting`,
	formBaseUrl: `${BASE}/form`,
	formTestBaseUrl: `${BASE}/form-test`,
	webhookBaseUrl: `${BASE}/webhook`,
	webhookWaitingBaseUrl: `${BASE}/webhook-waiting`,
	webhookTestBaseUrl: `${BASE}/webhook-test`,
	mcpBaseUrl: `${BASE}/mcp`,
	mcpTestBaseUrl: `${BASE}/mcp-test`,
};

/** As `getBase` in packages/cli/src/workflow-execute-additional-data.ts, with what differs by run. */
const makeAdditionalData = (fields) => ({
	...URLS,
	currentNodeExecutionIndex: 0,
	userId: 'user1',
	variables: {},
	externalSecretsProxy: { getSecret: () => undefined, listSecrets: () => [] },
	setExecutionStatus() {},
	logAiEvent() {},
	getRunnerStatus: () => ({ available: false, reason: 'no task runner in tests' }),
	...fields,
});

/**
 * @param {object} run what n8n-core's WorkflowExecute resolved to
 * @param {object} seen what the hooks recorded, and the node the result is about
 * @returns {import('.').RunResult}
 */
function toRunResult(run, seen) {
	const { resultData, executionData } = run.data;
	const runs = (nodeName = seen.nodeName) => resultData.runData[nodeName] ?? [];
	return {
		...seen,
		status: run.status,
		error: resultData.error,
		runs,
		outputs: (nodeName) => (runs(nodeName).at(-1)?.data?.main ?? []).map((items) => items ?? []),
		hints: (nodeName) => runs(nodeName).flatMap(({ hints }) => hints ?? []),
		customData: resultData.metadata ?? {},
		contextData: executionData?.contextData ?? {},
		lastNodeExecuted: resultData.lastNodeExecuted,
		waitTill: run.waitTill,
		run,
	};
}

/** Hooks record what n8n would save, show or stream. */
function makeHooks({ core, copy }, job, seen) {
	const { mode, executionId, workflowData, streaming, onChunk, retryOf } = job;
	const hooks = new core.ExecutionLifecycleHooks(mode, executionId, workflowData, retryOf);
	hooks.addHandler('workflowExecuteAfter', (run) => {
		seen.saved = { status: run.status, data: copy(run.data), job };
	});
	hooks.addHandler('nodeExecuteBefore', job.began);
	hooks.addHandler('nodeExecuteAfter', async (name, _task, data) => await job.ended(name, data));
	const hear = (chunk) => {
		seen.chunks.push(chunk);
		return onChunk?.(chunk);
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
 * @param {object} job what `createEngine` and `makeExecutions` know of it
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

module.exports = { makeAdditionalData, startExecution, toRunResult };
