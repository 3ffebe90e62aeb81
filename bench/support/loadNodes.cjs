'use strict';

// Runs in a process of its own, with n8n's Node.js: loads packages one after the other as n8n does at
// its start, and prints what each took. Before it loads ours, n8n has loaded its own packages, so what
// the loader itself takes the first time is that of the first package here.

const { createRequire } = require('node:module');
const path = require('node:path');

const [installed, ...folders] = process.argv.slice(2);
const requireFromN8n = createRequire(path.join(installed, 'node_modules', 'n8n', 'package.json'));
// As n8n does it, so that community nodes find its own n8n-workflow.
process.env.NODE_PATH = path.join(installed, 'node_modules');
require('node:module')._initPaths();

requireFromN8n('reflect-metadata');
const { LazyPackageDirectoryLoader } = requireFromN8n('n8n-core');
requireFromN8n('n8n-workflow');

function memory() {
	global.gc();
	const { heapUsed, rss } = process.memoryUsage();
	return { heapUsed, rss };
}

async function measure(folder) {
	const before = memory();
	const filesBefore = Object.keys(require.cache).length;
	const cpuBefore = process.cpuUsage();
	const started = performance.now();
	const loader = new LazyPackageDirectoryLoader(folder);
	await loader.loadAll();
	const ms = performance.now() - started;
	const { user, system } = process.cpuUsage(cpuBefore);
	const after = memory();
	return {
		ms,
		cpuMs: (user + system) / 1000,
		heapMb: (after.heapUsed - before.heapUsed) / 1e6,
		rssMb: (after.rss - before.rss) / 1e6,
		files: Object.keys(require.cache).length - filesBefore,
		nodes: loader.types.nodes.length,
		credentials: loader.types.credentials.length,
	};
}

async function main() {
	const results = [];
	for (const folder of folders) results.push(await measure(folder));
	process.stdout.write(JSON.stringify(results));
}

void main();
