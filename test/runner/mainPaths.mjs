/**
 * The engine tests that `npm run test:fast` runs. Each file of them loads n8n-core anew, which takes
 * seconds; the rest is for `npm test`.
 */
export const MAIN_PATHS = [
	'allNodes/credentials',
	'allNodes/onError',
	'durable/sleep',
	'generateContent/request/request',
	'videoDownload/items',
	'videoGenerate/badInput',
	'videoGenerate/items',
	'videoGenerate/request',
	'videoStatus/looks',
].map((name) => `test/engine/${name}.test.ts`);

/**
 * The tables that take longest, and are about answers rather than about n8n: `npm test` fills them on
 * the current engine, and `npm test -- --all` on the oldest one, too.
 */
export const LONG_TABLES = [
	'allNodes/hostileAnswers',
	'faults/table',
	'hostile/limits',
	'videoDownload/table',
].map((name) => `test/engine/${name}.test.ts`);
