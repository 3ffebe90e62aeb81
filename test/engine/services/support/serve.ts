import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface Ask {
	method: string;
	/** With its query. */
	path: string;
	headers: IncomingHttpHeaders;
	/** The fields of a JSON body. */
	fields: Record<string, unknown>;
}

/** A body that is no text and no bytes goes as JSON. */
export type Reply = [status: number, body: unknown, headers?: Record<string, string>];

/** Starts a server on loopback that answers by a function; `asks` are what it was asked. */
export async function serve(answer: (ask: Ask) => Reply) {
	const asks: Ask[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url: path = '', headers } = request;
			const isJson = /json/.test(headers['content-type'] ?? '');
			const fields = (isJson ? JSON.parse(Buffer.concat(chunks).toString()) : {}) as Ask['fields'];
			asks.push({ method, path, headers, fields });
			const [status, body, own = {}] = answer(asks.at(-1)!);
			const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
			const type = isPlain ? 'text/html' : 'application/json';
			response.writeHead(status, { 'content-type': type, connection: 'close', ...own });
			response.end(isPlain ? body : JSON.stringify(body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	return {
		url: `http://127.0.0.1:${port}`,
		asks,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
