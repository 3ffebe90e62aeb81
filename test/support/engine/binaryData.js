'use strict';

const { randomUUID } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Readable } = require('node:stream');
const { buffer: readAll } = require('node:stream/consumers');

/**
 * n8n's DatabaseManager (packages/cli) with a Map for its table. Like the original it collects a
 * stream in memory before storing it, and takes no other iterable.
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
			if (!isBuffer && !bufferOrStream.on) throw new TypeError('stream.on is not a function');
			const data = isBuffer ? bufferOrStream : await readAll(bufferOrStream);
			const fileId = randomUUID();
			const metadata = { mimeType, fileName, fileSize: data.length };
			rows.set(fileId, { executionId: location.executionId, data, metadata });
			return { fileId, fileSize: data.length };
		},
		getAsBuffer: async (fileId) => row(fileId).data,
		getAsStream: async (fileId) => Readable.from(row(fileId).data),
		getMetadata: async (fileId) => row(fileId).metadata,
		async deleteMany(locations) {
			const ids = locations.map(({ executionId }) => executionId);
			for (const [id, { executionId }] of rows) if (ids.includes(executionId)) rows.delete(id);
		},
		sizesOf: (executionId) =>
			[...rows.values()]
				.filter((row) => (executionId ?? row.executionId) === row.executionId)
				.map(({ data }) => data.length),
	};
}

/** n8n's own BinaryDataService, one for each mode that an engine's runs ask for. */
function makeBinaryData({ core, Container }) {
	const services = {};
	const database = makeDatabaseStore();
	let folder;

	async function make(mode) {
		folder ??= fs.mkdtempSync(path.join(os.tmpdir(), 'n8n-binary-'));
		const config = {
			mode,
			availableModes: ['filesystem'],
			localStoragePath: folder,
			signingSecret: 'engine-test-harness',
		};
		const service = new core.BinaryDataService(config, Container.get(core.ErrorReporter));
		await service.init();
		if (mode === 'database') service.setManager(mode, database);
		return service;
	}

	/** Nodes find the service in the container, so the mode holds for every run that goes on. */
	async function use(mode = 'default') {
		services[mode] ??= await make(mode);
		Container.set(core.BinaryDataService, services[mode]);
	}

	async function read(binaryData) {
		// 'filesystem-v2:workflows/...', and no id where the item holds the file.
		const mode = binaryData.id?.split(':')[0].replace('-v2', '') ?? 'default';
		services[mode] ??= await make(mode);
		return await services[mode].getAsBuffer(binaryData);
	}

	/** Bytes of each file on disk and in rows, of one execution or all, without what describes them. */
	function sizesOf(executionId) {
		const ofExecution = path.join(executionId ? `executions/${executionId}` : '', 'binary_data');
		const paths = folder ? fs.readdirSync(folder, { recursive: true }) : [];
		const files = paths
			.filter((file) => path.dirname(file).endsWith(ofExecution) && !file.endsWith('.metadata'))
			// n8n may rename a file at any time.
			.flatMap(
				(file) => fs.statSync(path.join(folder, file), { throwIfNoEntry: false })?.size ?? [],
			);
		return [...files, ...database.sizesOf(executionId)];
	}

	/** As n8n deletes an execution, by hand or when its time has come. */
	async function forget(workflowId, executionId) {
		const location = { type: 'execution', workflowId, executionId };
		for (const service of Object.values(services)) await service.deleteMany([location]);
	}

	/** As where a mounted disk goes away; a later file makes its own folder again. */
	function lose() {
		for (const name of fs.readdirSync(folder)) {
			fs.rmSync(path.join(folder, name), { recursive: true, force: true });
		}
	}

	function close() {
		if (folder) fs.rmSync(folder, { recursive: true, force: true });
	}

	return { use, read, sizesOf, forget, lose, close };
}

module.exports = { makeBinaryData };
