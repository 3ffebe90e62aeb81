'use strict';

const { startExecution } = require('./execution');
const { asCanceled, asCrashed, asDied, asKilled } = require('./interrupted');
const { runSubWorkflow, isParked, patchParent, waitsFor } = require('./subWorkflow');

const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);
const never = () => new Promise(() => {});

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
	/** What runs in n8n's process, with its event log. A death is the beginning of another life. */
	let life = { running: new Map() };
	// n8n's store of processed entries outlives an engine, so no two of them share an ID.
	let lastId = Date.now();
	/** Ends what still runs, also in a process that has died. */
	const endings = new Set();

	function store(result) {
		table.set(result.executionId, result);
		saves.get(result.executionId)?.push(result.saved.data);
		return result;
	}

	/** Begins an execution; `job.executionId` is given when a sleeping one goes on. */
	function start(job) {
		const executionId = job.executionId ?? String(++lastId);
		const here = life;
		/** In a process that has died, whatever still runs comes no further than its next call of n8n. */
		const lasting =
			(call) =>
			async (...values) =>
				await (here.isOver ? never() : call(...values));
		saves.set(executionId, [copy(job.runExecutionData)]);
		const log = { began: new Set(), ended: new Set() };
		const complete = {
			...job,
			executionId,
			executeWorkflow: lasting((info, _additionalData, options) =>
				runSubWorkflow(loaded, { start, job }, info, options),
			),
			/** What a node gets from `getExecutionDataById`. */
			getRunExecutionData: lasting(async (id) =>
				saves.has(id) ? copy(saves.get(id).at(-1)) : undefined,
			),
			began: (name) => void log.began.add(name),
			ended: lasting(async (name, data) => {
				log.ended.add(name);
				if (!job.workflowData.settings?.saveExecutionProgress) return;
				data.resultData.lastNodeExecuted = name;
				saves.get(executionId)?.push(copy(data));
			}),
		};
		const { done, stop: cancel } = startExecution(loaded, complete);
		endings.add(cancel);
		void done.then(() => endings.delete(cancel));
		const end = lasting(async (result) => {
			here.running.delete(executionId);
			return store(result);
		});
		const ended = done.then(end);
		here.running.set(executionId, { job: complete, ended, log });
		return { executionId, done: ended, stop: () => stop(executionId, cancel) };
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
		const { parentExecution } = child.saved.data;
		const parent = table.get(parentExecution?.executionId);
		if (child.status === 'waiting' || parent?.status !== 'waiting') return;
		if (parentExecution.shouldResume === false) return;
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
		const crashed = store(asCrashed(loaded, how.itself ? row : sleeper(row), how));
		await resumeParent(crashed);
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

	/** As WaitTracker.resumeParentsOfFinishedSubExecutions; says whether it resumed any. */
	async function sweep() {
		let resumed = false;
		for (const row of [...table.values()]) {
			if (row.status !== 'waiting' || life.running.has(row.executionId)) continue;
			const children = waitsFor(row).map((id) => table.get(id));
			const child = children.find((one) => one && ENDED.has(one.status));
			if (!child || !patchParent(row, child)) continue;
			resumed = true;
			await goOn(row);
		}
		return resumed;
	}

	/**
	 * Lets all that runs end or sleep, sub-executions too that nobody waits for, and what is parked on
	 * one that has ended go on. Returns the execution as it is then.
	 * @type {(result: RunResult) => Promise<RunResult>}
	 */
	async function settle({ executionId }) {
		do {
			const { running } = life;
			while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended));
		} while (await sweep());
		return table.get(executionId);
	}

	/**
	 * n8n is killed while executions run, and started again: they come no further, n8n marks them as
	 * crashed and goes on with what is parked on them. Of workflows that save their progress the last
	 * state is kept.
	 */
	async function die() {
		life.isOver = true;
		for (const [id, dead] of life.running) store(asDied(loaded, dead, saves.get(id).at(-1)));
		life = { running: new Map() };
		await sweep();
	}

	/**
	 * Deletes an execution, as people do in the executions list.
	 * @param {RunResult} execution
	 */
	function remove({ executionId }) {
		table.delete(executionId);
		saves.delete(executionId);
	}

	/**
	 * Every execution that has ended or sleeps, sub-executions too, in the order they did.
	 * @returns {RunResult[]}
	 */
	const executions = () => [...table.values()];
	const close = () => endings.forEach((end) => end());
	return { start, retry, wake, crash, settle, die, kill, sleeper, remove, executions, close };
}

module.exports = { makeExecutions };
