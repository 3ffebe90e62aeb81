/**
 * The engine tests that `npm run test:fast` runs. Each file of them loads n8n-core anew, which takes
 * seconds; the rest is for `npm test`.
 */
export const MAIN_PATHS = [
	'allNodes/credentials',
	'allNodes/onError',
	'durable/sleep',
	'generateContent/request/promptAndModel',
	'videoDownload/items',
	'videoGenerate/badInput',
	'videoGenerate/items',
	'videoGenerate/request',
	'videoStatus/looks',
].map((name) => `test/engine/${name}.test.ts`);
