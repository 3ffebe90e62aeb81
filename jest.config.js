/** @type {import('jest').Config} */
const shared = {
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'test/tsconfig.json', isolatedModules: true }] },
};

module.exports = {
	projects: [
		{ ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/{nodes,credentials}/**/*.test.ts'] },
		{ ...shared, displayName: 'sandbox', testMatch: ['<rootDir>/test/sandbox/**/*.test.ts'] },
		// Engine and package tests run what users get: the built files in dist/.
		{ ...shared, displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'] },
		{ ...shared, displayName: 'package', testMatch: ['<rootDir>/test/package/**/*.test.ts'] },
	],
};
