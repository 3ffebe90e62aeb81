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

const sampleNumber = ({ minimum, maximum }) => Number(minimum ?? Math.min(1, Number(maximum ?? 1)));

/** Samples by type; `place` is the one inside. */
const SAMPLES = {
	object({ properties = {}, propertyOrdering: names = Object.keys(properties) }, place) {
		return Object.fromEntries(
			names.map((name) => [name, sample(properties[name] ?? {}, { ...place, name })]),
		);
	},
	array({ items = {}, minItems, maxItems }, place) {
		const length = Math.max(Number(minItems ?? 0), Math.min(2, Number(maxItems ?? 2)));
		return Array.from({ length }, () => sample(items, place));
	},
	number: sampleNumber,
	integer: (schema) => Math.ceil(sampleNumber(schema)),
	boolean: () => true,
	null: () => null,
	string: sampleText,
};

/** The schema that one only points at. */
function pointedAt({ $ref, anyOf, oneOf }, root) {
	const name = /^#\/(?:\$defs|definitions|defs)\/(.+)$/.exec($ref ?? '')?.[1];
	const defs = root.$defs ?? root.definitions ?? root.defs ?? {};
	return name === undefined ? (anyOf ?? oneOf)?.[0] : (defs[name] ?? {});
}

function sample(schema, place) {
	if (place.depth > DEEPEST) return null;
	const inside = { ...place, depth: place.depth + 1 };
	const other = pointedAt(schema, place.root);
	if (other) return sample(other, inside);
	if (schema.const !== undefined) return schema.const;
	if (Array.isArray(schema.enum)) return schema.enum[0];
	return (SAMPLES[typeOf(schema)] ?? sampleText)(schema, inside);
}

/** A value that fits a schema; `asked` fills its texts. */
const sampleOf = (schema, asked) => sample(schema, { name: '', asked, depth: 0, root: schema });

module.exports = { sampleOf };
