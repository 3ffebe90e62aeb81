'use strict';

const { NodeHelpers, Workflow } = require('n8n-workflow');

const NODE_NAME = 'Node';

/** The values of a parameter that can decide about outputs: all it has, or those asked for. */
function decidingValues({ type, default: value, options, name }, expression) {
	if (type === 'boolean') return [true, false];
	if (type === 'options') return options.map((option) => option.value);
	const compared = expression.matchAll(new RegExp(`\\["${name}"\\] === "(\\w+)"`, 'g'));
	return [...new Set([value, ...[...compared].map(([, text]) => text)])];
}

/** Every combination of the parameters that the expression of the outputs reads. */
function decidingParameters({ outputs, properties }) {
	const expression = String(outputs);
	const read = [...expression.matchAll(/\$parameter\["(\w+)"\]/g)].map(([, name]) => name);
	return [...new Set(read)].reduce(
		(all, name) => {
			const property = properties.find((one) => one.name === name);
			if (!property) throw new Error(`Outputs depend on "${name}", which is no parameter.`);
			const values = decidingValues(property, expression);
			return all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
		},
		[{}],
	);
}

const toNames = (ends) =>
	ends.map((end) => [end.type ?? end, end.displayName].filter(Boolean).join(': '));

/** A node's inputs and outputs when its parameters are `parameters`, as n8n works them out. */
function readConnections(description, typeVersion, parameters) {
	const type = description.name;
	const node = { id: '1', name: NODE_NAME, type, typeVersion, position: [0, 0], parameters };
	const nodeType = { description };
	const nodeTypes = { getByName: () => nodeType, getByNameAndVersion: () => nodeType };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const saved = workflow.getNode(NODE_NAME);
	return {
		with: parameters,
		inputs: toNames(NodeHelpers.getNodeInputs(workflow, saved, description)),
		outputs: toNames(NodeHelpers.getNodeOutputs(workflow, saved, description)),
	};
}

/** Whether a parameter belongs to a version of its node, by n8n's own rules for `@version`. */
function isOfVersion({ displayOptions: { show, hide } = {} }, typeVersion) {
	const only = (rules) => rules?.['@version'] && { '@version': rules['@version'] };
	const displayOptions = { show: only(show), hide: only(hide) };
	return NodeHelpers.displayParameter({}, { displayOptions }, { typeVersion }, null);
}

function withoutVersion({ '@version': _version, ...rules } = {}) {
	return Object.keys(rules).length > 0 ? rules : undefined;
}

const valuesOf = ({ type, options = [] }) =>
	type === 'options' || type === 'multiOptions' ? options.map(({ value }) => value) : undefined;

/** What a saved value of this parameter means; names, hints and their like may change. */
const toForm = (property) => ({
	type: property.type,
	default: property.default,
	required: property.required || undefined,
	multiple: property.typeOptions?.multipleValues || undefined,
	options: valuesOf(property),
	modes: property.modes?.map(({ name }) => name),
	show: withoutVersion(property.displayOptions?.show),
	hide: withoutVersion(property.displayOptions?.hide),
});

const INSIDE = {
	collection: ({ options }, path, version) => flatten(options, version, `${path}.`),
	fixedCollection: ({ options }, path, version) =>
		options.flatMap(({ name, values }) => flatten(values, version, `${path}.${name}.`)),
};

/** Every parameter with what is inside its collections: `[path, property]`. */
function flatten(properties, version, before = '') {
	const ofVersion = properties.filter((property) => isOfVersion(property, version));
	return ofVersion.flatMap((property) => {
		const path = before + property.name;
		const inside = INSIDE[property.type]?.(property, path, version) ?? [];
		return [[path, property], ...inside];
	});
}

/** `{ path: [form, ...] }`: a name may stand for several fields of which one is shown. */
function readParameters(properties, version) {
	const found = {};
	for (const [path, property] of flatten(properties, version)) {
		(found[path] ??= []).push(toForm(property));
	}
	return found;
}

/** Every field of the items that a node gives, by path: its type, and whether it is always there. */
function readFields({ properties = {}, required = [] }, before = '') {
	return Object.entries(properties).reduce((found, [name, schema]) => {
		const path = before + name;
		const always = required.includes(name) || undefined;
		found[path] = { type: schema.type, values: schema.enum, always };
		return Object.assign(found, readFields(schema, `${path}.`));
	}, {});
}

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
