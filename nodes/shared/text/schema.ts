import type { IDataObject } from 'n8n-workflow';

import { isObject, MAX_DEPTH, toObject } from '../lib/json';

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

const toWords = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** Words of the native dialect, which `responseSchema` takes; others are only JSON Schema's. */
const NATIVE_WORDS = toWords(
	'anyOf default description enum example format items maxItems maxLength maxProperties maximum',
	'minItems minLength minProperties minimum nullable pattern properties propertyOrdering required',
	'title type',
);
/** Words that a schema and an example of the JSON may both have. */
const BESIDE = toWords('$defs $id $schema default definitions description example examples title');
/** Words that, like native ones not in `BESIDE`, tell a schema from an example of the JSON. */
const SAYING = toWords(
	'$ref additionalProperties allOf const contains if multipleOf not oneOf patternProperties',
	'prefixItems uniqueItems',
);

/**
 * Returns why a value, such as an example of the wanted JSON, is not a JSON Schema; `undefined` if
 * nothing is wrong with it. Looks only at words that the answer is checked against, and leaves the
 * others to the service.
 */
export function whyNotSchema(schema: unknown, path = 'the schema', depth = 0): string | undefined {
	if (typeof schema === 'boolean') return undefined;
	if (!isObject(schema)) return `${path} must be an object such as { "type": "string" }`;
	if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
	const words = depth === 0 ? Object.keys(schema).filter((word) => !BESIDE.has(word)) : [];
	if (words.length > 0 && !words.some((word) => NATIVE_WORDS.has(word) || SAYING.has(word))) {
		return `${path} has no "type"`;
	}
	const { type, properties = {}, required = [], enum: values, anyOf, items } = schema;
	if (type !== undefined && !areTypes(toTypes(type))) {
		return `the type of ${path} must be one of ${Object.keys(IS_TYPE).join(', ')}`;
	}
	const isList = (list: unknown) => list === undefined || (Array.isArray(list) && list.length > 0);
	const wrong = [
		['properties', 'an object', isObject(properties)],
		['required', 'an array of names', Array.isArray(required)],
		['enum', 'an array of values', isList(values)],
		['anyOf', 'an array of schemas', isList(anyOf)],
	].find(([, , isRight]) => !isRight);
	if (wrong) return `"${wrong[0]}" of ${path} must be ${wrong[1]}`;
	let why: string | undefined;
	const look = (part: unknown, place: string) => (why ??= whyNotSchema(part, place, depth + 1));
	Object.entries(properties as object).forEach(([name, part]) => look(part, `"${name}"`));
	[anyOf ?? []].flat().forEach((part) => look(part, `a choice of ${path}`));
	[items ?? []].flat().forEach((part) => look(part, `"items" of ${path}`));
	return why;
}

export interface Break {
	/** Such as `$.items[2].price`. */
	path: string;
	why: string;
}

/** The check passes after so many steps: choices that contain choices could take forever. */
const MAX_STEPS = 1_000_000;

/**
 * Returns the first place where JSON breaks type, enum, required, properties, items or anyOf of a
 * schema in either dialect. Follows a `$ref` into the same schema. Never throws or takes forever.
 */
export function findBreak(root: unknown, json: unknown): Break | undefined {
	let stepsLeft = MAX_STEPS;
	type Step = [schema: unknown, value: unknown, path: string];
	const check = (depth: number, ...[schema, value, path]: Step): Break | undefined => {
		if (--stepsLeft < 0 || depth > MAX_DEPTH || !isObject(schema)) return undefined;
		const { $ref, nullable, type, enum: values, required, properties, items, anyOf } = schema;
		// Words beside a `$ref` are ignored, as in drafts up to 7; hardly anybody writes any.
		if (typeof $ref === 'string') return check(depth + 1, resolve($ref, root), value, path);
		if (nullable === true && value === null) return undefined;
		const types = toTypes(type);
		if (areTypes(types) && !types.some((name) => IS_TYPE[name](value))) {
			const own = Object.keys(IS_TYPE).find((name) => IS_TYPE[name](value));
			return { path, why: `must be ${types.join(' or ')}, but is ${own}` };
		}
		if (Array.isArray(values) && !isListed(values, value, schema.format)) {
			return { path, why: 'is not one of the values in enum' };
		}
		let inside: Step[] = [];
		if (isObject(value)) {
			const names = Array.isArray(required) ? (required as unknown[]).map(String) : [];
			const missing = names.find((name) => !Object.hasOwn(value, name));
			if (missing !== undefined) return { path: `${path}${toStep(missing)}`, why: 'is missing' };
			inside = Object.entries(toObject(properties))
				.filter(([name]) => Object.hasOwn(value, name))
				.map(([name, part]) => [part, value[name], `${path}${toStep(name)}`]);
		} else if (Array.isArray(value)) {
			inside = value.map((item, i) => [items, item, `${path}[${i}]`]);
		}
		for (const step of inside) {
			const broken = check(depth + 1, ...step);
			if (broken) return broken;
		}
		if (!Array.isArray(anyOf)) return undefined;
		const breaks: Break[] = [];
		for (const choice of anyOf) {
			const broken = check(depth + 1, choice, value, path);
			if (!broken) return undefined;
			breaks.push(broken);
		}
		// If exactly one choice fits here and breaks only further inside, that choice was meant.
		const meant = breaks.filter((broken) => broken.path !== path);
		return meant.length === 1 ? meant[0] : { path, why: 'matches no schema in anyOf' };
	};
	return check(0, root, json, '$');
}

