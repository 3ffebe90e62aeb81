'use strict';

const { createFile, DataStream } = require('mp4box');

/**
 * Reads a film with mp4box.js, which skips the fields that are reserved, and writes its index anew.
 * @param {Buffer} bytes
 * @returns {{ own: Buffer, anew: Buffer, moov: object }} both indexes, and what it has read
 */
function rewriteIndex(bytes) {
	const file = createFile();
	file.appendBuffer(Object.assign(new Uint8Array(bytes).buffer, { fileStart: 0 }));
	const { moov } = file;
	const stream = new DataStream();
	moov.write(stream);
	const own = bytes.subarray(moov.start, moov.start + moov.size);
	return { own, anew: Buffer.from(stream.buffer), moov };
}

module.exports = { rewriteIndex };
