'use strict';

const { createHash } = require('node:crypto');
const { EventEmitter } = require('node:events');
const { fastify } = require('fastify');
const { gateway } = require('./errorShapes');
const { isOwnAnswer, toChange, withChange, withRedirect } = require('./answers');
const { respond } = require('./respond');

// One record per request, begun before anything is decided, so that a request which was cut, hung
// or refused is in the list too.

const LONGEST_KEPT_TEXT = 1024;
const BASE64 = /^(data:[^,]{0,100};base64,)?[A-Za-z0-9+/_-]+={0,2}$/;

const fingerprint = (value) => ({
	length: value.length,
	sha256: createHash('sha256').update(value).digest('hex'),
});

/** The same value with long base64 texts replaced by their length and hash. */
function shorten(value) {
	if (typeof value === 'string') {
		return value.length > LONGEST_KEPT_TEXT && BASE64.test(value) ? fingerprint(value) : value;
	}
	if (Array.isArray(value)) return value.map(shorten);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part)]));
}

/** Undefined where the text is no JSON. */
function parseJson(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** JSON as a value, anything else as text, no body as undefined. */
function readableBody(bytes) {
	const text = bytes.toString('utf8');
	const value = parseJson(text);
	return shorten(value === undefined && text !== '' ? text : value);
}

const newRecord = (n, origin, { method, url, query, headers }) => ({
	...{ n, at: Date.now(), origin, method, url, path: url.split('?')[0] },
	...{ query: { ...query }, headers: { ...headers }, body: undefined, taskId: undefined },
	...{ status: null, key: 'none', aborted: false, sentBytes: 0 },
});

/** Whether a record is what `count({...})` asks for. */
function matches(record, { path = '', ...rest }) {
	const isPath = path instanceof RegExp ? path.test(record.path) : record.path.startsWith(path);
	const fits = ([field, value]) => value === undefined || record[field] === value;
	return isPath && Object.entries(rest).every(fits);
}

// One request and its answer: recorded, read, delayed, answered. Handlers get an exchange and
// return an answer; they never touch the wire.

function openExchange(state, origin, request, reply) {
	const record = newRecord(++state.requestCount, origin, request);
	state.records.push(record);
	const leaving = new AbortController();
	const exchange = {
		state,
		record,
		params: request.params,
		query: request.query,
		headers: request.headers,
		request: request.raw,
		response: reply.raw,
		body: Buffer.alloc(0),
		signal: leaving.signal,
		endedByUs: false,
	};
	reply.raw.on('error', () => undefined);
	reply.raw.on('close', () => {
		if (!reply.raw.writableFinished && !exchange.endedByUs) record.aborted = true;
		leaving.abort();
		state.log?.(record);
	});
	return exchange;
}

/** Whether an order comes too soon after others, which count whatever they were answered. */
const isTooMany = ({ find, isOrder }, record, throttle) =>
	throttle !== null &&
	isOrder(record) &&
	find({}).filter((one) => isOrder(one) && record.at - one.at < throttle.everyMs).length >
		throttle.most;

/** Whether this is one of the orders that never reach the service; there is one less of them then. */
function isCutUnread(state, record) {
	const { cutOrders = 0 } = state.deployment;
	if (cutOrders === 0 || !state.isOrder(record)) return false;
	state.set({ cutOrders: cutOrders - 1 });
	return true;
}

async function answerOf(exchange, handler) {
	const { state, record } = exchange;
	if (isCutUnread(state, record)) return { socket: 'reset' };
	exchange.body = Buffer.concat(await exchange.request.toArray());
	record.body = readableBody(exchange.body);
	const { outage, throttle } = state.deployment;
	const entry = outage ?? (isTooMany(state, record, throttle) ? throttle.answer : undefined);
	const change = toChange(entry, 'list');
	return isOwnAnswer(change) ? change : withChange(await handler(exchange), change);
}

/** Answers a request in Fastify's place. */
async function serve(state, origin, handler, request, reply) {
	reply.hijack();
	const exchange = openExchange(state, origin, request, reply);
	try {
		const answer = await answerOf(exchange, handler);
		await respond(exchange, withRedirect(exchange, answer));
	} catch (error) {
		// A client that has gone ends every wait above; nothing is left to be said to it.
		if (exchange.signal.aborted || request.raw.socket.destroyed) return;
		await respond(exchange, gateway(500, 'sandbox_defect', String(error?.stack ?? error)));
	}
}

const HOST = '127.0.0.1';

const OPTIONS = {
	// Closing must not wait for answers that never come.
	forceCloseConnections: true,
	// An idle connection that ends while a client reuses it would look like a fault of its own.
	keepAliveTimeout: 120_000,
	// Ids are opaque and long; the router's own limit is 100 characters.
	routerOptions: { maxParamLength: 8192 },
	exposeHeadRoutes: false,
};

const unused = () => undefined;

/**
 * A listener where Fastify finds the handler and `serve` does the rest, before Fastify looks at a
 * request's type or body: what it would refuse itself, this service answers in its own way.
 */
function createListener(state, origin, routes, otherwise) {
	const broken = (error) => () => gateway(400, '', error.message);
	const app = fastify({
		...OPTIONS,
		frameworkErrors: (error, request, reply) => serve(state, origin, broken(error), request, reply),
	});
	app.addHook('onRequest', async (request, reply) => {
		const handler = request.is404 ? otherwise : request.routeOptions.config.answer;
		if (handler) await serve(state, origin, handler, request, reply);
	});
	for (const [method, url, answer] of routes) {
		app.route({ method, url, config: { answer }, handler: unused });
	}
	app.setNotFoundHandler(unused);
	return {
		app,
		/** Returns the port. */
		async listen(port) {
			await app.listen({ port, host: HOST });
			return app.server.address().port;
		},
		close: async () => await app.close(),
	};
}

/**
 * Returns everything that the service's stand-in, or the vendors', remembers.
 * @param {object} atStart the settings; `reset` brings them back
 * @param {(settings: object, changes: object) => object} change throws on a wrong setting
 */
function createState(logger, atStart, change) {
	const state = {
		log: typeof logger === 'function' ? logger : undefined,
		url: '',
		deployment: atStart,
		/** The same array for the whole life, so that callers may keep hold of it. @type {any[]} */
		records: [],
		tasks: new Map(),
		/** What was uploaded, by the last part of its address. */
		files: new Map(),
		/** How many requests each list of answers has served. */
		counters: new Map(),
		requestCount: 0,
		/** Streams with `holdAfterChunks` wait here. */
		gate: new EventEmitter().setMaxListeners(0),
		find: (filter) => state.records.filter((record) => matches(record, filter)),
		set: (changes) => (state.deployment = change(state.deployment, changes)),
		reset() {
			state.gate.emit('open');
			state.deployment = atStart;
			state.records.length = 0;
			state.tasks.clear();
			state.files.clear();
			state.counters.clear();
			state.requestCount = 0;
		},
	};
	return state;
}

/**
 * Adds what a test does in-process, for other processes. These requests stay out of the records.
 */
function addControlRoutes(app, state, listTasks) {
	app.removeAllContentTypeParsers();
	// Whatever type curl says: the body is JSON or it is refused below.
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.get('/_sandbox/requests', ({ query: { status, ...query } }) =>
		state.find(status === undefined ? query : { ...query, status: Number(status) }),
	);
	app.get('/_sandbox/tasks', () => listTasks(state));
	app.get('/_sandbox/deployment', () => state.deployment);
	app.post('/_sandbox/deployment', async ({ body }, reply) => {
		try {
			return state.set(JSON.parse(body));
		} catch (error) {
			return await reply.code(400).send({ ok: false, message: error.message });
		}
	});
	app.post('/_sandbox/reset', () => {
		state.reset();
		return { ok: true };
	});
}

module.exports = {
	...{ HOST, addControlRoutes, createListener, createState, matches, parseJson, shorten },
};
