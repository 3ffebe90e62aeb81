'use strict';

const { QUEUED_SHARE, stateOf } = require('./taskRecord');

// When things happened to a task, by the clock of the service, and which tasks its list shows.

/** Returns a time of this machine as the service's clock has it, in milliseconds. */
const byClockOf = ({ deployment: { clockSkewMs = 0 } }, ms) => ms + clockSkewMs;

/** The same as text; null for what has not happened. */
const isoOf = (state, ms) =>
	ms === undefined ? null : new Date(byClockOf(state, ms)).toISOString();

const isOver = (status) => !['queued', 'IN_PROGRESS'].includes(status);

/** Returns when a task began to be rendered, and when it ended; `undefined` for what has not happened. */
function timesOf(task, { status } = stateOf(task)) {
	const { at, renderMs, cancelledAt } = task;
	const begun = Math.floor(at + renderMs * QUEUED_SHARE);
	const wasNeverBegun = status === 'queued' || cancelledAt < begun;
	return {
		startedAt: wasNeverBegun ? undefined : begun,
		endedAt: isOver(status) ? (cancelledAt ?? at + renderMs) : undefined,
	};
}

/** Returns the tasks that a list has by now, the newest first. */
function listedTasks({ tasks, deployment: { listLagMs } }, now = Date.now()) {
	return [...tasks.values()]
		.filter(({ at, isRemoved }) => !isRemoved && now - at >= listLagMs)
		.reverse()
		.sort((one, other) => other.at - one.at);
}

module.exports = { byClockOf, isOver, isoOf, listedTasks, timesOf };
