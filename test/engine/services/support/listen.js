'use strict';

const { createServer } = require('node:http');

/**
 * Starts a server on loopback that answers each request by a function.
 * @param {import('node:http').RequestListener} answer
 */
async function listen(answer) {
	const server = createServer(answer);
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	return {
		url: `http://127.0.0.1:${port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

module.exports = { listen };
