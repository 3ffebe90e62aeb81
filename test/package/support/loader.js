'use strict';

const { loadCore } = require('../../support/engine/core');
const { ROOT } = require('./files');

/** Loads the built package the way n8n does at its start. */
async function loadPackage() {
	const { core } = loadCore('2');
	const loader = new core.PackageDirectoryLoader(ROOT);
	await loader.loadAll();
	const { packageName, types, known } = loader;
	return { packageName, nodes: types.nodes, credentials: types.credentials, known };
}

module.exports = { loadPackage };
