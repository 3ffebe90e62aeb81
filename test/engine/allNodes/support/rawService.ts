import { createServer, type IncomingMessage } from 'node:http';

export type RequestKind = 'submit' | 'poll' | 'content' | 'file' | 'text' | 'stream' | 'models';
export interface RawAnswer {
	status: number;
	headers: Array<[name: string, value: string]>;
	body: string | Uint8Array;
}

const TASK = { id: 'task_1', task_id: 'task_1', object: 'video', model: 'm', status: 'queued' };
const TEXT = {
	candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
};

const json = (value: unknown, status = 200): RawAnswer => ({
	status,
	headers: [['content-type', 'application/json']],
	body: JSON.stringify(value),
});

/** What a request is for, by its address. */
function kindOf({ method, url = '' }: IncomingMessage): RequestKind {
	if (/:generateContent/.test(url)) return 'text';
	if (/:streamGenerateContent/.test(url)) return 'stream';
	if (/\/content$/.test(url)) return 'content';
	if (/\/models$/.test(url)) return 'models';
	if (/\/file\.mp4$/.test(url)) return 'file';
	return method === 'POST' ? 'submit' : 'poll';
}

/** What a service answers that does its work. */
function toOrdinary(kind: RequestKind, base: string): RawAnswer {
	if (kind === 'text' || kind === 'stream') return json(TEXT);
	if (kind === 'submit') return json(TASK);
	if (kind === 'models') return json({ data: [{ id: 'veo' }] });
	if (kind === 'poll') {
		const data = { ...TASK, status: 'SUCCESS', result_url: `${base}/file.mp4` };
		return json({ code: 'success', data });
	}
	return json({}, 404);
}

/**
 * A service whose answers to some kinds of requests are given, byte by byte; to all others they are
 * ordinary. A base URL belongs to one test.
 */
export async function createRawService() {
	const answers = new Map<string, Partial<Record<RequestKind, RawAnswer>>>();
	let url = '';
	const server = createServer((request, response) => {
		request.resume().on('end', () => {
			const [, own] = request.url!.split('/');
			const kind = kindOf(request);
			const { status, headers, body } =
				answers.get(own)?.[kind] ?? toOrdinary(kind, `${url}/${own}`);
			const bytes = Buffer.from(body as string);
			const lines = [...headers, ['content-length', bytes.length], ['connection', 'close']];
			const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
			// Past all that Node.js would refuse to write.
			response.socket!.write(Buffer.from(`HTTP/1.1 ${status} X\r\n${head}\r\n`, 'latin1'));
			response.socket!.end(status === 204 || status === 304 ? '' : bytes);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
	return {
		/** Returns a base URL at which these kinds of requests get these answers. */
		answering: (ofKinds: Partial<Record<RequestKind, RawAnswer>>) => {
			const own = `case${answers.size}`;
			answers.set(own, ofKinds);
			return `${url}/${own}`;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
