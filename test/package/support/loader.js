'use strict';

const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { loadCore } = require('../../support/engine/core');
const { ROOT } = require('./files');

/**
 * @typedef {object} ItemSchema a JSON schema of an object
 * @property {string} [type]
 * @property {Record<string, object>} [properties]
 * @property {string[]} [required]
 * @property {number} [version]
 *
 * @typedef {object} LoadedPackage
 * @property {string} packageName
 * @property {import('n8n-workflow').INodeTypeDescription[]} nodes
 * @property {import('n8n-workflow').ICredentialType[]} credentials
 * @property {Record<'nodes' | 'credentials', Record<string, { className: string, sourcePath: string }>>} known
 * @property {(name: string, version: number) => ItemSchema} schemaOf what the editor shows of a
 *   node's items before it has run; empty where n8n finds nothing
 */

/**
 * Loads the built package the way n8n does at its start.
 * @returns {Promise<LoadedPackage>}
 */
async function loadPackage() {
	const { core } = loadCore();
	const loader = new core.PackageDirectoryLoader(ROOT);
	await loader.loadAll();
	const { packageName, types, known } = loader;
	/** As n8n answers the editor, which asks by type and version: these nodes have no operations. */
	const schemaOf = (name, version) => {
		const nodeDir = path.dirname(path.join(ROOT, known.nodes[name].sourcePath));
		const file = core.resolveOutputSchemaPath({ nodeDir, version: `${version}.0.0` });
		return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
	};
	return { packageName, nodes: types.nodes, credentials: types.credentials, known, schemaOf };
}

module.exports = { loadPackage };
