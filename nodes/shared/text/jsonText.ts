import type { IDataObject } from 'n8n-workflow';

import { isObject, MAX_DEPTH, parseExactJson, parseJson } from '../lib/json';
import { findCandidates, withoutThoughts } from './jsonPieces';

const IS_TYPE: Record<string, (value: unknown) => boolean> = {
	array: Array.isArray,
	boolean: (value) => typeof value === 'boolean',
	null: (value) => value === null,
	number: (value) => typeof value === 'number',
	integer: Number.isInteger,
	object: isObject,
	string: (value) => typeof value === 'string',
};
const toTypes = (type: unknown): string[] =>
	[type ?? []].flat().map((name) => String(name).toLowerCase());
const areTypes = (types: string[]) =>
	types.length > 0 && types.every((name) => Object.hasOwn(IS_TYPE, name));

/** Words of which a schema has at least one, and hardly any example of the JSON has one. */
const OF_SCHEMAS =
	/^(\$ref|additionalProperties|allOf|anyOf|const|enum|items|oneOf|prefixItems|properties|required|type)$/;

/** Returns why a value is no JSON Schema. The service itself says what else is wrong with one. */
export function whyNotSchema(value: unknown): string | undefined {
	if (!isObject(value)) return 'the schema must be an object such as { "type": "string" }';
	if (!Object.keys(value).some((word) => OF_SCHEMAS.test(word))) return 'the schema has no "type"';
	if (value.type === undefined || areTypes(toTypes(value.type))) return undefined;
	return `its type must be one of ${Object.keys(IS_TYPE).join(', ')}`;
}

/** Returns why JSON does not match a schema, by its type and required names; looks not inside. */
export function findMismatch(schema: IDataObject, json: unknown): string | undefined {
	const { type, required, nullable } = schema;
	if (nullable === true && json === null) return undefined;
	const types = toTypes(type);
	if (areTypes(types) && !types.some((name) => IS_TYPE[name](json))) {
		const own = Object.keys(IS_TYPE).find((name) => IS_TYPE[name](json));
		return `it must be of type ${types.join(' or ')}, but is of type ${own}`;
	}
	const names = Array.isArray(required) && isObject(json) ? required.map(String) : [];
	const missing = names.find((name) => !Object.hasOwn(json as object, name));
	return missing === undefined ? undefined : `${JSON.stringify(missing)} is missing`;
}

/** Matches the protocol's own dialect of schemas: types in capitals, and `nullable`. */
const OWN_DIALECT = /"type":"[A-Z]+"|"nullable":(true|false)/;

/** Returns the field that takes a schema as it is written: each dialect has its own. */
export const toSchemaField = (schema: IDataObject): IDataObject =>
	OWN_DIALECT.test(JSON.stringify(schema))
		? { responseSchema: schema }
		: { responseJsonSchema: schema };

/** Returns the schema of an example, as n8n's Structured Output Parser does: all is required. */
export function schemaOf(example: unknown): IDataObject {
	if (Array.isArray(example)) {
		return { type: 'array', ...(example.length > 0 && { items: schemaOf(example[0]) }) };
	}
	if (!isObject(example))
		return (example ?? undefined) === undefined ? {} : { type: typeof example };
	const parts = Object.entries(example).map(([name, value]) => [name, schemaOf(value)]);
	const required = Object.keys(example);
	return {
		type: 'object',
		properties: Object.fromEntries(parts) as IDataObject,
		...(required.length > 0 && { required }),
	};
}

/**
 * Reads the JSON that a model wrote: the whole text, or else the last JSON in it that matches the
 * schema, or else the last. Earlier JSON may be an example or a draft, and what stands between the tags
 * of a thought is none; lists of digits, such as footnotes, count only if there is nothing else. Whole
 * numbers that JavaScript would round become text. `whyNot` follows the words "The JSON in the answer".
 * Returns `undefined` without JSON, or if the last piece is cut off and may be the answer.
 *
 * @param schema left out if the model was given none; then all JSON matches
 */
export function readJsonText(text: string, schema?: IDataObject) {
	const read = (piece: string) => {
		const json = parseExactJson(piece);
		if (json === undefined) return undefined;
		const plain = typeof json === 'string' ? parseJson(piece) : json;
		const mismatch = schema && findMismatch(schema, plain);
		const differs = mismatch && `does not match the schema: ${mismatch}`;
		const whyNot = differs ?? (hasInfinity(json) ? TOO_LARGE : undefined);
		return { fits: !mismatch, output: { json, ...(whyNot && { whyNot }) } };
	};
	const whole = read(text);
	if (whole) return whole.output;
	const { pieces, rest } = findCandidates(withoutThoughts(text));
	// Of what is cut off, an earlier piece may be a draft or an example: only a schema could tell.
	if (rest !== undefined && schema === undefined) return undefined;
	let last: ReturnType<typeof read>;
	for (const piece of pieces.reverse()) {
		const found = read(piece);
		last ??= found;
		if (!found?.fits) continue;
		return rest !== undefined && beginsAlike(rest, piece) ? undefined : found.output;
	}
	return rest === undefined ? last?.output : undefined;
}

const TOO_LARGE = 'has a number that n8n cannot store: it is beyond 1.8e308';

/** Returns whether a number became infinite. Deeper than n8n stores, it does not look. */
const hasInfinity = (value: unknown, levels = MAX_DEPTH): boolean =>
	typeof value === 'object' && value !== null
		? levels > 0 && Object.values(value).some((inner) => hasInfinity(inner, levels - 1))
		: value === Infinity || value === -Infinity;

/** Returns whether two pieces begin with the same name or text, as far as the first one goes. */
function beginsAlike(rest: string, piece: string): boolean {
	const begin = /^[{[\s]*"[^"]*"?/.exec(rest)?.[0].replace(/\s/g, '');
	return begin !== undefined && piece.slice(0, rest.length).replace(/\s/g, '').startsWith(begin);
}
