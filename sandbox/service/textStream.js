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
	sse: { type: 'text/event-stream', before: () => 'data: ', after: () => '\r\n\r\n' },
	array: {
		type: 'application/json; charset=utf-8',
		before: (index) => (index === 0 ? '[' : ',\r\n'),
		after: (_index, isLast) => (isLast ? ']' : ''),
	},
};

async function* inForm(chunks, { before, after }, { delayMs, signal }) {
	for (const [index, chunk] of chunks.entries()) {
		if (index > 0 && delayMs > 0) await pause(delayMs, undefined, { signal });
		const isLast = index === chunks.length - 1;
		yield Buffer.from(before(index) + JSON.stringify(chunk) + after(index, isLast));
	}
}

/**
 * @param {object} asked
 * @param {{ alt?: string }} query `alt=sse` asks for events; a plan's `streamForm` goes before it,
 *   because deployments differ in what they make of it
 * @param {AbortSignal} signal
 */
function streamAnswer(asked, { alt }, signal) {
	const { streamForm, chunkDelayMs: delayMs = 0 } = asked.plan;
	const form = streamForm ?? (alt === 'sse' ? 'sse' : 'array');
	if (form === 'object') return { status: 200, json: wholeAnswer(asked) };
	return {
		status: 200,
		headers: { 'content-type': FORMS[form].type },
		pieces: inForm(chunksOf(asked), FORMS[form], { delayMs, signal }),
	};
}

module.exports = { streamAnswer };
