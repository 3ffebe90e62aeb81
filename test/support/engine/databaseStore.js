'use strict';

const { randomUUID } = require('node:crypto');
const { buffer: readAll } = require('node:stream/consumers');
const { Readable } = require('node:stream');

/**
 * n8n's DatabaseManager (packages/cli) with a Map for its table. Like the original it collects a
 * stream in memory before storing it.
 */
function makeDatabaseStore() {
	const rows = new Map();
	const row = (fileId) => {
		if (!rows.has(fileId)) throw new Error(`File not found: ${fileId}`);
		return rows.get(fileId);
	};
	return {
		async init() {},
		async store(_location, bufferOrStream, { mimeType, fileName }) {
			const isBuffer = Buffer.isBuffer(bufferOrStream);
			const data = isBuffer ? bufferOrStream : await readAll(bufferOrStream);
			const fileId = randomUUID();
			rows.set(fileId, { data, metadata: { mimeType, fileName, fileSize: data.length } });
			return { fileId, fileSize: data.length };
		},
		getPath: (fileId) => `database://${fileId}`,
		getAsBuffer: async (fileId) => row(fileId).data,
		getAsStream: async (fileId) => Readable.from(row(fileId).data),
		getMetadata: async (fileId) => row(fileId).metadata,
		async copyByFileId(_location, fileId) {
			const copy = randomUUID();
			rows.set(copy, row(fileId));
			return copy;
		},
	};
}

module.exports = { makeDatabaseStore };
