'use strict';

const { request } = require('node:http');
const { connect } = require('node:tls');

/**
 * What an HTTP proxy says to CONNECT, and the socket that is open then.
 * @param {string} proxy its address
 * @param {string} target host and port
 * @returns {Promise<{ status: number | undefined, socket: import('node:stream').Duplex }>}
 */
const tunnel = (proxy, target) =>
	new Promise((resolve, reject) => {
		const { hostname, port } = new URL(proxy);
		request({ hostname, port, method: 'CONNECT', path: target })
			.on('connect', ({ statusCode }, socket) => resolve({ status: statusCode, socket }))
			.on('error', reject)
			.end();
	});

/**
 * The answer, as text, of a form that is posted through a proxy to a host that nobody has certified.
 * @param {string} proxy @param {string} host @param {string} path @param {string} body
 */
async function postThrough(proxy, host, path, body) {
	const { socket } = await tunnel(proxy, `${host}:443`);
	const tls = connect({ socket, servername: host, rejectUnauthorized: false });
	tls.write(
		`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n` +
			`Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n${body}`,
	);
	let answer = '';
	for await (const piece of tls) answer += String(piece);
	return answer;
}

module.exports = { postThrough };
