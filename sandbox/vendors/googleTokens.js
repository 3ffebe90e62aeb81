'use strict';

const { createServer } = require('node:https');
const { makeCertificate } = require('../service/certificate');

// Service accounts change a signed assertion for an access token at an address of Google's that is
// fixed in some gateways. So the vendors' port is also an HTTP proxy, for these addresses only:
// whatever else is asked of it, it refuses, and nothing leaves the machine.

const HOSTS = ['www.googleapis.com:443', 'oauth2.googleapis.com:443'];
const PATHS = ['/oauth2/v4/token', '/token'];

const TOKEN = { access_token: 'sandbox-access-token', expires_in: 3599, token_type: 'Bearer' };

/** Answers a token to everyone who asks with an assertion, which is not verified. */
function answer(request, response) {
	let body = '';
	request.on('data', (chunk) => (body += chunk));
	request.on('end', () => {
		const asked = PATHS.includes(request.url) && new URLSearchParams(body).has('assertion');
		response.writeHead(asked ? 200 : 400, { 'content-type': 'application/json' });
		response.end(JSON.stringify(asked ? TOKEN : { error: 'invalid_grant' }));
	});
}

/**
 * Lets a vendors' server act as the proxy of a gateway.
 * @returns ends what is open
 */
function serveTokens(server) {
	const google = createServer(makeCertificate('www.googleapis.com'), answer);
	const sockets = new Set();
	server.on('connect', (request, socket) => {
		socket.on('error', () => undefined);
		if (!HOSTS.includes(request.url)) {
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		google.emit('connection', socket);
	});
	return () => {
		for (const socket of sockets) socket.destroy();
	};
}

module.exports = { serveTokens };
