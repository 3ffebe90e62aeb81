'use strict';

const { setTimeout: pause } = require('node:timers/promises');
const { gateway, proxyPage } = require('./errorShapes');
const { isOwnAnswer, toChange, withChange } = require('./answers');
const { newRecord, readableBody } = require('./records');
const { withRedirect } = require('./redirects');
const { respond } = require('./respond');

// One request and its answer: recorded, read, delayed, answered. Handlers get an exchange and
// return an answer; they never touch the wire.

/** The whole body, read to its end even where it is too large: the client must get to our answer. */
async function readBody(request, limit) {
	const chunks = [];
	let length = 0;
	for await (const chunk of request) {
		length += chunk.length;
		if (length <= limit) chunks.push(chunk);
	}
	return { bytes: Buffer.concat(chunks), tooLarge: length > limit };
}

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

async function answerOf(exchange, handler) {
	const { state, record, signal } = exchange;
	const { bytes, tooLarge } = await readBody(exchange.request, state.deployment.bodyLimitBytes);
	exchange.body = bytes;
	record.body = readableBody(bytes);
	const { latencyMs, outage } = state.deployment;
	if (latencyMs > 0) await pause(latencyMs, undefined, { signal });
	if (tooLarge) return proxyPage(413, 'Request Entity Too Large');
	const change = outage === null ? undefined : toChange(outage, 'list');
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

module.exports = { serve };
