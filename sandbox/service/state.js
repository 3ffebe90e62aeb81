'use strict';

const { changeDeployment, DEFAULTS } = require('./deployment');

/** A gate that opens once for all who wait at it; the next ones wait for the next time. */
function createGate() {
	let waiting = [];
	return {
		/** @param {AbortSignal} signal ends the waiting, too */
		wait: (signal) =>
			new Promise((resolve) => {
				waiting.push(resolve);
				signal.addEventListener('abort', () => resolve(undefined), { once: true });
			}),
		open() {
			for (const resolve of waiting) resolve();
			waiting = [];
		},
	};
}

/** Everything that a sandbox remembers. `reset` brings back the moment after its start. */
function createState({ key, logger, ...settings }) {
	const atStart = changeDeployment(DEFAULTS, settings);
	const state = {
		key,
		log: typeof logger === 'function' ? logger : undefined,
		url: '',
		foreignUrl: '',
		otherPortUrl: '',
		deployment: atStart,
		/** The same array for the sandbox's whole life, so that callers may keep hold of it. */
		records: [],
		/** @type {Map<string, object>} */
		tasks: new Map(),
		/** How many requests each list of answers has served. @type {Map<string, number>} */
		counters: new Map(),
		requestCount: 0,
		/** Streams with `holdAfterChunks` wait here. */
		gate: createGate(),
		reset() {
			state.gate.open();
			state.deployment = atStart;
			state.records.length = 0;
			state.tasks.clear();
			state.counters.clear();
			state.requestCount = 0;
		},
	};
	return state;
}

module.exports = { createState };
