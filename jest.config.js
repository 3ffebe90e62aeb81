/** @type {import('jest').Config} */
const shared = { transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'test/tsconfig.json' }] } };
const project = (displayName, ...folders) => ({
	...shared,
	displayName,
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
});

module.exports = {
	projects: [
		project('unit', 'nodes', 'credentials'),
		project('sandbox', 'sandbox'),
		// Engine and package tests run what users get: the built files in dist/.
		project('engine', 'engine'),
		project('package', 'package'),
	],
};
