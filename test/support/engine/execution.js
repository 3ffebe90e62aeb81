'use strict';

const BASE = 'http://localhost:5678';
/** n8n's URLs that helpers of nodes give or parse. */
const URLS = {
	restApiUrl: `${BASE}/rest`,
	instanceBaseUrl: `${BASE}/`,
	webhookBaseUrl: `${BASE}/webhook`,
	webhookWaitingBaseUrl: `${BASE}/webhook-waiting`,
	webhookTestBaseUrl: `${BASE}/webhook-test`,
};

/** As `getBase` in packages/cli/src/workflow-execute-additional-data.ts, with what differs by run. */
const makeAdditionalData = (fields) => ({
	...URLS,
	currentNodeExecutionIndex: 0,
	userId: 'user1',
	variables: {},
	setExecutionStatus() {},
	logAiEvent() {},
	...fields,
});

/**
 * @typedef {import('n8n-workflow').IRun} IRun
 *
 * @typedef {object} RunResult
 * @property {string} executionId
 * @property {import('n8n-workflow').ExecutionStatus} status
 * @property {import('n8n-workflow').ExecutionError} [error]
 * @property {(nodeName?: string) => import('n8n-workflow').INodeExecutionData[][]} outputs all outputs
 *   of the node's last run; the error output is the last one
 * @property {(nodeName?: string) => import('n8n-workflow').ITaskData[]} runs one for each time the node
 *   ran; tries of Retry On Fail are not runs of their own
 * @property {(nodeName?: string) => import('n8n-workflow').NodeExecutionHint[]} hints of all its runs
 * @property {Record<string, string>} customData what `$execution.customData` was given
 * @property {Record<string, import('n8n-workflow').IDataObject>} contextData nodes' contexts, e.g.
 *   `contextData['node:Node Under Test']`
 * @property {string} [lastNodeExecuted]
 * @property {Date | null} [waitTill]
 * @property {Array<{ type: string, source: string, messages: unknown[] }>} uiMessages what
 *   `sendMessageToUI` sent; `messages` are its arguments
 * @property {import('n8n-workflow').StructuredChunk[]} chunks what `sendChunk` sent
 * @property {Array<{ level: string, message: string, metadata?: unknown }>} logs n8n's own log lines
 *   and the node's `this.logger` ones, of all levels
 * @property {IRun} run what n8n-core resolved to
 * @property {{ status: IRun['status'], data: IRun['data'] }} saved what n8n stores, copied when its
 *   storing hooks are called. For a stopped execution that is the moment of the stop: what the node
 *   returns after it is in `run`, `outputs()` and so on
 * @property {import('n8n-workflow').IWorkflowBase} workflowData
 */

/**
 * @param {object} run what n8n-core's WorkflowExecute resolved to
 * @param {object} seen what the hooks recorded, and the node the result is about
 * @returns {RunResult}
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
