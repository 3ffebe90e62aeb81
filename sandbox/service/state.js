'use strict';

const { changeDeployment, DEFAULTS } = require('./deployment');

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
		reset() {
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
