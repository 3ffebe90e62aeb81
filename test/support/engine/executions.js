'use strict';

const { startExecution } = require('./execution');
const { asCanceled, asCrashed, asKilled } = require('./interrupted');
const { runSubWorkflow, isParked, patchParent } = require('./subWorkflow');

/**
 * @typedef {import('./execution').RunResult} RunResult
 * @typedef {import('./interrupted').CrashDetails} CrashDetails
 * @typedef {import('./interrupted').KillDetails} KillDetails
 */

/** n8n's executions table in memory, and what starts, retries, wakes, stops and crashes its rows. */
function makeExecutions(loaded) {
	const { copy } = loaded;
	const table = new Map();
	/** All that n8n has stored of each execution since it began or woke, oldest first. */
	const saves = new Map();
	// n8n's store of processed entries outlives an engine, so no two of them share an ID.
	let lastId = Date.now();

	function store(result) {
		table.set(result.executionId, result);
		saves.get(result.executionId)?.push(result.saved.data);
		return result;
	}

	/** Begins an execution; `job.executionId` is given when a sleeping one goes on. */
	function start(job) {
		const executionId = job.executionId ?? String(++lastId);
		saves.set(executionId, [copy(job.runExecutionData)]);
		const { done, stop: cancel } = startExecution(loaded, {
			...job,
			executionId,
			executeWorkflow: async (info, _additionalData, options) =>
				await runSubWorkflow(loaded, { start, job }, info, options),
			/** What a node gets from `getExecutionDataById`. */
			getRunExecutionData: async (id) => (saves.has(id) ? copy(saves.get(id).at(-1)) : undefined),
			ended: async (name, data) => {
				if (!job.workflowData.settings?.saveExecutionProgress) return;
				data.resultData.lastNodeExecuted = name;
				saves.get(executionId).push(copy(data));
			},
		});
		return { executionId, done: done.then(store), stop: () => stop(executionId, cancel) };
	}

	/** As ExecutionService.stop: what a sleeping execution waits for sleeps on. */
	function stop(executionId, cancel) {
		const row = table.get(executionId);
		if (row?.status === 'waiting') store(asCanceled(loaded, row, copy(row.saved.data)));
		else cancel();
	}

	/** As ExecutionService.retry in packages/cli: the saved stack again, without the failed run. */
	function retry({ executionId, saved }, fields) {
		if (saved.status === 'success') {
			throw new Error('The execution succeeded, so it cannot be retried.');
		}
		const data = copy(saved.data);
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

	/**
	 * The one that n8n's timer is set for: the execution, or what it waits for, or what that does.
	 * @type {(sleeping: Pick<RunResult, 'executionId'>) => RunResult}
	 */
	function sleeper({ executionId }) {
		const child = [...table.values()].find((result) => isParked(result, executionId));
		return child ? sleeper(child) : table.get(executionId);
	}

	/** As WaitTracker.startExecution: goes on, and then so do the parents whose wait ends with it. */
	async function goOn({ executionId, saved: { job, data } }) {
		const runExecutionData = copy(data);
		await resumeParent(await start({ ...job, executionId, runExecutionData, resumes: true }).done);
	}

	async function resumeParent(child) {
		const parent = table.get(child.saved.data.parentExecution?.executionId);
		if (child.status === 'waiting' || parent?.status !== 'waiting') return;
		if (patchParent(parent, child)) await goOn(parent);
	}

	function findWaiting({ executionId }) {
		const row = table.get(executionId);
		if (row?.status !== 'waiting') throw new Error(`Execution ${executionId} is not waiting`);
		return row;
	}

	/**
	 * Lets the time of a waiting execution come, or that of the sub-execution it waits for. The result
	 * may be 'waiting' again.
	 * @param {RunResult} sleeping
	 * @returns {Promise<RunResult>}
	 */
	async function wake(sleeping) {
		await goOn(sleeper(findWaiting(sleeping)));
		return table.get(sleeping.executionId);
	}

	/**
	 * As `wake`, but n8n dies in the node after the sleep, and is started again: it marks what slept as
	 * crashed and goes on with what waits for that. If the node had never run before, that gets an
	 * error, by n8n's event log; else, and without such a log, the last items that were saved.
	 * @param {RunResult} sleeping
	 * @param {CrashDetails} [how]
	 * @returns {Promise<RunResult>}
	 */
	async function crash(sleeping, how = {}) {
		const row = findWaiting(sleeping);
		await resumeParent(store(asCrashed(loaded, how.itself ? row : sleeper(row), how)));
		return table.get(sleeping.executionId);
	}

	/**
	 * What n8n has of an execution that has ended here, if it had died in the middle of a node: what it
	 * began with, or with `settings: { saveExecutionProgress: true }` all up to that node.
	 * @type {(ended: RunResult, how: KillDetails) => RunResult}
	 */
	function kill({ executionId }, how) {
		const killed = asKilled(loaded, table.get(executionId), how, saves.get(executionId));
		table.set(executionId, killed);
		return killed;
	}

	/**
	 * Every execution that has ended or sleeps, sub-executions too, in the order they did.
	 * @returns {RunResult[]}
	 */
	const executions = () => [...table.values()];
	return { start, retry, wake, crash, kill, sleeper, executions };
}

module.exports = { makeExecutions };
