import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { ensureN8n } from '../../sandbox/n8n/install.mjs';
import { buildPackage, packInto } from '../../sandbox/n8n/package.mjs';
import { runTool, single } from './steps.mjs';

/** A step that passes when `run()` does not throw and resolves to nothing, or to an empty text. */
const step = (title, run) => ({
	title,
	run: async () => {
		const trouble = await run();
		return single(title, !trouble, trouble);
	},
});

/** A step that passes when the tool ends with exit code 0. */
const toolStep = (title, name, args) =>
	step(title, async () => {
		const { code, output } = await runTool(name, args);
		return code === 0 ? '' : output || `${name} ended with exit code ${code}`;
	});

/** All other steps need it. */
export const BUILD = step('Build', async () => await buildPackage({ always: true }));

const LINT = path.join(ROOT, 'test', 'runner', 'lint.mjs');

// What these tools have found out of files that stay the same, they keep in node_modules/.cache.
export const CHECKS = [
	toolStep('Types', 'tsc', [
		...['--noEmit', '-p', 'test', '--incremental'],
		...['--tsBuildInfoFile', 'node_modules/.cache/tests.tsbuildinfo'],
	]),
	step('Lint', async () => (await run(process.execPath, [LINT], { cwd: ROOT })).output),
	toolStep('Written files', 'gulp', ['check', '--silent']),
	toolStep('Format', 'prettier', ['--check', '--cache', '--log-level', 'warn', '.']),
];

/** n8n's review tool, on what would be published. */
export const SCAN = step("Scan by n8n's review tool", async () => {
	// Imported late: it is one of the packages that have to be installed first.
	const { analyzePackage } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const temp = await mkdtemp(path.join(tmpdir(), 'n8n-scan-'));
	try {
		await packInto(temp);
		const { passed, message = '', details = '' } = await analyzePackage(temp);
		// A scan that looked at nothing passes too, with a message.
		return passed && message === '' ? '' : `${message}\n${details}`;
	} finally {
		await rm(temp, { recursive: true, force: true });
	}
});

/** Begins to install n8n; the step waits for it. */
export function installN8n(report) {
	const installed = ensureN8n(report);
	// The step says it.
	installed.catch(() => {});
	return step('n8n', async () => void (await installed));
}
