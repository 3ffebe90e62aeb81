import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { n8nVersion, PREVIOUS, ROOT } from '../../sandbox/n8n/folders.mjs';
import { countTests, runTool } from './steps.mjs';

/** Jest runs nothing, and says nothing, where a file that is named has gone. */
const inEngine = (names) =>
	names.map((name) => {
		const file = `test/engine/${name}.test.ts`;
		if (!existsSync(path.join(ROOT, file))) throw new Error(`suites.mjs names ${file}`);
		return file;
	});

/**
 * The engine tests that `npm test -- --fast` runs, and `npm test` on the oldest engine, where each file
 * loads n8n-core anew, which takes seconds.
 */
export const MAIN_PATHS = inEngine([
	'allNodes/credentials',
	'allNodes/onError',
	'durable/sleep',
	'generateContent/request/request',
	'videoDownload/items',
	'videoGenerate/badInput',
	'videoGenerate/items',
	'videoGenerate/request',
	'videoStatus/looks',
]);

/** Tried on the current engine alone, because they are about answers and files rather than n8n. */
export const MONEY_TABLES = inEngine([
	...['faults/batch', 'faults/table', 'faults/orders', 'services/services'],
]);
/** Likewise, and not about money: only with `--all`. */
export const LONG_TABLES = inEngine([
	'allNodes/hostileAnswers',
	'arrivals/text',
	'arrivals/video',
	'durable/sameAsInProcess',
	'gateway/families',
	'gateway/refusals',
	'hostile/addresses',
	'hostile/editedCredential',
	'hostile/limits',
	'videoDownload/storage',
	'videoDownload/table',
	'videoJoin/films',
	'videoJoin/items',
]);

/** Unit tests that work on texts of many megabytes: likewise. */
export const LONG_UNITS = ['linearTime', 'longTexts'].map(
	(name) => `test/nodes/shared/${name}.test.ts`,
);

/** Runs the tests with a file that they write their results to; resolves to its text as well. */
async function withResultFile(runTests) {
	const temp = await mkdtemp(path.join(tmpdir(), 'test-result-'));
	const file = path.join(temp, 'result');
	try {
		const { code } = await runTests(file);
		return { code, text: await readFile(file, 'utf8').catch(() => '') };
	} finally {
		await rm(temp, { recursive: true, force: true });
	}
}

/** Reads Jest's own result file; a suite that could not run counts as one failed check. */
function readJestResult({ testResults }, exitCode) {
	const tests = testResults.flatMap(({ name, status, assertionResults }) => {
		const file = path.relative(ROOT, name);
		const hasFailed = assertionResults.some((test) => test.status === 'failed');
		const isBroken = status === 'failed' && !hasFailed;
		const ended = assertionResults.map((test) => ({
			name: `${file}: ${test.fullName}`,
			state: ['passed', 'failed'].includes(test.status) ? test.status : 'skipped',
			reason: test.failureMessages?.[0] ?? `marked as ${test.status} in its file`,
		}));
		return isBroken
			? [...ended, { name: `${file}: the suite did not run`, state: 'failed' }]
			: ended;
	});
	return countTests(tests, exitCode);
}

/** One step for each group of Jest projects; `more` are further options for Jest. */
export const jestSteps = (groups, more = []) =>
	groups.map((projects) => ({
		title: `Tests (${projects.join(', ')})`,
		run: async () => {
			const { code, text } = await withResultFile(async (file) => {
				const output = ['--ci', '--forceExit', '--json', '--outputFile', file];
				return await runTool('jest', [...output, '--selectProjects', ...projects, ...more], {
					show: true,
				});
			});
			return readJestResult(JSON.parse(text || '{"testResults":[]}'), code);
		},
	}));

const TEST_WITHIN_MS = 20 * 60_000;
const REPORTER = path.join(ROOT, 'test', 'runner', 'counts.reporter.mjs');

/** A step for tests of Node.js's own runner, so many files at a time. */
const nodeStep = (title, files, { atATime = 1, env = {} } = {}) => ({
	title,
	run: async () => {
		const { code, text } = await withResultFile(async (file) => {
			const args = [
				...['--test', `--test-timeout=${TEST_WITHIN_MS}`, `--test-concurrency=${atATime}`],
				...['--test-reporter=spec', '--test-reporter-destination=stdout'],
				...[`--test-reporter=${REPORTER}`, `--test-reporter-destination=${file}`],
			];
			return await run(process.execPath, [...args, ...files], { cwd: ROOT, env, show: true });
		});
		return countTests(text.split('\n').filter(Boolean).map(JSON.parse), code);
	},
});

/** Needs no n8n. */
export const TOOLS = nodeStep('Tests (installing and publishing)', ['test/runner/tools.test.mjs']);

const endsIn = '.test.mjs';
/** The end-to-end tests that sleep, that wait for a restart, or that are many: they begin first. */
const LONGEST = [
	...['deathQueue', 'death', 'demoByHand', 'durable'],
	...['outsideServices', 'editors', 'durableSettings'],
];
/** What is tried with the n8n before the current one, too, and what only that one has. */
const ON_PREVIOUS = ['streaming', 'nodes', 'paidOnce', 'film'];
const PREVIOUS_ONLY = ['fallbacks'];
/** Each file starts an n8n of its own, and most of them wait for most of their time. */
const AT_A_TIME = 5;

const allNames = (await readdir(path.join(ROOT, 'e2e')))
	.filter((name) => name.endsWith(endsIn))
	.map((name) => name.replace(endsIn, ''));

/** The package is built before. */
const endToEnd = (title, names, { atATime = AT_A_TIME, env } = {}) => {
	const files = names.map((name) => path.join('e2e', `${name}${endsIn}`));
	return nodeStep(title, files, { atATime, env: { PACKAGE_IS_BUILT: '1', ...env } });
};

/**
 * For every change: the nodes and the templates in a real n8n, and a visit of the editor; few at a time,
 * because they run beside other tests.
 */
export const dailyE2eSteps = () => [
	endToEnd('End to end', ['examples', 'editor', 'nodes'], {
		atATime: 2,
	}),
];

/** All of them. */
export const e2eSteps = () => [
	endToEnd(
		'End to end',
		[...new Set([...LONGEST, ...allNames])].filter((name) => !PREVIOUS_ONLY.includes(name)),
	),
	endToEnd(`End to end in n8n ${n8nVersion(PREVIOUS)}`, [...PREVIOUS_ONLY, ...ON_PREVIOUS], {
		env: { E2E_N8N: PREVIOUS },
	}),
];
