import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { buildPackage, installPackage } from '../sandbox/n8n/package.mjs';
import { nodeFolder } from '../sandbox/n8n/folders.mjs';
import { ensureN8n } from '../sandbox/n8n/install.mjs';
import { createReport } from '../sandbox/n8n/report.mjs';
import { writeEmptyPackage } from './support/emptyPackage.mjs';
import { describeMachine, loadNow } from './support/machine.mjs';
import { median } from './support/median.mjs';
import { publishResult, toTable } from './support/table.mjs';
import { wholeStart } from './support/wholeStart.mjs';

// What the package adds to n8n's start: its own loading, in a process that does nothing else, because
// a whole start differs by more than that from one to the next; and whole starts with and without it.

const LOADS = path.resolve(import.meta.dirname, 'loadNodes.cjs');
const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '21' },
		starts: { type: 'string', default: '7' },
		write: { type: 'boolean', default: false },
	},
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

const mediansOf = (rows) => (figure, digits) =>
	median(rows.map((row) => row[figure])).toFixed(digits);

/** The first package of each process stands for n8n's own: it pays for what the loader takes once. */
async function measureLoads(installed, first, packages) {
	const node = path.join(nodeFolder(installed), 'bin', 'node');
	const seen = packages.map(() => []);
	for (let n = 0; n < Number(values.rounds); n++) {
		for (const [i, folder] of packages.entries()) {
			const { stdout } = await execa(node, ['--expose-gc', LOADS, installed, first, folder]);
			seen[i].push(JSON.parse(stdout)[1]);
		}
	}
	return seen;
}

async function measureStarts(installed, userFolders) {
	const seen = userFolders.map(() => []);
	// The first start makes the database.
	for (let n = -1; n < Number(values.starts); n++) {
		for (const [i, userFolder] of userFolders.entries()) {
			const start = await wholeStart(installed, userFolder);
			if (n >= 0) seen[i].push(start);
		}
	}
	return seen;
}

const installed = await ensureN8n(createReport(process.stderr));
await buildPackage();
const folder = await mkdtemp(path.join(tmpdir(), 'n8n-bench-'));
try {
	const withIt = path.join(folder, 'with');
	const ours = await installPackage(withIt);
	const [first, empty] = await Promise.all(
		['n8n-nodes-first', 'n8n-nodes-empty'].map((name) => writeEmptyPackage(folder, name)),
	);
	const load = loadNow();
	const loads = await measureLoads(installed, first, [empty, ours]);
	const starts = await measureStarts(installed, [path.join(folder, 'without'), withIt]);
	const loadTable = toTable(
		['Package', 'Time (ms)', 'CPU (ms)', 'Heap (MB)', 'Files read'],
		['One empty node', 'This package'].map((name, i) => {
			const of = mediansOf(loads[i]);
			return [name, of('ms', 1), of('cpuMs', 1), of('heapMb', 2), of('files', 0)];
		}),
	);
	const startTable = toTable(
		['n8n', 'Ready after (s)', 'CPU until then (s)', 'Resident (MB)'],
		['Without the package', 'With it'].map((name, i) => {
			const of = mediansOf(starts[i]);
			return [name, of('seconds', 1), of('cpu', 2), of('nowMb', 0)];
		}),
	);
	const counts = `Medians of ${values.rounds} loads and ${values.starts} starts each, in turns`;
	const about = `${counts}, load before ${load}. ${await describeMachine(installed)}`;
	await publishResult('startup', loadTable, values, `${startTable}\n\n${about}`);
} finally {
	await rm(folder, { recursive: true, force: true });
}
