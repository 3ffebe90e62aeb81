import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/lib/json';

const IS_TYPE: Record<string, (value: unknown) => boolean> = {
	array: Array.isArray,
	boolean: (value) => typeof value === 'boolean',
	null: (value) => value === null,
	number: (value) => typeof value === 'number',
	integer: Number.isInteger,
	object: isObject,
	string: (value) => typeof value === 'string',
};

/** Returns why JSON does not match a schema, by its type and required names; looks not inside. */
export function findMismatch(schema: IDataObject, json: unknown): string | undefined {
	const { type, required, nullable } = schema;
	if (nullable === true && json === null) return undefined;
	const types = [type ?? []].flat().map((name) => String(name).toLowerCase());
	const isKnown = types.length > 0 && types.every((name) => Object.hasOwn(IS_TYPE, name));
	if (isKnown && !types.some((name) => IS_TYPE[name](json))) {
		const actual = Object.keys(IS_TYPE).find((name) => IS_TYPE[name](json));
		return `it must be of type ${types.join(' or ')}, but is of type ${actual}`;
	}
	const names = Array.isArray(required) && isObject(json) ? required.map(String) : [];
	const missing = names.find((name) => !Object.hasOwn(json as object, name));
	return missing === undefined ? undefined : `${JSON.stringify(missing)} is missing`;
}

/** Matches the protocol's own dialect of schemas: types in capitals, and `nullable`. */
const GEMINI_DIALECT = /"type":"[A-Z]+"|"nullable":(true|false)/;

/** Returns the field that takes a schema as it is written: each dialect has its own. */
export const toSchemaField = (schema: IDataObject): IDataObject =>
	GEMINI_DIALECT.test(JSON.stringify(schema))
		? { responseSchema: schema }
		: { responseJsonSchema: schema };

/** Returns the schema of an example, as n8n's Structured Output Parser does: all is required. */
export function schemaOf(example: unknown): IDataObject {
	if (Array.isArray(example)) {
		return { type: 'array', ...(example.length > 0 && { items: schemaOf(example[0]) }) };
	}
	if (!isObject(example)) return example === null ? {} : { type: typeof example };
	const parts = Object.entries(example).map(([name, value]) => [name, schemaOf(value)]);
	const required = Object.keys(example);
	return {
		type: 'object',
		properties: Object.fromEntries(parts) as IDataObject,
		...(required.length > 0 && { required }),
	};
}
