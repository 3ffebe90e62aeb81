'use strict';

const { NodeHelpers } = require('n8n-workflow');

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

module.exports = { readParameters };
