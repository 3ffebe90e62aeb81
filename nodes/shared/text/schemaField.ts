import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { mapParts, toWords } from './schema';

/** Words that `responseSchema` takes (the native protocol's Schema); others are JSON Schema's. */
const NATIVE_WORDS = toWords(
	'anyOf default description enum example format items maxItems maxLength maxProperties maximum',
	'minItems minLength minProperties minimum nullable pattern properties propertyOrdering required',
	'title type',
);

/** Words that it takes beside `anyOf`. */
const BESIDE_ANY_OF = new Set(['anyOf', 'description', 'title']);

/** The formats that it is known to take; it refuses requests with others, such as `email`. */
const FORMATS: Record<string, string[]> = {
	integer: ['int32', 'int64'],
	number: ['double', 'float'],
	string: ['date-time', 'enum'],
};

/**
 * Returns a schema in the field that takes it: `responseSchema` as long as it uses nothing that this
 * one refuses, otherwise `responseJsonSchema`.
 */
export function toSchemaField(schema: IDataObject): IDataObject {
	return isNative(schema)
		? { responseSchema: schema }
		: { responseJsonSchema: toJsonSchema(schema) as IDataObject };
}

function isNative(schema: unknown): boolean {
	if (!isObject(schema)) return false;
	const words = Object.keys(schema);
	if (!words.every((word) => NATIVE_WORDS.has(word))) return false;
	const { anyOf, type, format, nullable, enum: values } = schema;
	if (anyOf !== undefined) {
		return (
			words.every((word) => BESIDE_ANY_OF.has(word)) &&
			Array.isArray(anyOf) &&
			anyOf.every(isNative)
		);
	}
	if (typeof type !== 'string') return false;
	const name = type.toLowerCase();
	const isFormat = (FORMATS[name] ?? []).includes(String(format));
	if (format !== undefined && !isFormat && !isCounted(schema)) return false;
	if (nullable !== undefined && typeof nullable !== 'boolean') return false;
	if (values !== undefined && !(areTexts(values) && (name === 'string' || isCounted(schema)))) {
		return false;
	}
	if (name === 'array') return isNative(schema.items);
	return name === 'object' ? isNativeObject(schema) : words.every((word) => !HOLDS.has(word));
}

const HOLDS = new Set(['items', 'properties']);

/** The protocol's own way to say numbers one by one: `{type: INTEGER, format: enum, enum: ["101"]}`. */
const isCounted = ({ type, format, enum: values }: IDataObject) =>
	format === 'enum' && String(type).toLowerCase() === 'integer' && areTexts(values);

const areTexts = (values: unknown): values is string[] =>
	Array.isArray(values) && values.every((value) => typeof value === 'string');

/** It refuses an object without properties, and names that these do not have. */
function isNativeObject({
	properties,
	required = [],
	propertyOrdering = [],
}: IDataObject): boolean {
	if (!isObject(properties) || Object.keys(properties).length === 0) return false;
	const named = [required, propertyOrdering].flat() as unknown[];
	return (
		named.every((name) => typeof name === 'string' && Object.hasOwn(properties, name)) &&
		Object.values(properties).every(isNative)
	);
}

/** JSON Schema has no types in capitals, and its own way to allow null. */
function toJsonSchema(schema: unknown): unknown {
	if (!isObject(schema)) return schema;
	const { nullable, ...words } = mapParts(schema, toJsonSchema) as IDataObject;
	const { type, enum: values } = words;
	if (type === undefined) return nullable === undefined ? words : { ...words, nullable };
	const types = [type].flat().map((name) => String(name).toLowerCase());
	const addsNull = nullable === true && !types.includes('null');
	if (addsNull) types.push('null');
	return {
		...words,
		type: Array.isArray(type) || types.length > 1 ? types : types[0],
		// An enum forbids what it does not name, also to a type that allows it.
		...(addsNull && Array.isArray(values) && { enum: [...(values as unknown[]), null] as never }),
	};
}
