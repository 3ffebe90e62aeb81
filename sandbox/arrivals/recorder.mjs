import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';

const { PNG } = createRequire(import.meta.url)('./pictures.js');

/**
 * Stands between the nodes and a gateway, and keeps every paid request as it was sent, with the
 * answer: `{ url, sent, close() }`. It also serves the picture that cases name by address.
 */
export async function startRecorder(gatewayUrl) {
	const sent = [];
	const gateway = new URL(gatewayUrl);
	const server = createServer(async (asked, reply) => {
		if (asked.url === '/picture.png') {
			return reply.setHeader('content-type', 'image/png').end(Buffer.from(PNG, 'base64'));
		}
		if (asked.url === '/page.html') {
			return reply.setHeader('content-type', 'text/html').end('<p>No picture here.</p>');
		}
		const body = await buffer(asked);
		const { method, url: path, headers } = asked;
		const onward = { ...headers, host: gateway.host };
		const { hostname, port } = gateway;
		const passed = request({ hostname, port, method, path, headers: onward }, async (answer) => {
			const bytes = await buffer(answer);
			const { statusCode: status, headers: answerHeaders } = answer;
			if (method === 'POST') {
				const answered = { status, headers: answerHeaders, text: bytes.toString() };
				sent.push({ path, body: JSON.parse(body.toString()), ...answered });
			}
			reply.writeHead(status, answerHeaders).end(bytes);
		});
		passed.on('error', () => reply.destroy());
		passed.end(body);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://127.0.0.1:${server.address().port}`, sent, close };
}
