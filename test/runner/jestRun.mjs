import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { outcome } from './steps.mjs';
import { runTool } from './tools.mjs';

/** Reads Jest's own result file; a suite that could not run counts as one failed check. */
export function readJestResult(result, exitCode) {
	const tests = result.testResults.flatMap(({ name, assertionResults }) =>
		assertionResults.map((test) => ({ ...test, file: path.relative(ROOT, name) })),
	);
	const broken = result.testResults.filter(
		({ status, assertionResults }) =>
			status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
	);
	const named = ({ file, fullName }) => `${file}: ${fullName}`;
	const isSkipped = ({ status }) => ['pending', 'todo', 'disabled', 'skipped'].includes(status);
	const problems = [
		...tests.filter(({ status }) => status === 'failed').map((test) => ({ name: named(test) })),
		...broken.map(({ name }) => ({ name: `${path.relative(ROOT, name)}: the suite did not run` })),
	];
	const passed = tests.filter(({ status }) => status === 'passed').length;
	if (passed + problems.length === 0) problems.push({ name: 'Jest found no tests' });
	if (exitCode !== 0 && problems.length === 0) {
		problems.push({ name: `Jest ended with exit code ${exitCode}` });
	}
	const skipped = tests
		.filter(isSkipped)
		.map((test) => ({ name: named(test), reason: `marked as ${test.status} in its file` }));
	return outcome({ passed, failed: problems.length, skipped, problems });
}

async function runJest(projects, more) {
	const temp = await mkdtemp(path.join(tmpdir(), 'jest-result-'));
	try {
		const outputFile = path.join(temp, 'result.json');
		const args = [
			'--ci',
			'--forceExit',
			'--json',
			'--outputFile',
			outputFile,
			'--selectProjects',
			...projects,
			...more,
		];
		const { code } = await runTool('jest', args, { show: true });
		const text = await readFile(outputFile, 'utf8').catch(() => '{"testResults":[]}');
		return readJestResult(JSON.parse(text), code);
	} finally {
		await rm(temp, { recursive: true, force: true });
	}
}

/** One step for each group of Jest projects; `more` are further options for Jest. */
export const jestSteps = (groups, more = []) =>
	groups.map((projects) => ({
		title: `Tests (${projects.join(', ')})`,
		run: async () => await runJest(projects, more),
	}));
