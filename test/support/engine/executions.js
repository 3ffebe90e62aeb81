'use strict';

const { startExecution } = require('./execution');
const { runSubWorkflow, isParked, patchParent } = require('./subWorkflow');

/** n8n's executions table in memory, and what starts, retries and wakes its rows. */
function makeExecutions(loaded) {
	const table = new Map();
	let lastId = 0;

	/** Begins an execution; `job.executionId` is given when a sleeping one goes on. */
	function start(job) {
		const executionId = job.executionId ?? String(++lastId);
		const executeWorkflow = async (info, additionalData, options) =>
			await runSubWorkflow(loaded, { start, job }, info, options);
		const { done, stop } = startExecution(loaded, { ...job, executionId, executeWorkflow });
		const stored = done.then((result) => {
			table.set(executionId, result);
			return result;
		});
		return { executionId, done: stored, stop };
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
		const job = { ...saved.job, ...fields, mode: 'retry', retryOf: executionId };
		for (const entry of fields.workflowData ? executionData.nodeExecutionStack : []) {
			entry.node = job.workflowData.nodes.find(({ name }) => name === entry.node.name);
		}
		return start({ ...job, runExecutionData: data, executionId: undefined });
	}

	/**
	 * As n8n's WaitTracker when an execution's time has come: wakes the execution, or the
	 * sub-execution it waits for, and then the parents whose wait ends with it.
	 */
	async function wake(executionId) {
		const sleeping = table.get(executionId);
		if (sleeping?.status !== 'waiting') throw new Error(`Execution ${executionId} is not waiting`);
		const child = [...table.values()].find((result) => isParked(result, executionId));
		if (child) {
			await wake(child.executionId);
			return table.get(executionId);
		}
		const { job, data } = sleeping.saved;
		const runExecutionData = loaded.copy(data);
		const result = await start({ ...job, executionId, runExecutionData, resumes: true }).done;
		const { parentExecution } = runExecutionData;
		const parent = table.get(parentExecution?.executionId);
		if (result.status === 'waiting' || !parent || parentExecution.shouldResume === false) {
			return result;
		}
		// n8n 1 wakes the parent with its own input.
		if (loaded.version !== '1') patchParent(parent, result);
		await wake(parent.executionId);
		return result;
	}

	return { start, retry, wake, get: (executionId) => table.get(executionId), table };
}

module.exports = { makeExecutions };