/** Lets objects and lists pass if the enum has any: a model may write fields in another order. */
function isListed(values: unknown[], value: unknown, format: unknown): boolean {
	const isNested = (one: unknown) => typeof one === 'object' && one !== null;
	if (isNested(value)) return values.some(isNested);
	// The protocol's own dialect writes the numbers of an enum as texts.
	return values.includes(value) || (format === 'enum' && values.includes(String(value)));
}

/** Returns the schema that a reference such as `#`, `#/$defs/name` or `#/anyOf/0` points to. */
function resolve(ref: string, root: unknown): unknown {
	const [origin, ...names] = ref.split('/');
	if (origin !== '#') return undefined;
	return names.reduce<unknown>(
		(schema, name) =>
			Object.hasOwn(Object(schema) as object, name) ? (schema as IDataObject)[name] : undefined,
		root,
	);
}

/** Returns a property name as a step of a path: `.name`, `["a name"]`. */
const toStep = (name: string) =>
	/^[\p{L}_$][\p{L}\p{N}_$]{0,100}$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;

/** Words that hold data, and words that hold schemas by name. */
const DATA = toWords('const default enum example examples');
const NAMED = toWords('$defs definitions dependentSchemas patternProperties properties');

/** Returns a copy of a schema in which `map` has replaced each schema directly inside it. */
export function mapParts(schema: object, map: (part: IDataObject) => unknown): IDataObject {
	const mapped = (part: unknown) => (isObject(part) ? map(part) : part);
	const words = Object.entries(schema).map(([word, value]): [string, unknown] => {
		if (DATA.has(word)) return [word, value];
		if (Array.isArray(value)) return [word, value.map(mapped)];
		if (!NAMED.has(word) || !isObject(value)) return [word, mapped(value)];
		const named = Object.entries(value).map(([name, part]) => [name, mapped(part)]);
		return [word, Object.fromEntries(named)];
	});
	return Object.fromEntries(words) as IDataObject;
}

/**
 * Returns the schema of an example, as n8n's Structured Output Parser does: all properties are
 * required, and an array is one of things like its first.
 *
 * @throws a sentence for a person where the example does not tell a type
 */
export function schemaOf(example: unknown, path = '$'): IDataObject {
	if (!['boolean', 'number', 'object', 'string'].includes(typeof example) || example === null) {
		throw new Error(`${path} has no value`);
	}
	if (Array.isArray(example)) {
		const items = example.length > 0 ? { items: schemaOf(example[0], `${path}[0]`) } : {};
		return { type: 'array', ...items };
	}
	if (!isObject(example)) return { type: typeof example };
	const parts = Object.entries(example).map(([name, part]) => [
		name,
		schemaOf(part, `${path}${toStep(name)}`),
	]);
	const required = Object.keys(example);
	return {
		type: 'object',
		properties: Object.fromEntries(parts) as IDataObject,
		...(required.length > 0 && { required }),
	};
}

/** The only words that `responseSchema` takes in a schema with `anyOf`. */
const BESIDE_ANY_OF = toWords('anyOf description title');
/** The formats that `responseSchema` is known to take; others, such as `email`, are refused. */
const FORMATS: Record<string, string[]> = {
	integer: ['int32', 'int64', 'enum'],
	number: ['double', 'float'],
	string: ['date-time', 'enum'],
};

/**
 * Returns the field for a schema: `responseSchema` if the schema uses nothing that this field
 * rejects, otherwise `responseJsonSchema`.
 */
export const toSchemaField = (schema: IDataObject): IDataObject =>
	isNative(schema) ? { responseSchema: schema } : { responseJsonSchema: toJsonSchema(schema) };

function isNative(schema: unknown): boolean {
	if (!isObject(schema)) return false;
	const { anyOf, type, format, enum: values, items, properties } = schema;
	const taken = anyOf === undefined ? NATIVE_WORDS : BESIDE_ANY_OF;
	if (!Object.keys(schema).every((word) => taken.has(word))) return false;
	if (anyOf !== undefined) return Array.isArray(anyOf) && anyOf.every(isNative);
	if (typeof type !== 'string') return false;
	const name = type.toLowerCase();
	if (format !== undefined && !FORMATS[name]?.includes(String(format))) return false;
	// The protocol's enum of integers is `{type: INTEGER, format: enum, enum: ["101"]}`.
	const takesEnum = name === 'string' || (name === 'integer' && format === 'enum');
	const areTexts = [values ?? []].flat().every((value) => typeof value === 'string');
	if (values !== undefined && !(takesEnum && areTexts)) return false;
	if (name === 'array') return isNative(items);
	if (name !== 'object') return true;
	// The service rejects an object without properties, and a listed name that no property has.
	const parts = toObject(properties);
	const named = [schema.required ?? [], schema.propertyOrdering ?? []].flat().map(String);
	const areThere = named.every((one) => Object.hasOwn(parts, one));
	return areThere && Object.keys(parts).length > 0 && Object.values(parts).every(isNative);
}

/** The words that limit a value, each with what allows null in it. */
const NULLS = Object.entries({ anyOf: { type: 'null' }, enum: null, type: 'null' });

/** Returns a schema as JSON Schema: types in lower case, and null by each word, not by `nullable`. */
function toJsonSchema(schema: IDataObject): IDataObject {
	const { nullable, ...words } = mapParts(schema, toJsonSchema);
	const types = toTypes(words.type);
	if (types.length > 0) words.type = Array.isArray(words.type) ? types : types[0];
	for (const [word, allowed] of nullable === true ? NULLS : []) {
		if (words[word] !== undefined) words[word] = [...new Set([words[word], allowed].flat())];
	}
	return words;
}
