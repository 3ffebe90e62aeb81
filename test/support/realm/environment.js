'use strict';

const { TestEnvironment } = require('jest-environment-node');

/**
 * Gives tests the realm of Jest itself, where n8n-core is loaded once for each worker; Jest's registry would
 * load it anew for each file of tests, in seconds. Errors and the clock are of that realm, too.
 */
module.exports = class extends TestEnvironment {
	constructor(...settings) {
		super(...settings);
		Object.assign(this.global, { Date, Error, jestRealm: { global: globalThis, require } });
	}
};
