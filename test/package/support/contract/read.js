'use strict';

const { decidingParameters, readConnections } = require('./connections');
const { readFields } = require('./fields');
const { readParameters } = require('./parameters');

function readNode(description, version, schema, released) {
	const settings = released?.connections.map((one) => one.with) ?? decidingParameters(description);
	const credentials = (description.credentials ?? []).map(({ name, required = false }) => [
		name,
		{ required },
	]);
	return {
		usableAsTool: Boolean(description.usableAsTool),
		credentials: Object.fromEntries(credentials),
		connections: settings.map((parameters) => readConnections(description, version, parameters)),
		parameters: readParameters(description.properties, version),
		fields: readFields(schema),
	};
}

/**
 * What saved workflows, sleeping executions and stored credentials depend on, as plain JSON: each
 * version of each node with its connections, parameters (hidden ones, too) and the fields of its
 * items, and the fields of credentials. To be compared with a `released` contract it tells of the same connections.
 */
function readContract({ packageName, nodes, credentials, schemaOf }, released) {
	const versions = nodes.flatMap((node) => [node.version].flat().map((version) => [node, version]));
	const readVersion = ([node, version]) => {
		const key = `${packageName}.${node.name} v${version}`;
		return [key, readNode(node, version, schemaOf(node.name, version), released?.nodes[key])];
	};
	const fields = credentials.map(({ name, properties }) => [name, readParameters(properties)]);
	const contract = {
		nodes: Object.fromEntries(versions.map(readVersion)),
		credentials: Object.fromEntries(fields),
	};
	// As it is read back from a file: without what is undefined.
	return JSON.parse(JSON.stringify(contract));
}

module.exports = { readContract };
