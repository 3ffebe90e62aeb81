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

/** A port that nothing listens on at this moment. */
export async function freePort() {
	return (await listen(0)).port;
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
