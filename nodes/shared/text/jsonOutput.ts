import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../lib/json';

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Words that `responseSchema` takes (the native protocol's Schema); others are JSON Schema's. */
const NATIVE_WORDS = new Set([
	...['anyOf', 'default', 'description', 'enum', 'example', 'format', 'items', 'maxItems'],
	...['maxLength', 'maxProperties', 'maximum', 'minItems', 'minLength', 'minProperties'],
	...['minimum', 'nullable', 'pattern', 'properties', 'propertyOrdering', 'required', 'title'],
	'type',
]);

/** Any of them says what a value may be. */
const SAYS_WHAT = [
	'type',
	'enum',
	'const',
	'$ref',
	'anyOf',
	'oneOf',
	'allOf',
	'properties',
	'items',
];

type Schema = IDataObject;

/** The field for a schema: the native one as long as it uses nothing that this one lacks. */
export function toSchemaField(schema: Schema): 'responseSchema' | 'responseJsonSchema' {
	return isNative(schema) ? 'responseSchema' : 'responseJsonSchema';
}

function isNative(schema: Schema): boolean {
	const own = Object.keys(schema).every((word) => NATIVE_WORDS.has(word));
	return (
		own && !Array.isArray(schema.type) && parts(schema, '').every(([, part]) => isNative(part))
	);
}

/**
 * Says where a schema is no schema, such as an example of the wanted JSON put in its place;
 * `undefined` where nothing is wrong with it.
 */
export function whyNotSchema(schema: unknown, path = 'the schema'): string | undefined {
	if (!isObject(schema)) return `${path} must be an object such as { "type": "string" }`;
	const own = whyNotItself(schema, path);
	if (own) return own;
	for (const [place, part] of parts(schema, path)) {
		const why = whyNotSchema(part, place);
		if (why) return why;
	}
	return undefined;
}

function whyNotItself(schema: Schema, path: string): string | undefined {
	if (!SAYS_WHAT.some((word) => word in schema)) return `${path} has no "type"`;
	const { type, properties, required, enum: values } = schema;
	const types = Array.isArray(type) ? type : [type ?? 'object'];
	if (types.some((word) => !TYPES.includes(String(word).toLowerCase()))) {
		return `the type of ${path} must be one of ${TYPES.join(', ')}`;
	}
	if (properties !== undefined && !isObject(properties)) {
		return `"properties" of ${path} must be an object`;
	}
	if (values !== undefined && (!Array.isArray(values) || values.length === 0)) {
		return `"enum" of ${path} must be an array of values`;
	}
	if (required === undefined) return undefined;
	if (!Array.isArray(required)) return `"required" of ${path} must be an array of names`;
	const undescribed = (name: unknown) => isObject(properties) && !(String(name) in properties);
	const missing = (required as unknown[]).find(undescribed);
	return missing === undefined
		? undefined
		: `${path} requires "${String(missing)}", which its "properties" do not describe`;
}

/** The schemas inside a schema, each with its place. */
function parts(schema: Schema, path: string): Array<[string, Schema]> {
	const { properties, items, anyOf, oneOf, allOf } = schema;
	const named = isObject(properties) ? Object.entries(properties) : [];
	const choices = [anyOf, oneOf, allOf].filter(Array.isArray).flat() as Schema[];
	return [
		...named.map(([name, part]): [string, Schema] => [`"${name}"`, part as Schema]),
		...(items === undefined ? [] : [[`"items" of ${path}`, items as Schema] as [string, Schema]]),
		...choices.map((part): [string, Schema] => [`a choice of ${path}`, part]),
	];
}

const FENCE = '```';

/**
 * Reads the JSON that a model wrote: the text itself, or what stands in its fence. A fence may stand
 * inside a text of the JSON, so the last one is tried as the end, too. Gives `undefined` where none
 * of them is whole JSON.
 */
export function readJsonText(text: string): { json: unknown } | undefined {
	const begin = text.indexOf(FENCE);
	const fenced = begin < 0 ? undefined : text.slice(begin + FENCE.length).replace(/^[a-z]+/i, '');
	const ends = fenced === undefined ? [] : [fenced.indexOf(FENCE), fenced.lastIndexOf(FENCE)];
	const inside = ends.filter((end) => end >= 0).map((end) => fenced?.slice(0, end));
	for (const candidate of new Set([text, ...inside])) {
		const json = candidate === undefined ? undefined : parseJson(candidate);
		if (json !== undefined) return { json };
	}
	return undefined;
}
