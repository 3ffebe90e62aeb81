#!/usr/bin/env node
// `npm test`. Runs without node_modules: it installs what it needs first,
// so nothing but Node.js itself and sandbox/n8n (likewise) may be imported here.
import { parseArgs } from 'node:util';
import { writeFile } from 'node:fs/promises';
import { ensureDependencies, ensureN8n, ensureRoomForN8n } from '../sandbox/n8n/install.mjs';
import { CURRENT, PREVIOUS } from '../sandbox/n8n/folders.mjs';
import { printFailure, Refusal, createReport, duration } from '../sandbox/n8n/report.mjs';
import { CHECKS, FAST_CHECKS, REVIEW } from './runner/checks.mjs';
import { closingLine, printSummary, runLanes, runSteps } from './runner/steps.mjs';
import {
	dailyE2eSteps,
	e2eSteps,
	jestSteps,
	LONG_TABLES,
	LONG_UNITS,
	MAIN_PATHS,
	MONEY_TABLES,
	TOOLS,
} from './runner/suites.mjs';

const HELP = `npm test                what a change breaks first (installs a pinned n8n on first use, 2.8 GB)
npm test -- --all       n8n's review tools, n8n 1, the demo, queue mode, deaths, agents, hostile answers and
                        files and all else, too (another n8n, 1.8 GB)
npm test -- --fast      type check, build, unit tests, engine tests of the main paths

Options: --all; --fast; --strict (a skipped test counts as failed); --help
Environment: TEST_RESULT_FILE is a file that the closing line is written to.
`;

const OPTIONS = Object.fromEntries(
	['all', 'fast', 'strict', 'help'].map((name) => [name, { type: 'boolean' }]),
);

function readOptions() {
	try {
		return parseArgs({ options: OPTIONS }).values;
	} catch (error) {
		throw new Refusal(`${error.message.split('. ')[0]}. --help shows the options.`);
	}
}

const QUICK = ['--testPathPatterns', ['test/nodes/', ...MAIN_PATHS].join('|')];
const ON_MAIN_PATHS = ['--testPathPatterns', MAIN_PATHS.join('|')];

const without = (files) => ['--testPathIgnorePatterns', ...files];

const fastSteps = () => [...FAST_CHECKS, ...jestSteps([['unit', 'engine']], QUICK), TOOLS];

const jestAndTools = (all) => [
	...jestSteps([['unit', 'sandbox', 'package']], all ? [] : without(LONG_UNITS)),
	...jestSteps([['engine']], all ? [] : without(LONG_TABLES)),
	...jestSteps(
		[['engine-1.120']],
		all ? without([...MONEY_TABLES, ...LONG_TABLES]) : ON_MAIN_PATHS,
	),
	...(all ? jestSteps([['engine-videos']]) : []),
	TOOLS,
];

/** Those for every change are side by side: all wait for much of their time. */
const wholeLanes = (all) =>
	all ? [[...jestAndTools(all), ...e2eSteps()]] : [jestAndTools(all), dailyE2eSteps()];

async function main() {
	const { all, fast, strict, help } = readOptions();
	const report = createReport();
	if (help) {
		report.line(HELP);
		return 0;
	}
	// Random tests are tried less often then, and what is shown is looked at once.
	if (!all) process.env.DAILY = '1';
	const started = Date.now();
	const majors = fast ? [] : all ? [CURRENT, PREVIOUS] : [CURRENT];
	if (!fast) await ensureRoomForN8n(...majors);
	await ensureDependencies(report);
	await Promise.all(majors.map(async (major) => await ensureN8n(report, major)));
	const results = fast
		? await runSteps(fastSteps(), report)
		: [
				...(await runLanes(CHECKS, report)),
				...(all ? await runLanes(REVIEW, report) : []),
				...(await runLanes(wholeLanes(all), report)),
			];
	printSummary(results, report, strict);
	report.line(`Time: ${duration(Date.now() - started)}`);
	const { text, failed } = closingLine(results, strict);
	if (process.env.TEST_RESULT_FILE) await writeFile(process.env.TEST_RESULT_FILE, `${text}\n`);
	report.line(text);
	return failed > 0 ? 1 : 0;
}

// Ends by exiting, so that what runs under it is ended too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

process.exitCode = await main().catch(printFailure);
