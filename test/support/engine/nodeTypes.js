'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { toTool } = require('./aiNodes');
const { builtInNodes } = require('./builtInNodes');

async function loadPackage(core, directory) {
	const loader = new core.PackageDirectoryLoader(directory);
	const { nodes = [], credentials = [] } = loader.packageJson.n8n;
	const missing = [...nodes, ...credentials].find(
		(file) => !fs.existsSync(path.join(directory, file)),
	);
	if (missing) throw new Error(`${missing} is not there: build the package first (npm run build)`);
	await loader.loadAll();
	return loader;
}

/**
 * Loads built packages with n8n-core's own loader.
 * @param {object} loaded what `loadCore` returned
 * @param {string[]} directories package folders whose manifest's `n8n` section lists built files
 * @param {Record<string, object>} extra more node types, by full name
 * @returns n8n's `INodeTypes`, and a getter for credential types by name
 */
async function loadTypes({ core, workflow }, directories, extra) {
	const own = { ...builtInNodes, ...extra };
	const loaders = [];
	for (const directory of directories) loaders.push(await loadPackage(core, directory));

	function getByName(name) {
		if (own[name]) return own[name];
		// As NodeTypes of packages/cli: a node that is usable as a tool has such a type beside its own.
		if (name.endsWith('Tool')) return toTool(getByName(name.replace(/Tool$/, '')));
		const dot = name.lastIndexOf('.');
		const loader = loaders.find(({ packageName }) => packageName === name.slice(0, dot));
		if (!loader) throw new Error(`Unrecognized node type: ${name}`);
		return loader.getNode(name.slice(dot + 1)).type;
	}

	function getCredential(name) {
		const loader = loaders.find(({ credentialTypes }) => name in credentialTypes);
		if (!loader) throw new Error(`Unrecognized credential type: ${name}`);
		return loader.getCredential(name).type;
	}

	const names = [
		...Object.keys(own).filter((name) => own[name] !== undefined),
		...loaders.flatMap(({ packageName, known }) =>
			Object.keys(known.nodes).map((name) => `${packageName}.${name}`),
		),
	];
	const known = Object.fromEntries(names.map((name) => [name, {}]));
	const nodeTypes = {
		getByName,
		getByNameAndVersion: (name, version) =>
			workflow.NodeHelpers.getVersionedNodeType(getByName(name), version),
		getKnownTypes: () => known,
	};
	return { nodeTypes, getCredential };
}

module.exports = { loadTypes };
