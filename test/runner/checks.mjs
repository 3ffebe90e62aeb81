import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { buildPackage, packInto } from '../../sandbox/n8n/package.mjs';
import { runTool, single } from './steps.mjs';

const require = createRequire(import.meta.url);

/** A step that passes when `run()` does not throw and resolves to nothing, or to an empty text. */
const step = (title, run) => ({
	title,
	run: async () => {
		const trouble = await run();
		return single(title, !trouble, trouble);
	},
});

/** A step that passes when the tool ends with exit code 0 and `isClean(output)`. */
const toolStep = (title, name, args, isClean = () => true) => ({
	title,
	run: async () => {
		const { code, output } = await runTool(name, args);
		return single(title, code === 0 && isClean(output), output);
	},
});

// What these tools have found out of files that stay the same, they keep in node_modules/.cache.
const REMEMBERS = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tests.tsbuildinfo'];
const FORMAT = ['--check', '--cache', '--log-level', 'warn', '.'];

const TYPES = toolStep('Types', 'tsc', ['--noEmit', '-p', 'test', ...REMEMBERS]);

// A ratio or a number of seconds has no ID, so these three lists do without the words for IDs.
const OTHER_WORDS = ['display-name', 'description'].map(
	(part) => `n8n-nodes-base/node-param-${part}-wrong-for-dynamic-options`,
);

/**
 * n8n's lint again, with each node's description as it is built: most rules do not look into the
 * imported lists that ours are made of.
 */
async function lintBuilt() {
	const { ESLint } = await import('eslint');
	const eslint = new ESLint({ cwd: ROOT });
	const { nodes } = require('../../package.json').n8n;
	const lint = async (built) => {
		const [[, Node]] = Object.entries(require(path.join(ROOT, built)));
		const { usableAsTool, ...description } = new Node().description;
		const filePath = path.join(ROOT, built.replace('dist/', '').replace('.js', '.ts'));
		const literal = JSON.stringify(description, null, 1)
			.replace(/^( *)"(\w+)":/gm, '$1$2:')
			.replaceAll('"main"', 'NodeConnectionTypes.Main')
			.replaceAll('"ai_languageModel"', 'NodeConnectionTypes.AiLanguageModel');
		const source = await readFile(filePath, 'utf8');
		const text = source.replace(
			/(description: INodeTypeDescription = \{)[^]*?\n\t\};/,
			(_all, begin) => `${begin}\nusableAsTool: ${usableAsTool},${literal.slice(1)};`,
		);
		const [{ messages }] = await eslint.lintText(text, { filePath });
		return messages
			.filter(({ ruleId }) => ruleId?.startsWith('n8n') || ruleId?.startsWith('@n8n'))
			.filter(({ ruleId }) => !OTHER_WORDS.includes(ruleId))
			.map(({ ruleId, message }) => `${built}: ${message} (${ruleId})`);
	};
	return (await Promise.all(nodes.map(lint))).flat().join('\n');
}

/** n8n's review tool. Imported late: it is one of the packages that have to be installed first. */
const scanner = async () => await import('@n8n/scan-community-package/scanner/scanner.mjs');

async function scan(folder, patterns) {
	const { analyzePackage } = await scanner();
	const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
	// A scan that looked at nothing passes too, with a message.
	return passed && message === '' ? '' : `${message}\n${details}`;
}

async function scanTarball() {
	const temp = await mkdtemp(path.join(tmpdir(), 'n8n-scan-'));
	try {
		await packInto(temp);
		return await scan(temp);
	} finally {
		await rm(temp, { recursive: true, force: true });
	}
}

const NODES_BASE = [
	...['-c', path.join('test', 'runner', 'nodes-base.eslint.config.mjs'), '--max-warnings', '0'],
	...['nodes', 'credentials', 'package.json'],
];
// It ends with exit code 0 after warnings.
const hasNoWarnings = (output) => !/\d+ warnings?\b/.test(output);

/** Types and a build, and nothing else; the build checks the types of the nodes. */
export const FAST_CHECKS = [
	TYPES,
	step('Build (n8n-node build)', async () => await buildPackage()),
];

const LINT = toolStep('Lint (n8n-node lint)', 'n8n-node', ['lint'], hasNoWarnings);
const BUILD = step('Build (n8n-node build)', async () => await buildPackage({ always: true }));

/** Side by side. */
export const CHECKS = [[LINT], [BUILD, TYPES], [toolStep('Format', 'prettier', FORMAT)]];

/** What n8n's reviewers run beside it. */
export const REVIEW = [
	[
		toolStep('Lint (eslint-plugin-n8n-nodes-base)', 'eslint', NODES_BASE),
		step(
			'Scan of the work tree (n8n community package scanner)',
			async () => await scan(ROOT, (await scanner()).SOURCE_FILE_PATTERNS),
		),
	],
	[
		step('Lint of the built descriptions', lintBuilt),
		step('Scan of the tarball (n8n community package scanner)', scanTarball),
	],
];
