'use strict';

const { isDeepStrictEqual } = require('node:util');

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
 * What saved workflows, sleeping executions and stored credentials depend on, hidden parameters too.
 * To be compared with a `released` contract, it tells of the same connections.
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

const text = (value) => JSON.stringify(value) ?? 'none';
const lost = (before = [], now = []) => before.filter((value) => !now.includes(value));

/** A rule that is new, or that allows less than it did. */
const isStricter = (before, now, includes) =>
	Object.entries(now).some(([name, values]) => {
		if (!before[name]) return true;
		if (isDeepStrictEqual(before[name], values)) return false;
		return !includes(values, before[name]);
	});

const holdsAll = (values, wanted) => wanted.every((value) => values.includes(value));

/** Whether a field may be hidden now where it was shown: n8n does not use what is hidden. */
const isHiddenMore = (before, now) =>
	isStricter(before.show ?? {}, now.show ?? {}, holdsAll) ||
	isStricter(before.hide ?? {}, now.hide ?? {}, (values, wanted) => holdsAll(wanted, values));

function formChanges(before, now) {
	const same = ['type', 'default', 'multiple'].filter(
		(key) => !isDeepStrictEqual(before[key], now[key]),
	);
	return [
		...same.map((key) => `${key} was ${text(before[key])}, is ${text(now[key])}`),
		...lost(before.options, now.options).map((value) => `option ${text(value)} is gone`),
		...lost(before.modes, now.modes).map((value) => `mode ${text(value)} is gone`),
		...(now.required && !before.required ? ['it is required now'] : []),
		...(isHiddenMore(before, now)
			? [`it may be hidden where it was shown: ${text({ show: now.show, hide: now.hide })}`]
			: []),
	];
}

/** A field that people must fill in before what they have saved runs again. */
const isDemanded = ({ required, default: value, show }) => required && value === '' && !show;

function parameterChanges(before, now) {
	const changed = Object.entries(before).flatMap(([path, forms]) => {
		if (!now[path]) return [`"${path}" is gone`];
		return forms.flatMap((form) => {
			const byForm = now[path].map((other) => formChanges(form, other));
			const [fewest] = byForm.sort((a, b) => a.length - b.length);
			return fewest.map((change) => `"${path}": ${change}`);
		});
	});
	const added = Object.keys(now).filter((path) => !before[path] && now[path].some(isDemanded));
	return [...changed, ...added.map((path) => `"${path}" is new and has to be filled in`)];
}

function credentialChanges(before, now) {
	const gone = lost(Object.keys(before), Object.keys(now));
	const demanded = Object.keys(now).filter((name) => now[name].required && !before[name]?.required);
	return [
		...gone.map((name) => `credential ${name} is gone`),
		...demanded.map((name) => `credential ${name} is required now`),
	];
}

/** Workflows are saved with numbers of inputs and outputs: new ones may only come behind. */
function connectionChanges(before, now) {
	return before.flatMap((released, i) =>
		['inputs', 'outputs']
			.filter(
				(ends) => !isDeepStrictEqual(released[ends], now[i][ends].slice(0, released[ends].length)),
			)
			.map((ends) => {
				const [was, is] = [released, now[i]].map((one) => text(one[ends]));
				return `${ends} with ${text(released.with)} were ${was}, are ${is}`;
			}),
	);
}

/** Expressions read these; a further value of a field is no change of it. */
const fieldChanges = (before, now) =>
	Object.entries(before).flatMap(([path, { type, values, always }]) => {
		const field = now[path];
		if (!field) return [`field "${path}" of its items is gone`];
		const changes = [
			...(isDeepStrictEqual(type, field.type)
				? []
				: [`type was ${text(type)}, is ${text(field.type)}`]),
			...lost(values, field.values).map((value) => `value ${text(value)} is gone`),
			...(always && !field.always ? ['it may be missing now'] : []),
		];
		return changes.map((change) => `field "${path}" of its items: ${change}`);
	});

const nodeChanges = (before, now) => [
	...(before.usableAsTool && !now.usableAsTool ? ['it is no tool any more'] : []),
	...credentialChanges(before.credentials, now.credentials),
	...connectionChanges(before.connections, now.connections),
	...parameterChanges(before.parameters, now.parameters),
	...fieldChanges(before.fields, now.fields),
];

const changesOfAll = (before, now, changesOf) =>
	Object.entries(before).flatMap(([name, released]) => {
		const changes = now[name] ? changesOf(released, now[name]) : ['it is gone'];
		return changes.map((change) => `${name}: ${change}`);
	});

/**
 * What of a released contract is not as it was; one sentence each. Additions are no changes.
 * @returns {string[]}
 */
const changesSince = (released, current) => [
	...changesOfAll(released.nodes, current.nodes, nodeChanges),
	...changesOfAll(released.credentials, current.credentials, parameterChanges),
];

module.exports = { changesSince, readContract };
