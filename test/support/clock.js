'use strict';

const http = require('node:http');

/** A busy machine answers late: a request that waits for less would end for no reason. */
const MIN_REQUEST_MS = 1_500;

/**
 * Lets the timers of nodes and engine run `times` as fast, and those of requests that wait for an
 * answer, so that a minute of delays passes in a second. The sandbox keeps its own time.
 * @param {number} [leastMs] that requests wait for an answer
 * @returns {{ delaysMs: number[], restore(): void }} the delays that were wanted, and the way back
 */
function hurry(times, leastMs = MIN_REQUEST_MS) {
	const { setTimeout: timer } = globalThis;
	const { setTimeout: socketTimer } = http.ClientRequest.prototype;
	const delaysMs = [];
	const hurried = (run, ms = 0, ...values) => {
		delaysMs.push(ms);
		// The timer by which n8n's client waits for a connection.
		const atLeastMs = run.name === 'handleTimeout' ? leastMs : 0;
		return timer(run, Math.max(atLeastMs, ms / times), ...values);
	};
	const realms = [globalThis, globalThis.jestRealm?.global ?? globalThis];
	const timers = realms.map((realm) => realm.setTimeout);
	realms.forEach((realm) => (realm.setTimeout = hurried));
	http.ClientRequest.prototype.setTimeout = function (ms, ...rest) {
		return socketTimer.call(this, Math.max(leastMs, Math.ceil(ms / times)), ...rest);
	};
	const { timeout: signalTimer } = AbortSignal;
	AbortSignal.timeout = (ms) =>
		signalTimer.call(AbortSignal, Math.max(leastMs, Math.ceil(ms / times)));
	const restore = () => {
		AbortSignal.timeout = signalTimer;
		realms.forEach((realm, i) => (realm.setTimeout = timers[i]));
		http.ClientRequest.prototype.setTimeout = socketTimer;
	};
	return { delaysMs, restore };
}

/** Resolves once `holds()` is true; fails after 80 seconds, shortly before a test is given up. */
async function until(holds) {
	const { setTimeout: timer } = globalThis;
	const end = Date.now() + 240_000;
	while (!holds()) {
		if (Date.now() > end) throw new Error(`Never came true: ${holds}`);
		await new Promise((resolve) => timer(resolve, 2));
	}
}

module.exports = { hurry, until };
