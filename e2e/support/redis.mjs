import { existsSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../sandbox/n8n/command.mjs';
import { freePort } from '../../sandbox/n8n/ports.mjs';
import { startServer } from './server.mjs';

const REDIS = '/usr/bin/redis-server';
const HOST = '127.0.0.1';

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
	const options = ['--bind', HOST, '--port', String(port), '--save', '', '--appendonly', 'no'];
	const stop = await startServer({
		name: 'Redis',
		command: [REDIS, ...options],
		cwd: folder,
		logFile: path.join(folder, 'redis.log'),
		endSignal: 'SIGKILL',
		isReady: async () => {
			const { output } = await run('redis-cli', ['-h', HOST, '-p', String(port), 'ping']);
			return output.trim() === 'PONG';
		},
	});
	return { host: HOST, port, stop };
}
