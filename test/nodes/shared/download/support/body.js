'use strict';

const { Readable } = require('node:stream');

/**
 * An answer's body as n8n hands it to a node.
 * @param {Iterable<Uint8Array> | AsyncIterable<Uint8Array>} pieces
 * @param {boolean} isCut ends as a cut connection does
 */
function bodyOf(pieces, isCut) {
	async function* body() {
		yield* pieces;
		if (isCut) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
	}
	return Readable.from(body());
}

module.exports = { bodyOf };
