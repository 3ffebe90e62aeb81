#!/usr/bin/env node
// `npm test`. Runs without node_modules: it installs what it needs first,
// so nothing but Node.js itself and sandbox/n8n (likewise) may be imported here.
import { parseArgs } from 'node:util';
import { writeFile } from 'node:fs/promises';
import { ensureDependencies, ensureRoomForN8n } from '../sandbox/n8n/install.mjs';
import { printFailure, Refusal, createReport, duration } from '../sandbox/n8n/report.mjs';
import { BUILD, CHECKS, installN8n, SCAN } from './runner/checks.mjs';
import { closingLine, printSummary, runLanes, runSteps } from './runner/steps.mjs';
import { e2eStep, jestStep, TOOLS } from './runner/suites.mjs';

const HELP = `npm test               what a change breaks first (installs a pinned n8n on first use, 2.8 GB)
npm test -- --all      the demo, templates, queue mode, kills, hostile answers and n8n's review tool, too

Options: --all; --strict (a skipped test counts as failed); --help
Environment: TEST_RESULT_FILE is a file that the closing line is written to.
`;

const OPTIONS = Object.fromEntries(
	['all', 'strict', 'help'].map((name) => [name, { type: 'boolean' }]),
);

function readOptions() {
	try {
		return parseArgs({ options: OPTIONS }).values;
	} catch (error) {
		throw new Refusal(`${error.message.split('. ')[0]}. --help shows the options.`);
	}
}

async function main() {
	const { all, strict, help } = readOptions();
	const report = createReport();
	if (help) {
		report.line(HELP);
		return 0;
	}
	// Random tests are tried less often then, and what is shown is looked at once.
	if (!all) process.env.DAILY = '1';
	const started = Date.now();
	await ensureRoomForN8n();
	await ensureDependencies(report);
	const n8n = installN8n(report);
	const results = await runSteps([BUILD], report);
	if (results.every(({ failed }) => failed === 0)) {
		const lanes = [
			[jestStep(all), TOOLS, ...CHECKS, ...(all ? [SCAN] : [])],
			[n8n, await e2eStep(all)],
		];
		results.push(...(await runLanes(lanes, report)));
	}
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
