'use strict';

const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

/**
 * Collects what nothing needs any more.
 *
 * @returns {Promise<void>}
 */
async function collectGarbage() {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc');
	// A WeakRef holds its target until the end of the turn in which it was made or read.
	await new Promise((resolve) => setImmediate(resolve));
	collect();
}

module.exports = { collectGarbage };
