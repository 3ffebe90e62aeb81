'use strict';

/** Waits, for some thousand turns of the event loop, until a condition holds. */
async function until(condition) {
	for (let turn = 0; turn < 100_000 && !condition(); turn++) {
		await new Promise(setImmediate);
	}
}

module.exports = { until };
