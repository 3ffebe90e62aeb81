'use strict';

const { startExecution } = require('./execution');
const { asCanceled, asCrashed, asDied, asKilled } = require('./interrupted');
const { makeLife } = require('./life');
const { runSubWorkflow, isParked, patchParent, waitsFor } = require('./subWorkflow');

const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

/** n8n's executions table in memory, and what starts, retries, wakes, stops and crashes its rows. */
function makeExecutions(loaded) {
	const table = new Map();
	/** What n8n stores of an execution before it has ended or slept: first what it begins with. */
	const begun = new Map();
	/** The data of all rows, also of those that have not ended or slept yet. */
	const stored = new Map();
	/** What runs in n8n's process; a death is the beginning of another. */
	let life = makeLife(loaded, stored);
	let lastId = 0;

	function store(result) {
		table.set(result.executionId, result);
		stored.set(result.executionId, result.saved.data);
		return result;
	}

	/** Begins an execution; `job.executionId` is given when a sleeping one goes on. */
	function start(job) {
		const executionId = job.executionId ?? String(++lastId);
		const here = life;
		begun.set(executionId, [loaded.copy(job.runExecutionData)]);
		const complete = {
			...job,
			executionId,
			executeWorkflow: here.lasting(async (info, _additionalData, options) =>
				runSubWorkflow(loaded, { start, job }, info, options),
			),
			/** What a node gets from `getExecutionDataById`. */
			getRunExecutionData: here.lasting(async (id) => {
				const data = stored.get(id);
				return data && loaded.copy(data);
			}),
			saveProgress: (data) => void begun.get(executionId).push(data),
			watch: here.watch(executionId, job.workflowData),
		};
		if (!stored.has(executionId)) stored.set(executionId, loaded.copy(job.runExecutionData));
		const { done, stop: cancel } = startExecution(loaded, complete);
		const ended = here.run(complete, done, store);
		return { executionId, done: ended, stop: () => stop(executionId, cancel) };
	}

	/** As ExecutionService.stop: what a sleeping execution waits for sleeps on. */
	function stop(executionId, cancel) {
		const row = table.get(executionId);
		if (row?.status === 'waiting') store(asCanceled(loaded, row));
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
		store(crashed);
		await resumeParent(crashed);
	}

	/** What is left of an execution if n8n dies, or somebody stops it, while a node of it runs. */
	function kill(executionId, how) {
		const killed = asKilled(loaded, table.get(executionId), how, begun.get(executionId));
		table.set(executionId, killed);
		return killed;
	}

	/** As WaitTracker.resumeParentsOfFinishedSubExecutions; says whether it resumed any. */
	async function sweep() {
		let resumed = false;
		for (const row of [...table.values()]) {
			if (row.status !== 'waiting' || life.runs(row.executionId)) continue;
			const child = waitsFor(row)
				.map(get)
				.find((one) => one && ENDED.has(one.status));
			if (!child || !patchParent(row, child)) continue;
			resumed = true;
			await goOn(row);
		}
		return resumed;
	}

	/** Lets everything that runs end or sleep, and what waits for it go on. */
	async function settle() {
		do await life.allEnded();
		while (await sweep());
	}

	/** n8n is killed: what runs has no next step, and is marked at the next start. */
	async function die(how = {}) {
		const dead = life.end();
		life = makeLife(loaded, stored);
		for (const one of dead) store(asDied(loaded, one, stored.get(one.job.executionId), how));
		await sweep();
	}

	/** n8n calls what runs crashed, though it goes on: in queue mode it does, now and then. */
	async function takeForDead() {
		const how = { eventLog: false };
		for (const one of life.running()) {
			table.set(one.job.executionId, asDied(loaded, one, stored.get(one.job.executionId), how));
		}
		await sweep();
	}

	function remove(executionId) {
		table.delete(executionId);
		stored.delete(executionId);
	}

	const get = (executionId) => table.get(executionId);
	const loseProgress = (saves) => life.loseSaves(saves);
	return {
		start,
		retry,
		wake,
		crash,
		settle,
		die,
		kill,
		takeForDead,
		loseProgress,
		sleeperOf,
		get,
		remove,
		table,
	};
}

module.exports = { makeExecutions };
