import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { packInto } from '../../sandbox/n8n/package.mjs';
import { single } from './steps.mjs';
import { toolStep } from './tools.mjs';

const SCAN_TREE = 'Scan of the work tree (n8n community package scanner)';
const SCAN_TARBALL = 'Scan of the tarball (n8n community package scanner)';

/** n8n's review tool. Imported late: it is one of the packages that have to be installed first. */
const scanner = async () => await import('@n8n/scan-community-package/scanner/scanner.mjs');

async function scan(title, folder, patterns) {
	const { analyzePackage } = await scanner();
	const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
	// A scan that looked at nothing passes too.
	return single(title, passed && message === '', `${message}\n${details}`);
}

async function scanTree() {
	const { SOURCE_FILE_PATTERNS } = await scanner();
	return await scan(SCAN_TREE, ROOT, SOURCE_FILE_PATTERNS);
}

async function scanTarball() {
	const temp = await mkdtemp(path.join(tmpdir(), 'n8n-scan-'));
	try {
		await packInto(temp);
		return await scan(SCAN_TARBALL, temp);
	} finally {
		await rm(temp, { recursive: true, force: true });
	}
}

const NODES_BASE = [
	'-c',
	path.join('test', 'runner', 'nodes-base.eslint.config.mjs'),
	'--max-warnings',
	'0',
	'nodes',
	'credentials',
	'package.json',
];
// It ends with exit code 0 after warnings.
const hasNoWarnings = (output) => !/\d+ warnings?\b/.test(output);

export const lintSteps = () => [
	toolStep('Lint (n8n-node lint)', 'n8n-node', ['lint'], hasNoWarnings),
	toolStep('Lint (eslint-plugin-n8n-nodes-base)', 'eslint', NODES_BASE),
	{ title: SCAN_TREE, run: scanTree },
	{ title: SCAN_TARBALL, run: scanTarball },
];
