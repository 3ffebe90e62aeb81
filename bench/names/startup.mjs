import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { nodeFolder } from '../../sandbox/n8n/folders.mjs';
import { ensureN8n } from '../../sandbox/n8n/install.mjs';
import { installPackage } from '../../sandbox/n8n/package.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { createReport } from '../../sandbox/n8n/report.mjs';
import { startN8n } from '../../sandbox/n8n/start.mjs';
import { cpuSeconds, memoryOf } from '../support/process.mjs';

export const about = "what the package adds to n8n's start: loaded alone, and in whole starts";
export const options = {};
export const rounds = 11;

const LOADS = path.resolve(import.meta.dirname, '..', 'support', 'loadNodes.cjs');
const EMPTY_NODE = `exports.Empty = class {
	description = {
		...{ displayName: 'Empty', name: 'empty', group: ['transform'], version: 1, properties: [] },
		...{ description: 'Does nothing', defaults: { name: 'Empty' }, inputs: ['main'], outputs: [] },
	};
};
`;

/** A community package of one node that does nothing, as small as n8n takes it; returns its folder. */
async function writeEmptyPackage(folder, name) {
	const target = path.join(folder, name);
	const n8n = { n8nNodesApiVersion: 1, nodes: ['dist/Empty.node.js'], credentials: [] };
	const manifest = JSON.stringify({ name, version: '1.0.0', n8n });
	await mkdir(path.join(target, 'dist'), { recursive: true });
	await writeFile(path.join(target, 'package.json'), manifest);
	await writeFile(path.join(target, 'dist', 'Empty.node.js'), EMPTY_NODE);
	return target;
}

/** Starts n8n until it answers, and ends it. */
async function startOnce(installed, userFolder) {
	const started = performance.now();
	const logFile = path.join(userFolder, 'n8n.log');
	const n8n = await startN8n({ installed, userFolder, port: await freePort(), logFile });
	const ms = performance.now() - started;
	const cpuMs = (await cpuSeconds(n8n.pid)) * 1000;
	const { nowMb } = await memoryOf(n8n.pid);
	await n8n.stop();
	return { 'Time (ms)': ms, 'CPU (ms)': cpuMs, 'Memory (MB)': nowMb };
}

export async function open({ source }) {
	const installed = await ensureN8n(createReport(process.stderr));
	const folder = await mkdtemp(path.join(tmpdir(), 'n8n-bench-'));
	const [without, withIt] = ['without', 'with'].map((name) => path.join(folder, name));
	const ours = await installPackage(withIt, source);
	const [first, empty] = await Promise.all(
		['n8n-nodes-first', 'n8n-nodes-empty'].map((name) => writeEmptyPackage(folder, name)),
	);
	const binary = path.join(nodeFolder(installed), 'bin', 'node');
	/** The first package of each process stands for n8n's own: it pays for what the loader takes once. */
	const load = async (target) => {
		const { stdout } = await execa(binary, ['--expose-gc', LOADS, installed, first, target]);
		const { ms, cpuMs, heapMb, files } = JSON.parse(stdout)[1];
		return { 'Time (ms)': ms, 'CPU (ms)': cpuMs, 'Memory (MB)': heapMb, 'Files read': files };
	};
	// The first start makes the database.
	for (const userFolder of [without, withIt]) await startOnce(installed, userFolder);
	return {
		measure: async () => [
			{ name: 'Loads one empty node', figures: await load(empty) },
			{ name: 'Loads this package', beside: 'Loads one empty node', figures: await load(ours) },
			{ name: 'n8n without it', figures: await startOnce(installed, without) },
			{
				...{ name: 'n8n with it', beside: 'n8n without it' },
				figures: await startOnce(installed, withIt),
			},
		],
		close: async () => await rm(folder, { recursive: true, force: true }),
	};
}
