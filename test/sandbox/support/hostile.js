'use strict';

const { createServer } = require('node:http');

// Servers that are no service.

/** @typedef {(request: import('node:http').IncomingMessage & { body: string },
 *   response: import('node:http').ServerResponse) => void} Answer */

/** A key in as many ways as a server may write it down. */
const written = (key) => [
	key,
	`Bearer ${key}`,
	key.toUpperCase(),
	key.split('').join('\u200b'),
	encodeURIComponent(key),
	JSON.stringify(key).replace(key[1], `\\u${key.charCodeAt(1).toString(16).padStart(4, '0')}`),
	Buffer.from(key).toString('base64'),
	`\u001b[31m${key}\u001b[0m`,
];

/** Endless, but no faster than it is read. */
function pour(response, piece) {
	const more = () => {
		while (response.write(piece));
		response.once('drain', more);
	};
	more();
}

const json = (response, status, body) => {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
};

/** @type {Record<string, Answer>} */
const ANSWERS = {
	page: (_request, response) => {
		response.writeHead(200, { 'content-type': 'text/html' });
		response.end('<!doctype html><title>Shop</title>');
	},
	hang: () => undefined,
	/** A head, and then nothing. */
	stall: (_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.write('{"code":');
	},
	endless: (_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		pour(response, Buffer.alloc(65_536, 'x'));
	},
	redirect: (_request, response) => {
		response.writeHead(302, { location: 'http://127.0.0.1:9/?key=x' });
		response.end();
	},
	/** Quotes what it was asked, the key in every form, and speaks to the terminal. */
	parrot: ({ headers, url }, response) => {
		const { authorization = '', 'x-goog-api-key': native = '' } = headers;
		const key = authorization.replace('Bearer ', '') || native || 'none';
		const message = [...written(key), url].join(' ');
		json(response, 400, { error: { message, type: written(key)[0], code: written(key)[2] } });
	},
	/** The same as a text, and in headers. */
	parrotText: ({ headers, url }, response) => {
		const { authorization = '', 'x-goog-api-key': native = '' } = headers;
		response.writeHead(200, {
			'content-type': 'text/plain',
			'x-quoted': `${authorization}${native}`,
		});
		response.end(`${url} ${authorization} ${native}`);
	},
	/** Looks at the prompt before it looks at the model. */
	promptFirst: ({ method }, response) =>
		method === 'POST'
			? json(response, 400, { code: 'invalid_request', message: 'prompt is required' })
			: json(response, 404, { error: { message: 'There is nothing here' } }),
	/** Accepts whatever is posted, and calls the task by the key. */
	acceptsAll: ({ headers, method }, response) => {
		const key = (headers.authorization ?? '').replace('Bearer ', '');
		if (method !== 'POST') return json(response, 400, { code: 'no', message: 'no' });
		return json(response, 200, { id: `task_${key}`, task_id: `task_${key}`, status: 'queued' });
	},
	/** Accepts a submit; every field of its answer and of the record quotes the key. */
	quotesInRecords: ({ headers, method, url = '', body }, response) => {
		const key = (headers.authorization ?? '').replace('Bearer ', '') || 'none';
		const words = written(key).join(' ');
		if (method === 'POST' && body.includes('"prompt"')) {
			response.setHeader('x-new-api-other-ratios', key);
			return json(response, 200, { id: 'task_paid', object: words, model: words, status: key });
		}
		if (!url.includes('task_paid')) return json(response, 400, { code: key, message: words });
		const record = { status: 'SUCCESS', task_id: words, progress: words, quota: words };
		return json(response, 200, { code: words, data: { ...record, result_url: `${url}?${key}` } });
	},
};

/**
 * A server with one answer for everything; `requests` are what came, with their bodies.
 * @param {Answer} answer
 */
async function startHostile(answer) {
	/** @type {Array<{ method?: string, url?: string, body: string }>} */
	const requests = [];
	const server = createServer(async (request, response) => {
		response.on('error', () => undefined);
		let body = '';
		for await (const chunk of request) body += chunk;
		const { method, url, headers } = request;
		requests.push({ method, url, body });
		answer(Object.assign(request, { headers, body }), response);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

module.exports = { ANSWERS, startHostile, written };
