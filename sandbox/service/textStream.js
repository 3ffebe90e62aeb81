'use strict';

const { once } = require('node:events');
const { blocked, compose, response, wholeAnswer, audioParts } = require('./textAnswer');

// The forms in which an answer of one or more chunks travels.

const FORMS = {
	sse: {
		type: 'text/event-stream',
		before: () => 'data: ',
		after: () => '\r\n\r\n',
	},
	array: {
		type: 'application/json; charset=utf-8',
		before: (index) => (index === 0 ? '[' : ',\r\n'),
		after: (_index, isLast) => (isLast ? ']' : ''),
	},
};

const FORM_NAMES = [...Object.keys(FORMS), 'object'];

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

/** Returns the responses that make up a stream. */
function chunksOf(asked) {
	const { plan } = asked;
	if (plan.blocked) return [blocked(asked)];
	const { text, thought, before, after, finishReason, count, sources } = compose(asked);
	const pieces = split(text, plan.chunks ?? USUAL_CHUNKS);
	const sound = audioParts(plan, pieces.length);
	let sofar = '';
	const chunks = pieces.map((piece, index) => {
		sofar += piece;
		const isLast = index === pieces.length - 1;
		const parts = [{ text: piece }, ...sound.slice(index, index + 1)];
		return response(asked, {
			parts: [...(index === 0 ? before : []), ...parts, ...(isLast ? after : [])],
			finishReason: isLast ? finishReason : undefined,
			count,
			said: { text: sofar, thought },
			sources: isLast ? sources : {},
		});
	});
	const { errorAfterChunks } = plan;
	if (errorAfterChunks === undefined) return chunks;
	return [...chunks.slice(0, errorAfterChunks), midStreamFailure];
}

/** The bytes of each chunk. */
async function* inForm(chunks, form, { holdAfterChunks }, { state, signal }) {
	for (const [index, chunk] of chunks.entries()) {
		if (index === holdAfterChunks) await once(state.gate, 'open', { signal });
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

/** The answer as one object, or chunk by chunk in one of the forms. */
function formedAnswer(exchange, asked, name) {
	const { plan } = asked;
	if (name === 'object') return { status: 200, json: wholeAnswer(asked) };
	const form = FORMS[name];
	const bytes = inForm(chunksOf(asked), form, plan, exchange);
	return {
		status: 200,
		headers: { 'content-type': form.type },
		pieces: plan.pieceBytes === undefined ? bytes : inPieces(bytes, plan.pieceBytes),
	};
}

/** `alt=sse` asks for events. */
const streamAnswer = (exchange, asked) =>
	formedAnswer(exchange, asked, exchange.query.alt === 'sse' ? 'sse' : 'array');

/** A whole answer, which some deployments send as if it were streamed. */
const unstreamedAnswer = (exchange, asked) =>
	formedAnswer(exchange, asked, asked.plan.wholeForm ?? 'object');

module.exports = { FORM_NAMES, streamAnswer, unstreamedAnswer };
