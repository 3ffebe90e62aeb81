'use strict';

const { setTimeout: pause } = require('node:timers/promises');
const { compose, response, wholeAnswer } = require('./textAnswer');

// The same answer in chunks. Usage is cumulative; only the last chunk says why the text ended.

const USUAL_CHUNKS = 4;

function split(text, count) {
	const signs = Array.from(text);
	const size = Math.max(1, Math.ceil(signs.length / count));
	const pieces = [];
	for (let at = 0; at < signs.length; at += size) pieces.push(signs.slice(at, at + size).join(''));
	return pieces.length > 0 ? pieces : [''];
}

const midStreamFailure = {
	error: { code: 503, message: 'The model is overloaded, try again later', status: 'UNAVAILABLE' },
};

/** @returns {object[]} the responses that make up a stream */
function chunksOf(asked) {
	const { plan } = asked;
	if (plan.blocked) return [wholeAnswer(asked)];
	const { text, thought, before, after, finishReason, count } = compose(asked);
	const pieces = split(text, plan.chunks ?? USUAL_CHUNKS);
	let sofar = '';
	const chunks = pieces.map((piece, index) => {
		sofar += piece;
		const isLast = index === pieces.length - 1;
		return response(asked, {
			parts: [...(index === 0 ? before : []), { text: piece }, ...(isLast ? after : [])],
			finishReason: isLast ? finishReason : undefined,
			count,
			said: { text: sofar, thought },
		});
	});
	if (plan.errorAfterChunks === undefined) return chunks;
	return [...chunks.slice(0, plan.errorAfterChunks), midStreamFailure];
}

const FORMS = {
	sse: {
		type: 'text/event-stream',
		before: () => 'data: ',
		after: () => '\r\n\r\n',
		alive: ': keep-alive\r\n\r\n',
	},
	array: {
		type: 'application/json; charset=utf-8',
		before: (index) => (index === 0 ? '[' : ',\r\n'),
		after: (_index, isLast) => (isLast ? ']' : ''),
		alive: '\r\n',
	},
	lines: {
		type: 'application/x-ndjson',
		before: () => '',
		after: () => '\n',
		alive: '\n',
	},
};

/** The bytes of each chunk, and what comes between two of them. */
async function* inForm(chunks, form, { chunkDelayMs = 0, holdAfterChunks, keepAlive }, exchange) {
	const { state, signal } = exchange;
	for (const [index, chunk] of chunks.entries()) {
		if (keepAlive) yield Buffer.from(form.alive);
		if (index === holdAfterChunks) await state.gate.wait(signal);
		if (index > 0 && chunkDelayMs > 0) await pause(chunkDelayMs, undefined, { signal });
		const isLast = index === chunks.length - 1;
		yield Buffer.from(form.before(index) + JSON.stringify(chunk) + form.after(index, isLast));
	}
}

/** The same bytes in pieces of one length, which end anywhere: inside a line, inside a character. */
async function* inPieces(chunks, length) {
	for await (const chunk of chunks) {
		for (let at = 0; at < chunk.length; at += length) yield chunk.subarray(at, at + length);
	}
}

/**
 * `alt=sse` asks for events; a plan's `streamForm` goes before it, because deployments differ in
 * what they make of it.
 * @param {object} exchange
 * @param {object} asked
 */
function streamAnswer(exchange, asked) {
	const { plan } = asked;
	const name = plan.streamForm ?? (exchange.query.alt === 'sse' ? 'sse' : 'array');
	if (name === 'object') return { status: 200, json: wholeAnswer(asked) };
	const form = FORMS[name];
	const bytes = inForm(chunksOf(asked), form, plan, exchange);
	return {
		status: 200,
		headers: { 'content-type': form.type },
		pieces: plan.pieceBytes === undefined ? bytes : inPieces(bytes, plan.pieceBytes),
	};
}

module.exports = { streamAnswer };
