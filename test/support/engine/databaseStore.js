'use strict';

const { randomUUID } = require('node:crypto');
const { buffer: readAll } = require('node:stream/consumers');
const { Readable } = require('node:stream');

const sizeOf = ({ data }) => data.length;

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
		async store(location, bufferOrStream, { mimeType, fileName }) {
			const isBuffer = Buffer.isBuffer(bufferOrStream);
			const data = isBuffer ? bufferOrStream : await readAll(bufferOrStream);
			const fileId = randomUUID();
			const metadata = { mimeType, fileName, fileSize: data.length };
			rows.set(fileId, { executionId: location.executionId, data, metadata });
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
		async deleteMany(locations) {
			const ids = locations.map(({ executionId }) => executionId);
			for (const [id, { executionId }] of rows) if (ids.includes(executionId)) rows.delete(id);
		},
		sizesOf: (executionId) =>
			[...rows.values()]
				.filter((row) => (executionId ?? row.executionId) === row.executionId)
				.map(sizeOf),
	};
}

module.exports = { makeDatabaseStore };
