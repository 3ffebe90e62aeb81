import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { n8nVersion, nodeFolder } from '../../sandbox/n8n/folders.mjs';

/** One sentence about where the figures come from. */
export async function describeMachine(installed) {
	const manifest = path.join(nodeFolder(installed), 'package.json');
	const { version } = JSON.parse(await readFile(manifest, 'utf8'));
	const cores = os.cpus();
	const memoryGb = Math.round(os.totalmem() / 1e9);
	const model = cores[0].model.replace(/\((R|TM)\)/g, '');
	return (
		`Measured with n8n ${n8nVersion()} on Node.js ${version} (SQLite, regular mode), ` +
		`${cores.length} cores (${model}), ${memoryGb} GB of memory, Linux ${process.arch}.`
	);
}

/** What the machine was busy with in the minute before: processes that wanted a core. */
export const loadNow = () => os.loadavg()[0].toFixed(1);
