import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';

const REDIS = '/usr/bin/redis-server';
const HOST = '127.0.0.1';
const READY_WITHIN_MS = 20_000;
const ASK_EVERY_MS = 50;

/** A reason to skip a test, or false: as Node.js's test runner takes it. */
export const skipWithoutRedis = existsSync(REDIS)
	? false
	: `${REDIS} is missing (Debian package: redis-server)`;

/**
 * A Redis of its own, on this machine only: `{ host, port, stop() }`. It keeps everything in
 * memory; `folder` gets its log.
 */
export async function startRedis(folder) {
	if (skipWithoutRedis) throw new Error(skipWithoutRedis);
	const port = await freePort();
	const logFile = path.join(folder, 'redis.log');
	const log = openSync(logFile, 'w');
	const args = ['--bind', HOST, '--port', String(port), '--save', '', '--appendonly', 'no'];
	// Its own process group: a Ctrl+C in the terminal reaches us, and we end it after n8n.
	const options = { cwd: folder, stdio: ['ignore', log, log], detached: true };
	const child = spawn(REDIS, args, options);
	closeSync(log);
	const exited = new Promise((resolve) => {
		child.once('error', resolve);
		child.once('exit', resolve);
	});
	const end = () => child.kill('SIGKILL');
	process.on('exit', end);
	exited.then(() => process.off('exit', end));
	const stop = async () => {
		end();
		await exited;
	};
	await waitUntilReady(port, exited, logFile).catch(async (error) => {
		await stop();
		throw error;
	});
	return { host: HOST, port, stop };
}

async function waitUntilReady(port, exited, logFile) {
	let ended = false;
	exited.then(() => (ended = true));
	const deadline = Date.now() + READY_WITHIN_MS;
	while (!ended && Date.now() < deadline) {
		const { output } = await run('redis-cli', ['-h', HOST, '-p', String(port), 'ping']);
		if (output.trim() === 'PONG') return;
		await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
	}
	throw new Error(`Redis did not start:\n${readFileSync(logFile, 'utf8')}`);
}
