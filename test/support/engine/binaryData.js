'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { makeDatabaseStore } = require('./databaseStore');

/** 'filesystem-v2:workflows/...' -> 'filesystem'; data kept in the item has no id. */
function modeOf({ id }) {
	return id ? id.split(':')[0].replace('-v2', '') : 'default';
}

/**
 * n8n's own BinaryDataService, one for each mode that an engine's runs ask for.
 * @param {object} loaded what `loadCore` returned
 */
function makeBinaryData({ core, Container, version }) {
	const services = {};
	const database = makeDatabaseStore();
	let folder;

	async function make(mode) {
		if (mode === 'database' && version === '1') {
			throw new Error('n8n 1 has no binary data mode "database"');
		}
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
	async function use(mode) {
		services[mode] ??= await make(mode);
		Container.set(core.BinaryDataService, services[mode]);
	}

	async function read(binaryData) {
		const mode = modeOf(binaryData);
		services[mode] ??= await make(mode);
		return await services[mode].getAsBuffer(binaryData);
	}

	/** Bytes of each file on disk and in rows, of one execution or all, without what describes them. */
	function sizesOf(executionId) {
		const ofExecution = path.join(executionId ? `executions/${executionId}` : '', 'binary_data');
		const paths = folder ? fs.readdirSync(folder, { recursive: true }) : [];
		const files = paths
			.filter((file) => path.dirname(file).endsWith(ofExecution) && !file.endsWith('.metadata'))
			.map((file) => fs.statSync(path.join(folder, file)).size);
		return [...files, ...database.sizesOf(executionId)];
	}

	/** As n8n deletes an execution, by hand or when its time has come. */
	async function forget(workflowId, executionId) {
		const location = { type: 'execution', workflowId, executionId };
		for (const service of Object.values(services)) await service.deleteMany([location]);
	}

	function close() {
		if (folder) fs.rmSync(folder, { recursive: true, force: true });
	}

	return { use, read, sizesOf, forget, close };
}

module.exports = { makeBinaryData };
