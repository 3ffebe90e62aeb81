'use strict';

const { isDeepStrictEqual } = require('node:util');

const { NodeHelpers, Workflow } = require('n8n-workflow');

const NODE_NAME = 'Node';

/** Both values of each switch that the expression of the outputs reads. */
function decidingParameters({ outputs, properties }) {
	const names = [...String(outputs).matchAll(/\$parameter\["(\w+)"\]/g)].map(([, name]) => name);
	const switches = properties.filter(
		({ name, type }) => type === 'boolean' && names.includes(name),
	);
	const values = switches.flatMap(({ name }) => [{ [name]: true }, { [name]: false }]);
	return values.length > 0 ? values : [{}];
}

/** Workflows are saved with the numbers of inputs and outputs. */
const byNumber = (ends) => ({
	...ends.map((end) => [end.type ?? end, end.displayName].filter(Boolean).join(': ')),
});

function readConnections(description, parameters) {
	const { name: type, version: typeVersion } = description;
	const node = { id: '1', name: NODE_NAME, type, typeVersion, position: [0, 0], parameters };
	const nodeType = { description };
	const nodeTypes = { getByName: () => nodeType, getByNameAndVersion: () => nodeType };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const saved = workflow.getNode(NODE_NAME);
	return {
		with: parameters,
		inputs: byNumber(NodeHelpers.getNodeInputs(workflow, saved, description)),
		outputs: byNumber(NodeHelpers.getNodeOutputs(workflow, saved, description)),
	};
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
	show: property.displayOptions?.show,
	hide: property.displayOptions?.hide,
});

const INSIDE = {
	collection: ({ options }, path) => flatten(options, `${path}.`),
	fixedCollection: ({ options }, path) =>
		options.flatMap(({ name, values }) => flatten(values, `${path}.${name}.`)),
};

/** Every parameter with what is inside its collections: `[path, property]`. */
const flatten = (properties, before = '') =>
	properties.flatMap((property) => {
		const path = before + property.name;
		return [[path, property], ...(INSIDE[property.type]?.(property, path) ?? [])];
	});

/** `{ path: [form, ...] }`: a name may stand for several fields of which one is shown. */
function readParameters(properties) {
	const found = {};
	for (const [path, property] of flatten(properties)) {
		(found[path] ??= []).push(toForm(property));
	}
	return found;
}

function readFields({ properties = {}, required = [] }, before = '') {
	return Object.entries(properties).reduce((found, [name, schema]) => {
		const path = before + name;
		const always = required.includes(name) || undefined;
		found[path] = { type: schema.type, values: schema.enum, always };
		return Object.assign(found, readFields(schema, `${path}.`));
	}, {});
}

function readNode(description, schema) {
	const credentials = (description.credentials ?? []).map(({ name, required = false }) => [
		name,
		{ required },
	]);
	return {
		usableAsTool: description.usableAsTool && true,
		credentials: Object.fromEntries(credentials),
		connections: decidingParameters(description).map((parameters) =>
			readConnections(description, parameters),
		),
		parameters: readParameters(description.properties),
		fields: readFields(schema),
	};
}

/** What saved workflows, sleeping executions and stored credentials depend on, hidden parameters too. */
function readContract({ packageName, nodes, credentials, schemaOf }) {
	const contract = {
		nodes: Object.fromEntries(
			nodes.map((node) => [
				`${packageName}.${node.name} v${node.version}`,
				readNode(node, schemaOf(node.name, node.version)),
			]),
		),
		credentials: Object.fromEntries(
			credentials.map(({ name, properties }) => [name, readParameters(properties)]),
		),
	};
	// As it is read back from a file: without what is undefined.
	return JSON.parse(JSON.stringify(contract));
}

const isObject = (value) => typeof value === 'object' && value !== null;

/** What people must fill in before what they have saved runs again. */
const isDemanded = ({ required, default: value = '', show }) => required && value === '' && !show;

/** A field may be hidden now where it was shown, and n8n does not use what is hidden. */
function isHiddenMore(before, now) {
	const holds = (all, value) => all.some((one) => isDeepStrictEqual(one, value));
	const holdsAll = (all = [], wanted = []) => wanted.every((value) => holds(all, value));
	const { show = {}, hide = {} } = now;
	return (
		Object.keys(show).some(
			(name) => !before.show?.[name] || !holdsAll(show[name], before.show[name]),
		) || Object.keys(hide).some((name) => !holdsAll(before.hide?.[name], hide[name]))
	);
}

/**
 * What of a released contract is not as it was; one sentence each. Additions are no changes: further
 * values in a list, and what nobody has to fill in.
 * @returns {string[]}
 */
function changesSince(released, current, place = '') {
	if (!isObject(released) || !isObject(current)) {
		const isSame = isDeepStrictEqual(released, current);
		return isSame ? [] : [`${place}was ${JSON.stringify(released)}, is ${JSON.stringify(current)}`];
	}
	if (Array.isArray(released)) {
		const isKept = (one) => current.some((other) => changesSince(one, other).length === 0);
		const lost = released.filter((one) => !isKept(one));
		return lost.map((one) => `${place}${JSON.stringify(one)} is gone`);
	}
	const { show: _show, hide: _hide, required, ...rest } = released;
	return [
		...(current.required === true && !required ? [`${place}it is required now`] : []),
		...Object.entries(rest).flatMap(([name, value]) =>
			name in current
				? changesSince(value, current[name], `${place}${name}: `)
				: [`${place}"${name}" is gone`],
		),
		...(isHiddenMore(released, current) ? [`${place}it may be hidden where it was shown`] : []),
		...Object.keys(current)
			.filter((name) => !(name in released) && [current[name]].flat().some(isDemanded))
			.map((name) => `${place}"${name}" is new and has to be filled in`),
	];
}

module.exports = { changesSince, readContract };
