'use strict';

const { toRunResult } = require('./runResult');

/** The row of an execution that sleeps, as n8n rewrites it. */
function rewritten(row, status, data) {
	const run = { ...row.run, status, data, waitTill: null };
	return toRunResult(run, { ...row, saved: { ...row.saved, status, data } });
}

const CRASHED = 'Workflow did not finish, possible out-of-memory issue';

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
function markNodeAfterSleep(loaded, { resultData, executionData }, { nodes, connections }) {
	const [{ node: sleeper }] = executionData.nodeExecutionStack;
	const nextName = connections[sleeper.name]?.main?.[0]?.[0]?.node;
	const next = nodes.find(({ name }) => name === nextName);
	if (!next || resultData.runData[next.name]) return;
	markNode(loaded, resultData, next);
}

function markNode({ workflow }, resultData, node) {
	const nodeError = new workflow.NodeOperationError(
		node,
		'Node crashed, possible out-of-memory issue',
	);
	const fields = { startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [null] };
	resultData.runData[node.name] = [{ ...fields, executionStatus: 'crashed', error: nodeError }];
	resultData.lastNodeExecuted = node.name;
	resultData.error = plain(new Error(CRASHED));
}

/** As ExecutionRecoveryService.amend: nodes that the event log knows and the saved data does not. */
function addBegun({ workflow }, { resultData }, row, died) {
	for (const node of row.workflowData.nodes) {
		const [first] = row.runs(node.name);
		if (!first || first.executionIndex > died.executionIndex) continue;
		if (resultData.runData[node.name] !== undefined) continue;
		const isDead = row.runs(node.name)[0] === died;
		const fields = {
			startTime: first.startTime,
			executionTime: -1,
			executionIndex: 0,
			source: [null],
		};
		const error = new workflow.NodeOperationError(
			node,
			'Node crashed, possible out-of-memory issue',
		);
		const items = [{ json: { isArtificialRecoveredEventItem: true } }];
		const end = isDead
			? { executionStatus: 'crashed', error }
			: { executionStatus: 'success', data: { main: [items] } };
		resultData.runData[node.name] = [{ ...fields, ...end }];
		resultData.lastNodeExecuted = node.name;
		if (isDead) resultData.error = plain(new Error(CRASHED));
	}
}

/**
 * The row of an execution that n8n was killed in, or that was stopped, while a node ran: of what is
 * given here, which has ended, n8n had only stored what it began with, or its progress.
 * @param {object} how `inNode`, `eventLog`, `stopped`: see index.d.ts
 * @param {object[]} stored what n8n stored of it, oldest first
 */
function asKilled(loaded, row, { inNode, eventLog = true, stopped = false }, stored) {
	const { copy, workflow } = loaded;
	const isNext = ({ executionData }) => executionData.nodeExecutionStack[0]?.node.name === inNode;
	const data = copy(stored.findLast(isNext) ?? stored[0]);
	if (stopped) {
		data.resultData.error = plain(new workflow.ManualExecutionCancelledError(row.executionId));
		return rewritten(row, 'canceled', data);
	}
	if (eventLog) addBegun(loaded, data, row, row.runs(inNode).at(-1));
	return rewritten(row, 'crashed', data);
}

const ARTIFICIAL = { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] };

/**
 * As ExecutionRecoveryService.amend, for what ran when n8n died: the data that was saved last, and
 * what the event log knows of nodes that are not in it.
 * @param {object} how `eventLog`: false without such a log; `erased`: as processError, in queue mode
 */
function asDied(loaded, { job, log }, saved, { eventLog = true, erased = false }) {
	const data = loaded.copy(saved);
	const { resultData } = data;
	for (const node of eventLog ? job.workflowData.nodes : []) {
		if (!log.began.has(node.name) || resultData.runData[node.name]) continue;
		if (log.ended.has(node.name)) {
			const fields = { startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [null] };
			resultData.runData[node.name] = [{ ...fields, executionStatus: 'success', data: ARTIFICIAL }];
			resultData.lastNodeExecuted = node.name;
		} else {
			markNode(loaded, resultData, node);
		}
	}
	if (erased) {
		resultData.runData = {};
		resultData.error = plain(new Error('The worker died'));
		data.executionData.nodeExecutionStack = [];
	}
	const { executionId, workflowData, mode } = job;
	const seen = { executionId, workflowData, nodeName: job.nodeName };
	const run = { status: 'crashed', mode, data, waitTill: null };
	const rest = { uiMessages: [], chunks: [], logs: [], saved: { status: 'crashed', data, job } };
	return toRunResult(run, { ...seen, ...rest });
}

module.exports = { asCanceled, asCrashed, asDied, asKilled };
