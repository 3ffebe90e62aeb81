const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
const shared = {
	setupFiles: ['<rootDir>/test/support/wornPatterns.js'],
	transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
};
const project = (displayName, ...folders) => ({
	...shared,
	displayName,
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
});

/** Loads n8n 2 once for each worker. n8n 1 needs Jest's registry, which gives the nodes its n8n-workflow. */
const outside = {
	testEnvironment: '<rootDir>/test/support/outside/environment.js',
	moduleNameMapper: {
		'^n8n-workflow$': '<rootDir>/test/support/outside/workflow.js',
		'(^\\.|/support)/engine$': '<rootDir>/test/support/outside/engine.js',
	},
};

module.exports = {
	// Generous: the tests wait for events, and machines may be busy.
	testTimeout: 30_000,
	// Two more than there are cores: the engine tests wait for their service a third of the time.
	maxWorkers: availableParallelism() + 2,
	projects: [
		project('unit', 'nodes'),
		project('sandbox', 'sandbox'),
		// Engine and package tests run what users get: the built files in dist/.
		{ ...project('engine', 'engine'), ...outside },
		{
			...project('engine-1.120', 'engine'),
			// The same tests on the oldest engine that is supported, with its own n8n-workflow.
			globals: { N8N_CORE: '1' },
			moduleNameMapper: {
				'^n8n-workflow$': '<rootDir>/node_modules/n8n-core-1/node_modules/n8n-workflow',
			},
		},
		{
			...project('engine-videos'),
			...outside,
			// What is about money once more, at a service of which only /v1/videos is there.
			globals: { SERVICE: { routes: 'openAiVideos', isNewApi: false } },
			testMatch: [
				...['durable/crash', 'durable/retry', 'faults/batch', 'faults/mended', 'faults/retry'],
				...['faults/table', 'videoGenerate/limit'],
			].map((name) => `<rootDir>/test/engine/${name}.test.ts`),
		},
		project('package', 'package'),
	],
};
