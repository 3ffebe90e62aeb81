import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { countTests, runTool } from './steps.mjs';

/**
 * Engine tests about answers and files rather than n8n or money, which take long: only with `--all`. Jest
 * says nothing where a file that is named has gone, so each is looked for.
 */
const LONG_TABLES = [
	'allNodes/answerLimits',
	'videoDownload/storage',
	'videoJoin/films',
	'videoJoin/sound',
].map((name) => {
	const file = `test/engine/${name}.test.ts`;
	if (!existsSync(path.join(ROOT, file))) throw new Error(`suites.mjs names ${file}`);
	return file;
});

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

/** All Jest projects at once, so that no worker waits for the end of another project. */
export const jestStep = (all) => ({
	title: 'Unit, engine and package tests',
	run: async () => {
		const { code, text } = await withResultFile(async (file) => {
			const output = ['--ci', '--forceExit', '--json', '--outputFile', file];
			const left = all ? [] : ['--testPathIgnorePatterns', ...LONG_TABLES];
			return await runTool('jest', [...output, ...left], { show: true });
		});
		return readJestResult(JSON.parse(text || '{"testResults":[]}'), code);
	},
});

const TEST_WITHIN_MS = 20 * 60_000;
const NODE_TESTS = path.join(ROOT, 'test', 'runner', 'nodeTests.mjs');

/** A step for tests of Node.js's own runner, so many files at a time, in this order. */
const nodeStep = (title, files, { atATime = 1, env = {} } = {}) => ({
	title,
	run: async () => {
		const { code, text } = await withResultFile(async (file) => {
			const args = [NODE_TESTS, file, `${atATime}`, `${TEST_WITHIN_MS}`, ...files];
			return await run(process.execPath, args, { cwd: ROOT, env, show: true });
		});
		return countTests(text.split('\n').filter(Boolean).map(JSON.parse), code);
	},
});

/** Needs no n8n. */
export const TOOLS = nodeStep('Tests (installing and publishing)', ['test/runner/tools.test.mjs']);

/** These begin first. */
const LONGEST = ['editor', 'queueMode', 'demo', 'templates', 'kills'];
const DAILY = ['nodes'];
/** Each file starts an n8n of its own, and waits for much of its time. */
const AT_A_TIME = 3;

/** The package is built before. */
export async function e2eStep(all) {
	const files = await readdir(path.join(ROOT, 'e2e'));
	const names = files.flatMap((file) => /^(.+)\.test\.mjs$/.exec(file)?.[1] ?? []);
	const chosen = all ? new Set([...LONGEST, ...names]) : DAILY;
	const paths = [...chosen].map((name) => path.join('e2e', `${name}.test.mjs`));
	return nodeStep('End to end', paths, { atATime: AT_A_TIME, env: { PACKAGE_IS_BUILT: '1' } });
}
