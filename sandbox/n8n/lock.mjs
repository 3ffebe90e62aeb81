import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { shortHash } from './folders.mjs';

// A lock is one of Linux's sockets that lie in no folder: the kernel takes away those of a process that
// is gone. It tells whoever connects the number of its process.

const LOOK_EVERY_MS = 500;

/** Takes the lock: `{ release }`, or `{ pid }` of the living process that has it. */
export async function takeLock(name) {
	const path = `\0n8n-nodes-video-generation-${shortHash(name)}`;
	const server = createServer((socket) => {
		socket.on('error', () => undefined).end(String(process.pid));
	});
	try {
		await once(server.listen(path).unref(), 'listening');
		return { release: () => server.close() };
	} catch (error) {
		if (error.code !== 'EADDRINUSE') throw error;
	}
	const pid = await text(connect(path)).catch(() => '');
	// Without an answer its holder has just gone.
	return pid ? { pid: Number(pid) } : await takeLock(name);
}

/**
 * Runs `work` while no other process does so under the same lock. `onWait(pid)` is called once where
 * another one holds it.
 */
export async function withLock(name, work, onWait = () => {}) {
	let taken = await takeLock(name);
	if (!taken.release) onWait(taken.pid);
	while (!taken.release) {
		await pause(LOOK_EVERY_MS);
		taken = await takeLock(name);
	}
	try {
		return await work();
	} finally {
		taken.release();
	}
}
