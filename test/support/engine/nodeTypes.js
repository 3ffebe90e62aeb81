'use strict';

const { toTool } = require('./aiNodes');
const { builtInNodes } = require('./builtInNodes');

/**
 * Loads the built package with n8n-core's own loader.
 * @param {Record<string, object>} extra more node types, by full name
 * @returns n8n's `INodeTypes`, a getter for credential types by name, and one for the function with
 *   which nodes test a credential
 */
async function loadTypes({ core, workflow }, directory, extra) {
	const own = { ...builtInNodes, ...extra };
	const loader = new core.PackageDirectoryLoader(directory);
	await loader.loadAll();
	const { packageName } = loader;

	function getByName(name) {
		if (own[name]) return own[name];
		// As NodeTypes of packages/cli: a node that is usable as a tool has such a type beside its own.
		if (name.endsWith('Tool')) return toTool(getByName(name.replace(/Tool$/, '')));
		const [owner, ownName] = name.split(/\.(?=[^.]*$)/);
		if (owner !== packageName) throw new Error(`Unrecognized node type: ${name}`);
		return loader.getNode(ownName).type;
	}

	const names = [
		...Object.keys(own).filter((name) => own[name] !== undefined),
		...Object.keys(loader.known.nodes).map((name) => `${packageName}.${name}`),
	];
	const known = Object.fromEntries(names.map((name) => [name, {}]));
	const nodeTypes = {
		getByName,
		getByNameAndVersion: (name, version) =>
			workflow.NodeHelpers.getVersionedNodeType(getByName(name), version),
		getKnownTypes: () => known,
	};

	/** As `getCredentialTestFunction` of packages/cli: the first node that names a test is asked. */
	function getCredentialTest(name) {
		for (const nodeName of loader.known.credentials[name].supportedNodes) {
			const { description, methods } = loader.getNode(nodeName).type;
			const { testedBy } = description.credentials.find((one) => one.name === name);
			if (testedBy) return methods?.credentialTest[testedBy];
		}
		return undefined;
	}

	return {
		nodeTypes,
		getCredential: (name) => loader.getCredential(name).type,
		getCredentialTest,
	};
}

module.exports = { loadTypes };
