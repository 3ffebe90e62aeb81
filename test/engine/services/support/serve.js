'use strict';

const { createServer } = require('node:http');

/**
 * A request; `path` is with its query, and `fields` are those of a JSON body.
 * @typedef {{ method: string, path: string, headers: import('node:http').IncomingHttpHeaders, fields: Record<string, unknown> }} Ask
 *
 * A body that is no text and no bytes goes as JSON.
 * @typedef {[status: number, body: unknown, headers?: Record<string, string>]} Reply
 */

/**
 * Starts a server on loopback that answers by a function; `asks` are what it was asked.
 * @param {(ask: Ask) => Reply} answer
 */
async function serve(answer) {
	/** @type {Ask[]} */
	const asks = [];
	const server = createServer((request, response) => {
		const chunks = [];
		request.on('data', (chunk) => chunks.push(chunk));
		request.on('end', () => {
			const { method, url: path, headers } = request;
			const isJson = /json/.test(headers['content-type'] ?? '');
			const fields = isJson ? JSON.parse(Buffer.concat(chunks).toString()) : {};
			const ask = { method, path, headers, fields };
			asks.push(ask);
			const [status, body, own = {}] = answer(ask);
			const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
			const isFile = Buffer.isBuffer(body);
			const type = isFile ? 'video/mp4' : isPlain ? 'text/html' : 'application/json';
			response.writeHead(status, { 'content-type': type, connection: 'close', ...own });
			response.end(isPlain ? body : JSON.stringify(body));
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	return {
		url: `http://127.0.0.1:${port}`,
		asks,
		/** @type {() => Promise<void>} */
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

module.exports = { serve };
