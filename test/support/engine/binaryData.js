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
		if (mode === 'database') service.setManager(mode, makeDatabaseStore());
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

	function close() {
		if (folder) fs.rmSync(folder, { recursive: true, force: true });
	}

	return { use, read, close };
}

module.exports = { makeBinaryData };
