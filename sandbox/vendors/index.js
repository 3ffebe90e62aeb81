'use strict';

const { createServer } = require('node:https');
const { makeCertificate } = require('../service/certificate');
const { HOST, addControlRoutes, createListener } = require('../service/server');
const { createState, parseJson } = require('../service/server');
const { gemini, vertex } = require('./google');
const { stateOf } = require('./jobs');
const { DEFAULTS, changeDeployment } = require('./plan');

const GROK = ['grok-imagine-video', 'grok-imagine-video-1.5'];

/**
 * Every vendor that is stood in for. A vendor has a `name`, which is also the path under which it
 * is found; `routes`; `hasKey(exchange)`, unless it wants a Bearer; `refuse(kind, message)`, its words
 * for an error; and what a gateway has to be told to ask it: `channel`.
 */
const VENDORS = [
	gemini,
	vertex,
	require('./ark'),
	require('./kling'),
	require('./vidu'),
	require('./minimax'),
	require('./dashscope'),
	require('./jimeng'),
	// Gateways of August 2026 refuse its videos themselves: a channel is all that it takes to see that.
	{
		name: 'xai',
		refuse: () => ({ status: 404 }),
		channel: { type: 48, label: 'xAI (Grok Imagine)', key: 'xai-key', models: GROK },
		routes: [],
	},
];

/** @returns {any[]} the channels to enter in a gateway, with keys that open nothing */
const channelsAt = (url) =>
	VENDORS.map(({ name, channel: { type, label, ...rest } }) => ({
		vendor: name,
		type,
		label,
		base_url: `${url}/${name}`,
		...rest,
	}));

const hasBearer = ({ headers }) => /^Bearer \S/.test(headers.authorization ?? '');

const KEY_IN_ADDRESS = /([?&]key=)[^&]*/;

/** Returns how an Authorization header was said, without what it said. */
const hidden = (value) => `${/^[\w-]+(?= )/.exec(value)?.[0] ?? ''} ***`.trim();

/** Takes the keys out of a record; a record is for showing to people. */
function hideKeys(record) {
	record.url = record.url.replace(KEY_IN_ADDRESS, '$1***');
	if (record.query.key !== undefined) record.query.key = '***';
	for (const name of ['authorization', 'x-goog-api-key', 'proxy-authorization']) {
		const value = record.headers[name];
		if (value !== undefined) record.headers[name] = hidden(value);
	}
}

/**
 * Fits a vendor's route into a listener: its record gets the vendor's name and loses the keys.
 * @param {[string, string, (exchange: object) => object, { open?: boolean }?]} route `open` ones ask
 * for no key: the address is signed
 */
const routeOf = (vendor, [method, path, answer, { open = false } = {}]) => [
	method,
	`/${vendor.name}${path}`,
	(exchange) => {
		exchange.record.vendor = vendor.name;
		exchange.vendor = vendor;
		const isKnown = open || (vendor.hasKey ?? hasBearer)(exchange);
		hideKeys(exchange.record);
		if (!isKnown) return vendor.refuse('unauthorized');
		return answer(Object.assign(exchange, { json: parseJson(exchange.body.toString('utf8')) }));
	},
];

const ROUTES = VENDORS.flatMap((vendor) => vendor.routes.map((route) => routeOf(vendor, route)));

const nowhere = ({ record }) => ({
	status: 404,
	json: { error: `No vendor here has the address ${record.path}` },
});

/** Returns the renders that were really begun, which the vendor would charge for. */
const listTasks = ({ tasks, deployment }) =>
	[...tasks.values()].map((task) => ({ ...task, state: stateOf(task, deployment) }));

// Service accounts change a signed assertion for an access token at an address of Google's that is
// fixed in some gateways. So the vendors' port is also an HTTP proxy, for these addresses only:
// whatever else is asked of it, it refuses, and nothing leaves the machine.

const HOSTS = ['www.googleapis.com:443', 'oauth2.googleapis.com:443'];
const PATHS = ['/oauth2/v4/token', '/token'];

const TOKEN = { access_token: 'sandbox-access-token', expires_in: 3599, token_type: 'Bearer' };

/** Answers a token to everyone who asks with an assertion, which is not verified. */
function giveToken(request, response) {
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
	const google = createServer(makeCertificate('www.googleapis.com'), giveToken);
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

/** @param {any} [options] */
async function createVendors({ port = 0, logger = false, ...settings } = {}) {
	const state = createState(logger, changeDeployment(DEFAULTS, settings), changeDeployment);
	const listener = createListener(state, 'vendors', ROUTES, nowhere);
	addControlRoutes(listener.app, state, listTasks);
	listener.app.get('/_sandbox/channels', () => channelsAt(state.url));
	const endTokens = serveTokens(listener.app.server);
	state.url = `http://${HOST}:${await listener.listen(port)}`;
	return {
		url: state.url,
		channels: channelsAt(state.url),
		requests: state.records,
		tasks: () => listTasks(state),
		set: state.set,
		reset: state.reset,
		async close() {
			endTokens();
			await listener.close();
		},
	};
}

module.exports = { createVendors };
