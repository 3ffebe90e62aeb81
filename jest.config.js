const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
const shared = {
	transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
};
const project = (displayName, ...folders) => ({
	...shared,
	displayName,
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
});

/** Loads n8n-core once for each worker. */
const sharedRealm = {
	testEnvironment: '<rootDir>/test/support/realm/environment.js',
	moduleNameMapper: {
		'^n8n-workflow$': '<rootDir>/test/support/realm/n8nWorkflow.js',
		'(^\\.|/support)/engine$': '<rootDir>/test/support/realm/engine.js',
	},
};

module.exports = {
	// Generous: the tests wait for events, and machines may be busy.
	testTimeout: 300_000,
	// One more than there are cores: the engine tests wait for their service a third of the time.
	maxWorkers: availableParallelism() + 1,
	projects: [
		project('unit', 'nodes'),
		project('sandbox', 'sandbox'),
		// Engine and package tests run what users get: the built files in dist/.
		{ ...project('engine', 'engine'), ...sharedRealm },
		project('package', 'package'),
	],
};
