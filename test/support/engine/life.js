'use strict';

const never = () => new Promise(() => {});

/**
 * One life of n8n's process: what runs in it, and what it writes to the database meanwhile. Once it
 * has ended, whatever still runs comes no further than its next call of n8n.
 */
function makeLife({ copy }, stored) {
	const running = new Map();
	/** n8n's event log, by execution. */
	const logs = new Map();
	let isOver = false;
	let savesToLose = 0;

	const lasting =
		(call) =>
		async (...values) =>
			isOver ? await never() : await call(...values);

	/** As the hooks of n8n: the event log, and the progress of workflows that save it. */
	function watch(executionId, { settings }) {
		const log = logs.get(executionId) ?? { began: new Set(), ended: new Set() };
		logs.set(executionId, log);
		return {
			began: (name) => void (isOver || log.began.add(name)),
			ended: lasting(async (name, data) => {
				log.ended.add(name);
				if (settings?.saveExecutionProgress !== true) return;
				if (savesToLose-- > 0) return;
				data.resultData.lastNodeExecuted = name;
				stored.set(executionId, copy(data));
			}),
		};
	}

	function run(job, done, store) {
		const { executionId } = job;
		const ended = done.then(async (result) => {
			if (isOver) return await never();
			running.delete(executionId);
			return store(result);
		});
		running.set(executionId, { job, ended, log: logs.get(executionId) });
		return ended;
	}

	return {
		lasting,
		watch,
		run,
		loseSaves: (count) => void (savesToLose = count),
		runs: (executionId) => running.has(executionId),
		running: () => [...running.values()],
		async allEnded() {
			while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended));
		},
		end() {
			isOver = true;
			return [...running.values()];
		},
	};
}

module.exports = { makeLife };
