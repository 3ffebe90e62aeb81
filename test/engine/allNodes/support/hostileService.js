'use strict';

const { readFileSync } = require('node:fs');
const http = require('node:http');
const path = require('node:path');

/**
 * @typedef {'submit' | 'poll' | 'content' | 'file' | 'text' | 'stream' | 'models'} RequestKind
 * @typedef {{ status: number, headers: Array<[name: string, value: string]>, body: string | Uint8Array }} HostileAnswer
 * @typedef {Awaited<ReturnType<typeof createHostileService>>} HostileService
 */

const VIDEO = readFileSync(path.join(__dirname, '../../../../sandbox/service/media/square.mp4'));
const TASK = { id: 'task_1', task_id: 'task_1', object: 'video', model: 'm', status: 'queued' };
const TEXT = {
	candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
};

const json = (value) => ({
	status: 200,
	headers: [['content-type', 'application/json']],
	body: JSON.stringify(value),
});

/** What a request is for, by its address. */
function kindOf({ method, url }) {
	if (/:generateContent/.test(url)) return 'text';
	if (/:streamGenerateContent/.test(url)) return 'stream';
	if (/\/content$/.test(url)) return 'content';
	if (/\/models$/.test(url)) return 'models';
	if (/\/file\.mp4$/.test(url)) return 'file';
	return method === 'POST' ? 'submit' : 'poll';
}

const record = (base) => ({ ...TASK, status: 'SUCCESS', result_url: `${base}/file.mp4` });
const ORDINARY = {
	submit: () => json(TASK),
	poll: (base) => json({ code: 'success', data: record(base) }),
	content: () => ({ status: 200, headers: [['content-type', 'video/mp4']], body: VIDEO }),
	file: () => ({ status: 200, headers: [['content-type', 'video/mp4']], body: VIDEO }),
	text: () => json(TEXT),
	stream: () => json(TEXT),
	models: () => json({ data: [{ id: 'veo' }] }),
};

/**
 * A service whose answers to some kinds of requests are given, byte by byte; to all others they are
 * ordinary. A base URL belongs to one test: `answers` are by what stands behind its host.
 */
async function createHostileService() {
	const answers = new Map();
	const requests = new Map();
	const server = http.createServer((request, response) => {
		request.resume().on('end', () => {
			const [, own] = request.url.split('/');
			const kind = kindOf(request);
			requests.set(own, [...(requests.get(own) ?? []), `${request.method} ${request.url}`]);
			const answer = answers.get(own)?.[kind] ?? ORDINARY[kind](`${url}/${own}`);
			const body = Buffer.from(answer.body);
			const lines = [...answer.headers, ['content-length', body.length], ['connection', 'close']];
			const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
			// Past all that Node.js would refuse to write.
			response.socket.write(Buffer.from(`HTTP/1.1 ${answer.status} X\r\n${head}\r\n`, 'latin1'));
			response.socket.end(answer.status === 204 || answer.status === 304 ? '' : body);
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${server.address().port}`;
	return {
		/**
		 * A base URL at which these kinds of requests get these answers; `requests` gives the method and
		 * path of each.
		 * @type {(ofKinds: Partial<Record<RequestKind, HostileAnswer>>) =>
		 *   { baseUrl: string, requests(): string[] }}
		 */
		answering: (ofKinds) => {
			const own = `case${answers.size}`;
			answers.set(own, ofKinds);
			return { baseUrl: `${url}/${own}`, requests: () => requests.get(own) ?? [] };
		},
		/** @type {() => Promise<void>} */
		close: () => {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(resolve));
		},
	};
}

module.exports = { createHostileService };
