import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { mapParts, toWords } from './schema';

/** Words that `responseSchema` takes (the native protocol's Schema); others are JSON Schema's. */
const NATIVE_WORDS = toWords(
	'anyOf default description enum example format items maxItems maxLength maxProperties maximum',
	'minItems minLength minProperties minimum nullable pattern properties propertyOrdering required',
	'title type',
);

/** The only words that `responseSchema` takes in a schema with `anyOf`. */
const BESIDE_ANY_OF = new Set(['anyOf', 'description', 'title']);

/** The formats that `responseSchema` is known to take; others, such as `email`, are refused. */
const FORMATS: Record<string, string[]> = {
	integer: ['int32', 'int64'],
	number: ['double', 'float'],
	string: ['date-time', 'enum'],
};

/**
 * Returns the field for a schema: `responseSchema` if the schema uses nothing that this field
 * rejects, otherwise `responseJsonSchema`.
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

/** The protocol's enum of integers is `{type: INTEGER, format: enum, enum: ["101"]}`. */
const isCounted = ({ type, format, enum: values }: IDataObject) =>
	format === 'enum' && String(type).toLowerCase() === 'integer' && areTexts(values);

const areTexts = (values: unknown): values is string[] =>
	Array.isArray(values) && values.every((value) => typeof value === 'string');

/**
 * Returns whether the service takes an object schema. It rejects one without properties, and one
 * whose `required` or `propertyOrdering` names a property that is not there.
 */
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

/** JSON Schema writes types in lower case and allows null by type, not by `nullable`. */
function toJsonSchema(schema: unknown): unknown {
	if (!isObject(schema)) return schema;
	const { nullable, ...words } = mapParts(schema, toJsonSchema) as IDataObject;
	const { type, enum: values } = words;
	// Without a type, there is none to add null to, so `nullable` stays.
	if (type === undefined) return nullable === undefined ? words : { ...words, nullable };
	const types = [type].flat().map((name) => String(name).toLowerCase());
	const addsNull = nullable === true && !types.includes('null');
	if (addsNull) types.push('null');
	return {
		...words,
		type: Array.isArray(type) || types.length > 1 ? types : types[0],
		// `enum` must list null too, even if the type allows it.
		...(addsNull && Array.isArray(values) && { enum: [...(values as unknown[]), null] as never }),
	};
}
