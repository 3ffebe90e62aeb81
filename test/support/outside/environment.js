'use strict';

const { TestEnvironment } = require('jest-environment-node');

/**
 * Runs the engine outside of Jest's registry, which would load n8n-core anew for each file of tests, in
 * seconds. Errors and the clock are those outside, too.
 */
module.exports = class extends TestEnvironment {
	constructor(...settings) {
		super(...settings);
		Object.assign(this.global, { Date, Error, outside: { global: globalThis, require } });
	}
};
