import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { n8nVersion, PREVIOUS, ROOT } from '../../sandbox/n8n/folders.mjs';
import { countTests, runTool } from './steps.mjs';

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
	...['allNodes/hostileAnswers', 'faults/table', 'hostile/limits', 'videoDownload/table'],
].map((name) => `test/engine/${name}.test.ts`);

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
export function readJestResult({ testResults }, exitCode) {
	const tests = testResults.flatMap(({ name, status, assertionResults }) => {
		const file = path.relative(ROOT, name);
		const hasFailed = assertionResults.some((test) => test.status === 'failed');
		const isBroken = status === 'failed' && !hasFailed;
		const ended = assertionResults.map((test) => ({
			name: `${file}: ${test.fullName}`,
			state: ['passed', 'failed'].includes(test.status) ? test.status : 'skipped',
			reason: `marked as ${test.status} in its file`,
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

/** A step for tests of Node.js's own runner. */
const nodeStep = (title, files, env = {}) => ({
	title,
	run: async () => {
		const { code, text } = await withResultFile(async (file) => {
			const args = [
				...['--test', `--test-timeout=${TEST_WITHIN_MS}`, `--test-concurrency=${files.length}`],
				...['--test-reporter=spec', '--test-reporter-destination=stdout'],
				...[`--test-reporter=${REPORTER}`, `--test-reporter-destination=${file}`],
			];
			return await run(process.execPath, [...args, ...files], { cwd: ROOT, env, show: true });
		});
		return countTests(text.split('\n').filter(Boolean).map(JSON.parse), code);
	},
});

/** What the demo and this runner are made of; needs no n8n. */
export const TOOLS = nodeStep('Tests (demo and runner)', ['test/runner/tools.test.mjs']);

/** Side by side: most sleep or wait for a restart, the others use one of two cores at a time. */
const TOGETHER = [
	['agentModel', 'agentTools', 'chatModel'],
	['communityNodes', 'examples'],
	['demo', 'demoOptions', 'nodes'],
	['editor', 'film', 'paidOnce'],
	['editorJourney', 'streaming'],
	['durable', 'durableSettings', 'sleepingExamples'],
	['death', 'deathQueue'],
];
/** What the n8n before the current one is tried with, too. */
const PREVIOUS_ONLY = ['durableFallback', 'chatModelFallback'];
const ON_PREVIOUS = [
	['nodes', 'paidOnce'],
	['film', 'streaming', ...PREVIOUS_ONLY],
];

const ALL = (await readdir(path.join(ROOT, 'e2e')))
	.filter((name) => name.endsWith('.test.mjs'))
	.map((name) => name.replace('.test.mjs', ''));
const NOT_ALONE = [...TOGETHER.flat(), ...PREVIOUS_ONLY];
const ALONE = ALL.filter((name) => !NOT_ALONE.includes(name));
const inFolder = (names) => names.map((name) => path.join('e2e', `${name}.test.mjs`));

const onCurrent = (names) => nodeStep(`End to end (${names.join(', ')})`, inFolder(names));
const onPrevious = (names) =>
	nodeStep(`End to end in n8n ${n8nVersion(PREVIOUS)} (${names.join(', ')})`, inFolder(names), {
		E2E_N8N: PREVIOUS,
	});

/** For every change: the nodes and the demo in a real n8n, one visit of the editor, one sleep. */
export const dailyE2eSteps = () => [onCurrent(['demo', 'editor', 'nodes', 'sleepingExamples'])];

/** Every file starts an n8n of its own. The first ones run alone, and build the package. */
export const e2eSteps = () => [
	...ALONE.map((name) => onCurrent([name])),
	...TOGETHER.map(onCurrent),
	...ON_PREVIOUS.map(onPrevious),
];
