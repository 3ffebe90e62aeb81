'use strict';

// A value that fits a response schema: the native protocol's (types in capitals, `nullable`) or
// plain JSON Schema. The same schema always gives the same value.

const DEEPEST = 12;
const FORMATS = {
	'date-time': '2026-01-01T12:00:00Z',
	date: '2026-01-01',
	time: '12:00:00',
	duration: 'PT8S',
};

const typeOf = ({ type, properties, items }) => {
	const first = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
	return String(first ?? (properties ? 'object' : items ? 'array' : 'string')).toLowerCase();
};

function sampleText({ format, minLength = 0, maxLength }, { name, asked }) {
	const text = FORMATS[format] ?? (name ? `${name}: ${asked}` : asked);
	return text.padEnd(Number(minLength), '.').slice(0, maxLength ?? undefined);
}

function sampleNumber({ minimum, maximum }, isWhole) {
	const value = Number(minimum ?? Math.min(1, Number(maximum ?? 1)));
	return isWhole ? Math.ceil(value) : value;
}

function sampleArray({ items = {}, minItems, maxItems }, place) {
	const length = Math.max(Number(minItems ?? 0), Math.min(2, Number(maxItems ?? 2)));
	return Array.from({ length }, () => sample(items, { ...place, depth: place.depth + 1 }));
}

function sampleObject({ properties = {}, propertyOrdering }, place) {
	const names = propertyOrdering ?? Object.keys(properties);
	const deeper = { ...place, depth: place.depth + 1 };
	return Object.fromEntries(
		names.map((name) => [name, sample(properties[name] ?? {}, { ...deeper, name })]),
	);
}

/** Where a schema only points at another one, that one. */
function resolve(schema, { root }) {
	const name = /^#\/(?:\$defs|definitions|defs)\/(.+)$/.exec(schema.$ref ?? '')?.[1];
	const defs = root.$defs ?? root.definitions ?? root.defs ?? {};
	if (name !== undefined) return defs[name] ?? {};
	return schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema;
}

function sample(schema, place) {
	if (place.depth > DEEPEST) return null;
	const { $ref, anyOf, oneOf } = schema;
	if ($ref || anyOf || oneOf) {
		return sample(resolve(schema, place), { ...place, depth: place.depth + 1 });
	}
	if (schema.const !== undefined) return schema.const;
	if (Array.isArray(schema.enum)) return schema.enum[0];
	switch (typeOf(schema)) {
		case 'object':
			return sampleObject(schema, place);
		case 'array':
			return sampleArray(schema, place);
		case 'number':
			return sampleNumber(schema, false);
		case 'integer':
			return sampleNumber(schema, true);
		case 'boolean':
			return true;
		case 'null':
			return null;
		default:
			return sampleText(schema, place);
	}
}

/** @param {object} schema @param {string} asked fills the texts of the value */
const sampleOf = (schema, asked) => sample(schema, { name: '', asked, depth: 0, root: schema });

module.exports = { sampleOf };
