'use strict';

const { startExecution } = require('./execution');
const { asCanceled, asCrashed, asKilled } = require('./interrupted');
const { runSubWorkflow, isParked, patchParent } = require('./subWorkflow');

/** n8n's executions table in memory, and what starts, retries, wakes, stops and crashes its rows. */
function makeExecutions(loaded) {
	const table = new Map();
	/** What n8n stores of an execution before it has ended or slept: first what it begins with. */
	const begun = new Map();
	let lastId = 0;

	/** What a node gets from `getExecutionDataById`. */
	async function read(executionId) {
		const data = table.get(executionId)?.saved.data ?? begun.get(executionId)?.at(-1);
		return data && loaded.copy(data);
	}

	/** Begins an execution; `job.executionId` is given when a sleeping one goes on. */
	function start(job) {
		const executionId = job.executionId ?? String(++lastId);
		const executeWorkflow = async (info, additionalData, options) =>
			await runSubWorkflow(loaded, { start, job }, info, options);
		const stored = [loaded.copy(job.runExecutionData)];
		begun.set(executionId, stored);
		const store = { getRunExecutionData: read, saveProgress: (data) => void stored.push(data) };
		const complete = { ...job, executionId, executeWorkflow, ...store };
		const { done, stop: cancel } = startExecution(loaded, complete);
		const ended = done.then((result) => {
			table.set(executionId, result);
			return result;
		});
		return { executionId, done: ended, stop: () => stop(executionId, cancel) };
	}

	/** As ExecutionService.stop: what a sleeping execution waits for sleeps on. */
	function stop(executionId, cancel) {
		const row = table.get(executionId);
		if (row?.status === 'waiting') table.set(executionId, asCanceled(loaded, row));
		else cancel();
	}

	/** As ExecutionService.retry in packages/cli: the saved stack again, without the failed run. */
	function retry({ executionId, saved }, fields) {
		if (saved.status === 'success') {
			throw new Error('The execution succeeded, so it cannot be retried.');
		}
		const data = loaded.copy(saved.data);
		const { resultData, executionData } = data;
		delete resultData.error;
		const lastRuns = resultData.runData[resultData.lastNodeExecuted] ?? [];
		if (lastRuns.at(-1)?.error !== undefined) lastRuns.pop();
		const job = { ...saved.job, ...fields, mode: 'retry', retryOf: executionId, resumes: false };
		for (const entry of fields.workflowData ? executionData.nodeExecutionStack : []) {
			entry.node = job.workflowData.nodes.find(({ name }) => name === entry.node.name);
		}
		return start({ ...job, runExecutionData: data, executionId: undefined });
	}

	/** The one that n8n's timer is set for: the execution, or what it waits for, or what that does. */
	function sleeperOf(executionId) {
		const child = [...table.values()].find((result) => isParked(result, executionId));
		return child ? sleeperOf(child.executionId) : table.get(executionId);
	}

	/** As WaitTracker.startExecution: goes on, and then so do the parents whose wait ends with it. */
	async function goOn({ executionId, saved: { job, data } }) {
		const runExecutionData = loaded.copy(data);
		await resumeParent(await start({ ...job, executionId, runExecutionData, resumes: true }).done);
	}

	async function resumeParent(child) {
		const { parentExecution } = child.saved.data;
		const parent = table.get(parentExecution?.executionId);
		if (child.status === 'waiting' || parent?.status !== 'waiting') return;
		if (parentExecution.shouldResume === false) return;
		// n8n 1 wakes the parent with its own input.
		if (loaded.version === '1' || patchParent(parent, child)) await goOn(parent);
	}

	function findWaiting(executionId) {
		const row = table.get(executionId);
		if (row?.status !== 'waiting') throw new Error(`Execution ${executionId} is not waiting`);
		return row;
	}

	/** Lets the time of a sleeping execution come, or that of the sub-execution it waits for. */
	const wake = async (executionId) => await goOn(sleeperOf(findWaiting(executionId).executionId));

	/** n8n dies in the node after the sleep; when it is back, it goes on with what waits for that. */
	async function crash(executionId, how = {}) {
		const row = findWaiting(executionId);
		const crashed = asCrashed(loaded, how.itself ? row : sleeperOf(executionId), how);
		table.set(crashed.executionId, crashed);
		await resumeParent(crashed);
	}

	/** What is left of an execution if n8n dies, or somebody stops it, while a node of it runs. */
	function kill(executionId, how) {
		const killed = asKilled(loaded, table.get(executionId), how, begun.get(executionId));
		table.set(executionId, killed);
		return killed;
	}

	function remove(executionId) {
		table.delete(executionId);
		begun.delete(executionId);
	}

	const get = (executionId) => table.get(executionId);
	return { start, retry, wake, crash, kill, sleeperOf, get, remove, table };
}

module.exports = { makeExecutions };
