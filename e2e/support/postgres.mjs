import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { startServer } from './server.mjs';

const VERSIONS = '/usr/lib/postgresql';
const HOST = '127.0.0.1';
const USER = 'n8n';
const DATABASE = 'postgres';
// PostgreSQL refuses to run as root; setpriv becomes the server, so the process is still our child.
const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'];
const IS_ROOT = process.getuid?.() === 0;
const PREFIX = IS_ROOT ? AS_POSTGRES : [];

/** Debian puts the server on no PATH: each version has a folder of its own. */
const BINARIES = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
	.sort((one, other) => Number(other) - Number(one))
	.map((version) => path.join(VERSIONS, version, 'bin'))
	.find((folder) => existsSync(path.join(folder, 'postgres')));

/** A reason to skip a test, or false: as Node.js's test runner takes it. */
export const skipWithoutPostgres = BINARIES
	? false
	: `${VERSIONS}/<version>/bin/postgres is missing (Debian package: postgresql)`;

/**
 * A PostgreSQL of its own with its data in `folder`: `{ host, port, user, database, stop() }`.
 * It listens on this machine only and asks for no password. What it has confirmed is on the disk
 * (fsync is on), because that is what the tests are about.
 */
export async function startPostgres(folder) {
	if (skipWithoutPostgres) throw new Error(skipWithoutPostgres);
	const data = await initialize(path.join(folder, 'postgres'));
	const port = await freePort();
	// No unix socket: its path may be no longer than 107 characters, and nobody uses it.
	const args = ['-D', data, '-h', HOST, '-p', String(port), '-c', 'unix_socket_directories='];
	const question = ['-q', '-h', HOST, '-p', String(port), '-U', USER, '-d', DATABASE];
	const stop = await startServer({
		name: 'PostgreSQL',
		command: [...PREFIX, path.join(BINARIES, 'postgres'), ...args],
		cwd: data,
		logFile: path.join(folder, 'postgres.log'),
		// "Immediate shutdown": takes its own processes along and leaves unwritten what goes anyway.
		endSignal: 'SIGQUIT',
		isReady: async () => (await run(path.join(BINARIES, 'pg_isready'), question)).code === 0,
	});
	return { host: HOST, port, user: USER, database: DATABASE, stop };
}

async function initialize(data) {
	await mkdir(data, { mode: 0o700 });
	if (IS_ROOT) {
		// mkdtemp makes folders that only root may pass through.
		await chmod(path.dirname(data), 0o711);
		await work('chown', ['postgres:postgres', data]);
	}
	const options = ['--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'];
	const [file, ...rest] = [...PREFIX, path.join(BINARIES, 'initdb'), '-D', data, ...options];
	await work(file, [...rest, '--no-sync'], data);
	return data;
}

async function work(file, args, cwd) {
	const { code, output } = await run(file, args, { cwd });
	if (code !== 0) throw new Error(`PostgreSQL: ${file} ended with ${code}: ${output}`);
}
