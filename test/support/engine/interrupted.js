'use strict';

const { toRunResult } = require('./execution');

/**
 * @typedef {object} CrashDetails
 * @property {boolean} [itself] the execution itself goes on and dies, not the one its wait depends on
 * @property {boolean} [eventLog] whether n8n finds the log of what had begun; true without
 * @property {boolean} [saveProgress] n8n saves after each node (EXECUTIONS_DATA_SAVE_ON_PROGRESS) and
 *   died before it slept, so the items that were saved last are those of the node before
 *
 * @typedef {object} KillDetails
 * @property {string} inNode the node that runs at the time, in its last run
 * @property {boolean} [eventLog] whether n8n finds the log of what had begun; true without
 * @property {boolean} [stopped] somebody stops it instead
 */

const plain = (error) => ({ ...error, message: error.message, stack: error.stack });

/** The row of an execution as n8n rewrites it. */
function rewritten(row, status, data) {
	const run = { ...row.run, status, data, waitTill: null };
	return toRunResult(run, { ...row, saved: { ...row.saved, status, data } });
}

/** As ExecutionService.stopDuringRun: the reason goes into the stored data. */
function asCanceled({ workflow: { ManualExecutionCancelledError } }, row, data) {
	data.resultData.error = plain(new ManualExecutionCancelledError(row.executionId));
	return rewritten(row, 'canceled', data);
}

/**
 * As ExecutionRecoveryService.amend, from n8n's event log: nodes that had begun and are not in what
 * was saved are marked as crashed, or get an item in place of what they gave.
 */
function amend({ workflow }, { resultData }, nodes, { began, ended }) {
	for (const node of nodes) {
		if (!began.has(node.name) || resultData.runData[node.name]) continue;
		const times = { startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [null] };
		const words = 'Node crashed, possible out-of-memory issue';
		const items = [{ json: { isArtificialRecoveredEventItem: true } }];
		const end = ended.has(node.name)
			? { executionStatus: 'success', data: { main: [items] } }
			: { executionStatus: 'crashed', error: new workflow.NodeOperationError(node, words) };
		resultData.runData[node.name] = [{ ...times, ...end }];
		resultData.lastNodeExecuted = node.name;
		if (!end.error) continue;
		resultData.error = plain(new Error('Workflow did not finish, possible out-of-memory issue'));
	}
}

/** n8n died in the node after a sleep; what it had saved is what it had when it fell asleep. */
function asCrashed(loaded, row, { eventLog = true, saveProgress = false }) {
	const data = loaded.copy(row.saved.data);
	const { resultData, executionData } = data;
	const { nodes, connections } = row.workflowData;
	if (saveProgress) {
		// It was saved after the node before the sleep.
		const sleep = resultData.runData[resultData.lastNodeExecuted].pop();
		resultData.lastNodeExecuted = sleep.source[0].previousNode;
	} else if (eventLog) {
		const [{ node: sleeper }] = executionData.nodeExecutionStack;
		const next = connections[sleeper.name]?.main?.[0]?.[0]?.node;
		amend(loaded, data, nodes, { began: new Set([next]), ended: new Set() });
	}
	return rewritten(row, 'crashed', data);
}

/**
 * The row of an execution that n8n was killed in, or that was stopped, while a node ran: of what is
 * given here, which has ended, n8n had only stored what it began with, or its progress.
 * @param {object[]} saves what n8n stored of it, oldest first
 */
function asKilled(loaded, row, { inNode, eventLog = true, stopped = false }, saves) {
	const isNext = ({ executionData }) => executionData.nodeExecutionStack[0]?.node.name === inNode;
	const data = loaded.copy(saves.findLast(isNext) ?? saves[0]);
	if (stopped) return asCanceled(loaded, row, data);
	const died = row.runs(inNode).at(-1);
	const had = (holds) => {
		const known = row.workflowData.nodes.filter(({ name }) => row.runs(name).length > 0);
		return new Set(known.map(({ name }) => name).filter((name) => holds(row.runs(name)[0])));
	};
	const began = had(({ executionIndex }) => executionIndex <= died.executionIndex);
	const log = { began, ended: had((first) => first !== died) };
	if (eventLog) amend(loaded, data, row.workflowData.nodes, log);
	return rewritten(row, 'crashed', data);
}

module.exports = { asCanceled, asCrashed, asKilled };
