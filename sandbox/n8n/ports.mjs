import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Refusal } from './report.mjs';

const HOST = '127.0.0.1';

function listen(port) {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', (error) => resolve({ code: error.code }));
		server.listen({ port, host: HOST }, () => {
			const { port: taken } = server.address();
			server.close(() => resolve({ port: taken }));
		});
	});
}

/** Those that this process has been given, and may not listen on yet. */
const given = new Set();

/**
 * A port that nothing listens on at this moment. It lies below those that systems give to connections,
 * because n8n takes it seconds later.
 */
export async function freePort() {
	for (let tries = 0; tries < 100; tries++) {
		const { port } = await listen(randomInt(20_000, 32_000));
		if (port === undefined || given.has(port)) continue;
		given.add(port);
		return port;
	}
	throw new Refusal('No port is free between 20000 and 32000.');
}

/** Refuses a port that cannot be used; `option` is what chooses another. */
export async function ensurePortFree(port, option, what) {
	const { code } = await listen(port);
	if (!code) return;
	const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
	throw new Refusal(
		`Port ${port} for ${what} ${reason}. Choose another with ${option}, e.g. ${option} ${port + 10}.`,
	);
}
