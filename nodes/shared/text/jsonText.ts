import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../lib/json';

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

/** Matches a bracket that begins JSON, judging by what follows: prose has brackets, too. */
const JSON_BEGINS = /\{(?=\s{0,100}["}])|\[(?=\s{0,100}["{[\]\d-])/g;

/**
 * Reads the JSON that a model wrote: the whole text, or else the first JSON in it that matches the
 * schema, or else the first. JSON in fences comes first, then pieces with objects, then longer ones.
 * Returns `undefined` without JSON, or if the last piece is cut off and none matches a schema.
 *
 * @param schema left out if the model was given none; then all JSON matches
 */
export function readJsonText(text: string, schema?: IDataObject) {
	const compare = (json: unknown) => ({ json, mismatch: schema && findMismatch(schema, json) });
	const whole = parseJson(text);
	if (whole !== undefined) return compare(whole);
	const { pieces, isOpen } = findPieces(text, JSON_BEGINS);
	// If the last piece is cut off, an earlier one may be an example: only a schema could tell.
	if (isOpen && schema === undefined) return undefined;
	const fenced = text.split('```').filter((_piece, i) => i % 2 === 1);
	const unlabelled = fenced.map((piece) => piece.replace(/^[a-z]{1,40}\s/i, ''));
	const parsed = [...unlabelled, ...pieces.sort(byWorth)].map(parseJson);
	const found = parsed.filter((json) => json !== undefined).map(compare);
	return found.find(({ mismatch }) => !mismatch) ?? (isOpen ? undefined : found[0]);
}

/** Sorts pieces with objects first, then longer ones: a short list may be of footnotes (`[1]`). */
const byWorth = (one: string, other: string) =>
	Number(other.includes('{')) - Number(one.includes('{')) || other.length - one.length;

/**
 * Returns, in order, the pieces of a text from a bracket that `begin` matches to the one that closes
 * it, whether they are JSON or not. Never looks inside a piece. `isOpen`: the last one is never closed.
 */
export function findPieces(text: string, begin: RegExp) {
	const pieces: string[] = [];
	begin.lastIndex = 0;
	for (let found = begin.exec(text); found; found = begin.exec(text)) {
		const end = findEnd(text, found.index);
		if (end === undefined) return { pieces, isOpen: true };
		pieces.push(text.slice(found.index, end));
		begin.lastIndex = end;
	}
	return { pieces, isOpen: false };
}

/** Matches every character that decides where JSON ends; faster than a loop over all characters. */
const SIGNS = /["\\{}[\]]/g;

function findEnd(text: string, from: number): number | undefined {
	let depth = 0;
	let isQuoted = false;
	SIGNS.lastIndex = from;
	for (let sign = SIGNS.exec(text); sign; sign = SIGNS.exec(text)) {
		const [mark] = sign;
		if (mark === '\\') SIGNS.lastIndex++;
		else if (mark === '"') isQuoted = !isQuoted;
		else if (!isQuoted) {
			depth += mark === '{' || mark === '[' ? 1 : -1;
			if (depth === 0) return SIGNS.lastIndex;
		}
	}
	return undefined;
}
