'use strict';

const { Readable } = require('node:stream');
const zlib = require('node:zlib');
const { once } = require('node:events');
const { setTimeout: pause } = require('node:timers/promises');

// How a body travels beside how it reads: padded, compressed, byte by byte.

const COMPRESSIONS = {
	gzip: () => zlib.createGzip(),
	br: () => zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

const PAD = Buffer.alloc(64 * 1024, ' ');

/** White space says nothing in JSON and in events, and compresses to a thousandth. */
async function* padded(pieces, padBytes) {
	yield* pieces;
	for (let left = padBytes; left > 0; left -= PAD.length) yield PAD.subarray(0, left);
}

async function* byteByByte(pieces) {
	for await (const piece of pieces) {
		for (let at = 0; at < piece.length; at++) yield piece.subarray(at, at + 1);
	}
}

/** The body of an answer as it goes out. */
function inForm({ type, length, pieces }, { padBytes = 0, encoding, dripMs }) {
	let out = padBytes > 0 ? padded(pieces, padBytes) : pieces;
	if (encoding) out = Readable.from(out).compose(COMPRESSIONS[encoding]());
	if (dripMs > 0) out = byteByByte(out);
	const size = length === undefined || encoding ? undefined : length + padBytes;
	return { type, length: size, pieces: out };
}

// Puts an answer on the wire, including the ways in which a wire breaks.
//
// An answer is { status, headers, one of json | text | html | video | pieces, delayMs, socket,
// pieceDelayMs, dripMs, dripHeadMs, encoding, padBytes, cutAfterBytes, stallAfterBytes, noLength,
// closeDelimited }.

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

function bodyOf({ json, html, text, video, pieces }) {
	if (pieces) return { pieces };
	if (video) return { length: video.length, pieces: video.read(0, video.length) };
	const [content, type] =
		json !== undefined
			? [JSON.stringify(json), JSON_TYPE]
			: html
				? [html, HTML_TYPE]
				: [text ?? ''];
	const bytes = Buffer.from(content);
	return { type, length: bytes.length, pieces: bytes.length > 0 ? [bytes] : [] };
}

function writeHead(exchange, answer, { type, length }) {
	const { response, record } = exchange;
	// Names in small letters, so that a plan's header replaces the usual one however it is spelt.
	const given = Object.entries(answer.headers ?? {}).map(([name, value]) => [
		name.toLowerCase(),
		value,
	]);
	// New API names itself in all its answers; a proxy before it, in pages, does not.
	const { isNewApi, clockSkewMs = 0 } = exchange.state.deployment;
	const headers = {
		...(record.origin === 'service' && { date: new Date(Date.now() + clockSkewMs).toUTCString() }),
		...(type && { 'content-type': type }),
		...(isNewApi && type !== HTML_TYPE && { 'x-new-api-version': 'v0.0.0' }),
		...Object.fromEntries(given),
	};
	if (answer.encoding) headers['content-encoding'] = answer.encoding;
	if (length !== undefined && !answer.noLength && !answer.closeDelimited) {
		headers['content-length'] ??= length;
	}
	if (answer.closeDelimited) {
		// Without both, Node.js falls back to a chunked body, whose end can be told.
		response.useChunkedEncodingByDefault = false;
		response.shouldKeepAlive = false;
	}
	record.status = answer.status ?? 200;
	response.writeHead(record.status, headers);
}

/** Resolves when the client has gone or the sandbox closes. */
const untilGone = ({ signal }) => (signal.aborted ? undefined : once(signal, 'abort'));

/** Writes one piece and waits until the socket has taken it. */
const write = (response, piece) =>
	new Promise((resolve) => response.write(piece, () => resolve(undefined)));

/** Writes the body, at most `limit` bytes of it; tells whether all of it went out. */
async function writePieces(exchange, pieces, { limit, dripMs = 0, pieceDelayMs = dripMs }) {
	const { response, record, signal } = exchange;
	for await (const piece of pieces) {
		if (signal.aborted) return true;
		if (record.sentBytes > 0 && pieceDelayMs > 0) {
			await pause(pieceDelayMs, undefined, { signal });
		}
		const part = piece.subarray(0, limit - record.sentBytes);
		if (part.length > 0) await write(response, part);
		record.sentBytes += part.length;
		if (record.sentBytes >= limit) return false;
	}
	return true;
}

async function endEarly(exchange, answer) {
	const { response, record, request } = exchange;
	if (answer.stallAfterBytes !== undefined) return await untilGone(exchange);
	exchange.endedByUs = true;
	record.status = null;
	if (answer.closeDelimited) request.socket.end();
	else request.socket.destroy();
	response.destroy();
}

/** A head that never ends, byte by byte: the socket is busy, and no client hears an answer. */
async function dripHead({ request, signal }, delayMs) {
	const head = `HTTP/1.1 200 OK\r\nx-drip: `;
	for (let at = 0; !signal.aborted; at++) {
		request.socket.write(head[at] ?? '.');
		await pause(delayMs, undefined, { signal });
	}
}

async function respond(exchange, answer) {
	const { response, request, signal } = exchange;
	if (answer.delayMs > 0) await pause(answer.delayMs, undefined, { signal });
	if (signal.aborted) return;
	if (answer.socket === 'hang') return await untilGone(exchange);
	if (answer.socket === 'reset') {
		exchange.endedByUs = true;
		request.socket.resetAndDestroy();
		return;
	}
	if (answer.dripHeadMs > 0) return await dripHead(exchange, answer.dripHeadMs);
	const body = inForm(bodyOf(answer), answer);
	writeHead(exchange, answer, body);
	const limit = answer.cutAfterBytes ?? answer.stallAfterBytes ?? Infinity;
	if (limit !== Infinity) response.flushHeaders();
	const whole = limit > 0 && (await writePieces(exchange, body.pieces, { ...answer, limit }));
	if (whole) response.end();
	else await endEarly(exchange, answer);
}

module.exports = { ENCODINGS: Object.keys(COMPRESSIONS), respond };
