'use strict';

const { toRunResult } = require('./runResult');

/** The row of an execution that sleeps, as n8n rewrites it. */
function rewritten(row, status, data) {
	const run = { ...row.run, status, data, waitTill: null };
	return toRunResult(run, { ...row, saved: { ...row.saved, status, data } });
}

const plain = (error) => ({ ...error, message: error.message, stack: error.stack });

/** As ExecutionService.stopDuringRun: the reason goes into the stored data. */
function asCanceled({ copy, workflow: { ManualExecutionCancelledError } }, row) {
	const data = copy(row.saved.data);
	data.resultData.error = plain(new ManualExecutionCancelledError(row.executionId));
	return rewritten(row, 'canceled', data);
}

/**
 * As ExecutionRecoveryService.amend: n8n marks what was running when it died, and completes the data
 * that was saved, which is that of the last sleep.
 * @param {object} how `eventLog`, `saveProgress`: see index.d.ts
 */
function asCrashed(loaded, row, { eventLog = true, saveProgress = false }) {
	const data = loaded.copy(row.saved.data);
	if (saveProgress) dropSleep(data);
	else if (eventLog) markNodeAfterSleep(loaded, data, row.workflowData);
	return rewritten(row, 'crashed', data);
}

/** What was saved after the node before the sleep. */
function dropSleep({ resultData }) {
	const sleep = resultData.runData[resultData.lastNodeExecuted].pop();
	resultData.lastNodeExecuted = sleep.source[0].previousNode;
}

/** The event log tells which nodes had begun; one that has run before is not looked at any more. */
function markNodeAfterSleep({ workflow }, { resultData, executionData }, { nodes, connections }) {
	const [{ node: sleeper }] = executionData.nodeExecutionStack;
	const nextName = connections[sleeper.name]?.main?.[0]?.[0]?.node;
	const next = nodes.find(({ name }) => name === nextName);
	if (!next || resultData.runData[next.name]) return;
	const nodeError = new workflow.NodeOperationError(
		next,
		'Node crashed, possible out-of-memory issue',
	);
	const fields = { startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [null] };
	resultData.runData[next.name] = [{ ...fields, executionStatus: 'crashed', error: nodeError }];
	resultData.lastNodeExecuted = next.name;
	resultData.error = plain(new Error('Workflow did not finish, possible out-of-memory issue'));
}

module.exports = { asCanceled, asCrashed };
