import { createServer } from 'node:http';
import { connect } from 'node:net';

/**
 * A proxy that is all a program has of the internet: `hosts` maps each `name:port` that there is to a
 * port of this machine. `refused` are the others that were asked for.
 */
export async function startOnlyWayOut(hosts) {
	const refused = [];
	const sockets = new Set();
	const proxy = createServer((request, response) => {
		refused.push(request.url);
		response.writeHead(502).end();
	});
	proxy.on('connect', ({ url }, client, head) => {
		client.on('error', () => client.destroy());
		const port = hosts[url];
		if (port === undefined) {
			refused.push(url);
			client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
			return;
		}
		const server = connect(port, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			server.write(head);
			server.pipe(client).pipe(server);
		});
		server.on('error', () => client.destroy());
		for (const socket of [client, server]) {
			sockets.add(socket);
			socket.once('close', () => sockets.delete(socket));
		}
	});
	await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${proxy.address().port}`,
		refused,
		close: async () => {
			sockets.forEach((socket) => socket.destroy());
			await new Promise((resolve) => proxy.close(resolve));
		},
	};
}
