import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { duration } from '../../sandbox/n8n/report.mjs';

// A step is `{ title, run }`; `run()` returns `{ passed, failed, skipped, problems }`: counts, and
// lists of `{ name, reason }` for what was skipped or did not pass. Of a failed test, which has told
// its story where it ran, the summary repeats the beginning: `{ name, message }`.

const LINES_OF_A_FAILURE = 5;

/** The result of something that either holds or not; `reason` is printed where it does not. */
export const single = (name, ok, reason = '') => ({
	...{ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] },
	problems: ok ? [] : [{ name, reason }],
});

/** Counts tests, `{ name, state, reason }`; a runner that ended badly without one is a failure. */
export function countTests(tests, exitCode) {
	const inState = (state) => tests.filter((test) => test.state === state);
	const problems = inState('failed').map(({ name, reason: message }) => ({ name, message }));
	if (tests.length === 0) problems.push({ name: 'No test ran' });
	else if (exitCode !== 0 && problems.length === 0) {
		problems.push({ name: `The test runner ended with exit code ${exitCode}` });
	}
	const passed = inState('passed').length;
	return { passed, failed: problems.length, skipped: inState('skipped'), problems };
}

/** Runs a command-line tool of this repository's packages; `show` prints what it writes. */
export const runTool = async (name, args, { show = false } = {}) =>
	await run(path.join(ROOT, 'node_modules', '.bin', name), args, { cwd: ROOT, show });

/** Runs the steps in turn with a heading and the time each took; one that breaks has failed. */
export async function runSteps(steps, report) {
	const results = [];
	for (const { title, run: runStep } of steps) {
		report.line(`\n== ${title}`);
		const started = Date.now();
		const result = await runStep().catch((error) => single(title, false, error.message));
		result.problems.filter(({ reason }) => reason).forEach(({ reason }) => report.line(reason));
		const took = duration(Date.now() - started);
		const line = `${title}: ${toCounts(result, result.skipped.length)} (${took})`;
		report.line(`-- ${line}`);
		results.push({ line, ...result });
	}
	return results;
}

/** Runs lists of steps side by side; what they print is mixed, and each line says whose it is. */
export const runLanes = async (lanes, report) =>
	(await Promise.all(lanes.map(async (steps) => await runSteps(steps, report)))).flat();

function toCounts({ passed, failed }, skipped) {
	const counts = `${passed} passed, ${failed} failed`;
	return skipped > 0 ? `${counts}, ${skipped} skipped` : counts;
}

/** The line that everything ends with; strictly counted, what was skipped has failed. */
export function closingLine(results, strict = false) {
	const sum = (count) => results.reduce((total, result) => total + count(result), 0);
	const skipped = sum((result) => result.skipped.length);
	const passed = sum((result) => result.passed);
	const failed = sum((result) => result.failed) + (strict ? skipped : 0);
	return { text: toCounts({ passed, failed }, strict ? 0 : skipped), failed };
}

/** Each step's counts, then what failed and what was skipped, by name. */
export function printSummary(results, report, strict = false) {
	report.line('\n== Summary');
	for (const { line, failed } of results) report.line(`${failed > 0 ? 'FAIL' : ' ok '} ${line}`);
	const failures = results.flatMap(({ problems }) => problems);
	if (failures.length > 0) report.line('\nFailed:');
	for (const { name, message } of failures) {
		report.line(`  ${name}`);
		if (message) report.line(`    ${message.split('\n', LINES_OF_A_FAILURE).join('\n    ')}`);
	}
	const skips = results.flatMap(({ skipped }) => skipped);
	if (skips.length > 0) report.line(strict ? '\nSkipped (counts as failed):' : '\nSkipped:');
	skips.forEach(({ name, reason }) => report.line(`  ${name}: ${reason}`));
	report.line('');
}
