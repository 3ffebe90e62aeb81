import { duration } from '../../sandbox/n8n/report.mjs';

/**
 * A step is `{ title, run }`; `run()` returns `{ passed, failed, skipped, problems }`: counts, and
 * lists of `{ name, reason }` for what was skipped or did not pass.
 */
export function outcome({ passed = 0, failed = 0, skipped = [], problems = [] }) {
	return { passed, failed, skipped, problems };
}

/** The outcome of something that either holds or not; `reason` is printed where it does not. */
export function single(title, ok, reason = '') {
	if (ok) return outcome({ passed: 1 });
	return outcome({ failed: 1, problems: [{ name: title, reason }] });
}

/** Runs the steps in turn with a heading and the time each took; one that breaks has failed. */
export async function runSteps(steps, report) {
	const results = [];
	for (const [index, { title, run }] of steps.entries()) {
		report.line(`\n== ${index + 1}/${steps.length} ${title}`);
		const started = Date.now();
		const result = await run().catch((error) => single(title, false, error.message));
		result.problems.filter(({ reason }) => reason).forEach(({ reason }) => report.line(reason));
		const took = duration(Date.now() - started);
		report.line(
			`-- ${title}: ${countsOf(result.passed, result.failed, result.skipped.length)} (${took})`,
		);
		results.push({ title, took, ...result });
	}
	return results;
}

function countsOf(passed, failed, skipped) {
	const counts = `${passed} passed, ${failed} failed`;
	return skipped > 0 ? `${counts}, ${skipped} skipped` : counts;
}

/** The line that everything ends with; strictly counted, what was skipped has failed. */
export function closingLine(results, strict = false) {
	const sum = (count) => results.reduce((total, result) => total + count(result), 0);
	const skipped = sum((result) => result.skipped.length);
	const passed = sum((result) => result.passed);
	const failed = sum((result) => result.failed) + (strict ? skipped : 0);
	return { text: countsOf(passed, failed, strict ? 0 : skipped), failed };
}

/** Each step's counts, then what failed and what was skipped, by name. */
export function printSummary(results, report, strict = false) {
	report.line('\n== Summary');
	for (const { title, took, passed, failed, skipped } of results) {
		report.line(
			`${failed > 0 ? 'FAIL' : ' ok '} ${title}: ${countsOf(passed, failed, skipped.length)} (${took})`,
		);
	}
	const failures = results.flatMap(({ problems }) => problems);
	if (failures.length > 0) report.line('\nFailed:');
	failures.forEach(({ name }) => report.line(`  ${name}`));
	const skips = results.flatMap(({ skipped }) => skipped);
	if (skips.length > 0) report.line(strict ? '\nSkipped (counts as failed):' : '\nSkipped:');
	skips.forEach(({ name, reason }) => report.line(`  ${name}: ${reason}`));
	report.line('');
}
