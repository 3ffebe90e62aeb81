import path from 'node:path';
import { run } from './command.mjs';
import { nodeFolder } from './folders.mjs';
import { Refusal } from './refusal.mjs';

const TOOLS = [
	['python3', 'python3'],
	['make', 'make'],
	['g++', 'g++'],
];
const LOADS = "new (require('sqlite3').Database)(':memory:').close()";

/**
 * n8n's database driver is the one package that has to be compiled: installs run without
 * packages' scripts, and the headers come from the Node.js beside n8n, not from the network.
 */
export async function buildSqlite(installed, logFile) {
	const node = nodeFolder(installed);
	const env = {
		PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env.PATH}`,
		npm_config_nodedir: node,
	};
	const cwd = installed;
	const built = await run('npm', ['rebuild', 'sqlite3'], { cwd, env, logFile });
	const loaded = await run(path.join(node, 'bin', 'node'), ['-e', LOADS], { cwd, env, logFile });
	if (built.code === 0 && loaded.code === 0) return;
	throw new Refusal(await whyNotBuilt(logFile));
}

async function whyNotBuilt(logFile) {
	const missing = [];
	for (const [command, debianPackage] of TOOLS) {
		const { code } = await run(command, ['--version']);
		if (code !== 0) missing.push(debianPackage);
	}
	if (missing.length === 0)
		return `n8n's database driver (sqlite3) could not be built. Log: ${logFile}`;
	return (
		`n8n's database driver (sqlite3) must be compiled on this machine, and ${missing.join(', ')} ` +
		`${missing.length > 1 ? 'are' : 'is'} missing. On Debian or Ubuntu: ` +
		`apt-get install -y ${missing.join(' ')}. Then run the same command again. Log: ${logFile}`
	);
}
