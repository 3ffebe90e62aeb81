'use strict';

const { Readable } = require('node:stream');
const zlib = require('node:zlib');

// How a body travels beside how it reads: padded, compressed, byte by byte.

const COMPRESSIONS = {
	gzip: () => zlib.createGzip(),
	deflate: () => zlib.createDeflate(),
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

/**
 * The body of an answer as it goes out.
 * @param {{ type?: string, length?: number, pieces: Iterable<Buffer> | AsyncIterable<Buffer> }} body
 */
function inForm({ type, length, pieces }, { padBytes = 0, encoding, dripMs }) {
	let out = padBytes > 0 ? padded(pieces, padBytes) : pieces;
	if (encoding) out = Readable.from(out).compose(COMPRESSIONS[encoding]());
	if (dripMs > 0) out = byteByByte(out);
	const size = length === undefined || encoding ? undefined : length + padBytes;
	return { type, length: size, pieces: out };
}

module.exports = { inForm, ENCODINGS: Object.keys(COMPRESSIONS) };
