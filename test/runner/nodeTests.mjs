import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { n8nVersion, PREVIOUS, ROOT } from '../../sandbox/n8n/folders.mjs';
import { outcome } from './steps.mjs';

const TEST_WITHIN_MS = 20 * 60_000;
const REPORTER = path.join(ROOT, 'test', 'runner', 'counts.reporter.mjs');
const FILES = (await readdir(path.join(ROOT, 'e2e'))).filter((name) => name.endsWith('.test.mjs'));

function readCounts(text, exitCode) {
	const tests = text.split('\n').filter(Boolean).map(JSON.parse);
	const named = ({ name, file }) => (file ? `${path.relative(ROOT, file)}: ${name}` : name);
	const of = (state) => tests.filter((test) => test.state === state);
	const problems = of('failed').map((test) => ({ name: named(test) }));
	if (tests.length === 0) problems.push({ name: 'No test ran' });
	if (exitCode !== 0 && problems.length === 0) {
		problems.push({ name: `The test runner ended with exit code ${exitCode}` });
	}
	const skipped = of('skipped').map((test) => ({ name: named(test), reason: test.reason }));
	return outcome({ passed: of('passed').length, failed: problems.length, skipped, problems });
}

async function runNodeTests(files, env) {
	const temp = await mkdtemp(path.join(tmpdir(), 'test-result-'));
	try {
		const counts = path.join(temp, 'counts.jsonl');
		const args = [
			'--test',
			`--test-timeout=${TEST_WITHIN_MS}`,
			'--test-reporter=spec',
			'--test-reporter-destination=stdout',
			`--test-reporter=${REPORTER}`,
			`--test-reporter-destination=${counts}`,
			`--test-concurrency=${files.length}`,
			...files,
		];
		const { code } = await run(process.execPath, args, { cwd: ROOT, env, show: true });
		return readCounts(await readFile(counts, 'utf8').catch(() => ''), code);
	} finally {
		await rm(temp, { recursive: true, force: true });
	}
}

const step = (title, files, env = {}) => ({
	title,
	run: async () => await runNodeTests(files, env),
});

/** Side by side: most sleep or wait for a restart, the others use one of two cores at a time. */
const TOGETHER = [
	['agentModel.test.mjs', 'agentTools.test.mjs', 'nativeModel.test.mjs'],
	['communityNodes.test.mjs', 'examples.test.mjs'],
	['demo.test.mjs', 'demoOptions.test.mjs', 'nodes.test.mjs'],
	['editor.test.mjs', 'film.test.mjs', 'paidOnce.test.mjs'],
	['editorJourney.test.mjs', 'streaming.test.mjs'],
	['durable.test.mjs', 'durableSettings.test.mjs', 'sleepingExamples.test.mjs'],
	['death.test.mjs', 'deathQueue.test.mjs'],
];
/** What the n8n before the current one is tried with, too. */
const PREVIOUS_ONLY = ['durableFallback.test.mjs', 'nativeModelFallback.test.mjs'];
const ON_PREVIOUS = [
	['nodes.test.mjs', 'paidOnce.test.mjs'],
	['film.test.mjs', 'streaming.test.mjs', ...PREVIOUS_ONLY],
];
/** Of all of them, what shows that the nodes work, sleep and are seen; for every change. */
const DAILY = [['demo.test.mjs', 'editor.test.mjs', 'nodes.test.mjs', 'sleepingExamples.test.mjs']];
const NOT_ALONE = [...TOGETHER.flat(), ...PREVIOUS_ONLY];
const ALONE = FILES.filter((file) => !NOT_ALONE.includes(file));
const inFolder = (files) => files.map((file) => path.join('e2e', file));

/** What the demo and this runner are made of; needs no n8n. */
export const toolSteps = () => [
	step('Tests (demo and runner)', [path.join('test', 'runner', 'tools.test.mjs')]),
];

const onCurrent = (files) => step(`End to end (${files.join(', ')})`, inFolder(files));
const onPrevious = (files) =>
	step(`End to end in n8n ${n8nVersion(PREVIOUS)} (${files.join(', ')})`, inFolder(files), {
		E2E_N8N: PREVIOUS,
	});

/** For every change: the nodes and the demo in a real n8n, one visit of the editor, one sleep. */
export const dailyE2eSteps = () => DAILY.map(onCurrent);

/** Every file starts an n8n of its own. The first ones run alone, and build the package. */
export const e2eSteps = () => [
	...ALONE.map((file) => onCurrent([file])),
	...TOGETHER.map(onCurrent),
	...ON_PREVIOUS.map(onPrevious),
];
