import type { IDataObject } from 'n8n-workflow';

import { isObject, MAX_DEPTH } from '../lib/json';

const IS_TYPE: Record<string, (value: unknown) => boolean> = {
	array: Array.isArray,
	boolean: (value) => typeof value === 'boolean',
	integer: Number.isInteger,
	null: (value) => value === null,
	number: (value) => typeof value === 'number',
	object: isObject,
	string: (value) => typeof value === 'string',
};
const isTypeName = (name: unknown) =>
	typeof name === 'string' && Object.hasOwn(IS_TYPE, name.toLowerCase());

/** Returns the words of the given lines. */
export const toWords = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** Words that hold one schema (`ONE`), a list of schemas (`LIST`), or schemas by name (`NAMED`). */
const ONE = toWords(
	'additionalItems additionalProperties contains contentSchema else if items not propertyNames',
	'then unevaluatedItems unevaluatedProperties',
);
const LIST = toWords('allOf anyOf items oneOf prefixItems');
const NAMED = toWords('$defs definitions dependentSchemas patternProperties properties');

/** An object that has one of these words is a schema. */
const SAYING = new Set([
	...[...ONE, ...LIST, ...NAMED],
	...toWords(
		'$dynamicRef $recursiveRef $ref const dependencies dependentRequired enum exclusiveMaximum',
		'exclusiveMinimum format maxContains maxItems maxLength maxProperties maximum minContains',
		'minItems minLength minProperties minimum multipleOf nullable pattern propertyOrdering',
		'required type uniqueItems',
	),
]);

/** Words that a schema may have, but that say nothing about the value. */
const BESIDE = toWords(
	'contentEncoding contentMediaType default deprecated description example examples readOnly',
	'title writeOnly',
);

/** Returns a copy of a schema; `map` replaces each schema directly inside it. */
export function mapParts(schema: object, map: (part: unknown) => unknown): object {
	const words = Object.entries(schema).map(([word, value]): [string, unknown] => {
		if (Array.isArray(value)) return [word, LIST.has(word) ? value.map(map) : value];
		if (ONE.has(word)) return [word, map(value)];
		if (!NAMED.has(word) || !isObject(value)) return [word, value];
		const named = Object.entries(value).map(([name, part]) => [name, map(part)]);
		return [word, Object.fromEntries(named)];
	});
	return Object.fromEntries(words);
}

/**
 * Returns why something, such as an example of the wanted JSON, is not a JSON Schema; `undefined`
 * if nothing is wrong with it. Words that the answer is not checked against are the model's
 * business and pass unchecked.
 */
export function whyNotSchema(schema: unknown, path = 'the schema', depth = 0): string | undefined {
	if (typeof schema === 'boolean') return undefined;
	if (!isObject(schema)) return `${path} must be an object such as { "type": "string" }`;
	if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
	if (looksLikeExample(schema, depth)) return `${path} has no "type"`;
	const { type, properties, required, enum: values, anyOf, items } = schema;
	const types = [type].flat();
	if (type !== undefined && (types.length === 0 || !types.every(isTypeName))) {
		return `the type of ${path} must be one of ${Object.keys(IS_TYPE).join(', ')}`;
	}
	const isList = (list: unknown) => Array.isArray(list) && list.length > 0;
	const wrong = [
		['properties', 'an object', isObject(properties)],
		['required', 'an array of names', Array.isArray(required)],
		['enum', 'an array of values', isList(values)],
		['anyOf', 'an array of schemas', isList(anyOf)],
	].find(([word, , isRight]) => schema[word as string] !== undefined && !isRight);
	if (wrong) return `"${wrong[0]}" of ${path} must be ${wrong[1]}`;
	const parts: Array<[place: string, part: unknown]> = [];
	for (const [name, part] of Object.entries(properties ?? {})) parts.push([`"${name}"`, part]);
	for (const part of (anyOf ?? []) as unknown[]) parts.push([`a choice of ${path}`, part]);
	if (items !== undefined && !Array.isArray(items)) parts.push([`"items" of ${path}`, items]);
	for (const [place, part] of parts) {
		const why = whyNotSchema(part, place, depth + 1);
		if (why) return why;
	}
	return undefined;
}

/**
 * Returns whether something is probably not a schema: at the top, an example of the JSON; further
 * inside, properties without the word `properties`. Other unknown words are notes, which any schema
 * may have.
 */
function looksLikeExample(schema: object, depth: number): boolean {
	const words = Object.entries(schema);
	if (words.some(([word]) => SAYING.has(word))) return false;
	const foreign = words.filter(([word]) => !BESIDE.has(word) && !/^(\$|x-)/.test(word));
	return depth === 0
		? foreign.length > 0
		: foreign.some(([, value]) => isObject(value) || isTypeName(value));
}

/** The place where JSON breaks its schema, such as `$.items[2].price`, and the reason. */
export interface Break {
	path: string;
	why: string;
}

/** A schema whose choices contain choices could take forever: checking ends after so many steps. */
const MAX_STEPS = 1_000_000;
const MAX_NAME_CHARS = 50;

/**
 * Finds the first place where JSON breaks its schema, in either dialect. Checks `type`, `enum`,
 * `required`, `properties`, `items` and `anyOf`, also behind a `$ref` to a place in the same
 * schema. Never throws, and takes bounded time for any schema.
 */
export function findBreak(root: unknown, json: unknown): Break | undefined {
	let stepsLeft = MAX_STEPS;
	const check = (
		schema: unknown,
		value: unknown,
		path: string,
		depth: number,
	): Break | undefined => {
		if (--stepsLeft < 0 || depth > MAX_DEPTH || !isObject(schema)) return undefined;
		const {
			$ref,
			nullable,
			type,
			enum: values,
			format,
			required,
			properties,
			items,
			anyOf,
		} = schema;
		// Drafts up to 7 ignore everything beside a `$ref`, and hardly anybody writes anything there.
		if (typeof $ref === 'string') return check(resolve($ref, root), value, path, depth + 1);
		if (nullable === true && value === null) return undefined;
		const types = [type ?? []].flat().map((name) => String(name).toLowerCase());
		const isKnown = types.length > 0 && types.every(isTypeName);
		if (isKnown && !types.some((name) => IS_TYPE[name](value))) {
			const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
			return { path, why: `must be ${types.join(' or ')}, and is ${own}` };
		}
		if (Array.isArray(values) && (typeof value !== 'object' || value === null)) {
			const listed: unknown[] = values;
			stepsLeft -= listed.length / 8;
			// The protocol's own dialect writes the numbers of an enum as texts.
			const isListed =
				listed.includes(value) || (format === 'enum' && listed.includes(String(value)));
			if (!isListed) return { path, why: 'is none of the values that enum allows' };
		}
		if (isObject(value)) {
			const names = Array.isArray(required) ? (required as unknown[]).map(String) : [];
			stepsLeft -= names.length;
			const missing = names.find((name) => !Object.hasOwn(value, name));
			if (missing !== undefined) return { path: `${path}${toStep(missing)}`, why: 'is missing' };
			for (const [name, part] of Object.entries(isObject(properties) ? properties : {})) {
				if (--stepsLeft < 0 || !Object.hasOwn(value, name)) continue;
				const broken = check(part, value[name], `${path}${toStep(name)}`, depth + 1);
				if (broken) return broken;
			}
		}
		if (Array.isArray(value) && isObject(items)) {
			for (const [i, item] of value.entries()) {
				const broken = check(items, item, `${path}[${i}]`, depth + 1);
				if (broken) return broken;
			}
		}
		if (!Array.isArray(anyOf)) return undefined;
		const breaks: Break[] = [];
		for (const choice of anyOf) {
			const broken = check(choice, value, path, depth + 1);
			if (!broken) return undefined;
			breaks.push(broken);
		}
		if (breaks.length <= 1) return breaks[0];
		// If exactly one choice fits here and breaks only further inside, that choice was meant.
		const inside = breaks.filter((broken) => broken.path !== path);
		return inside.length === 1 ? inside[0] : { path, why: 'fits no choice of anyOf' };
	};
	return check(root, json, '$', 0);
}

/** Returns the schema that a reference points to: `#`, `#/$defs/name`, `#/$defs/a%20name`. */
function resolve(ref: string, root: unknown): unknown {
	if (!/^#(\/|$)/.test(ref)) return undefined;
	let names: string[];
	try {
		names = decodeURIComponent(ref).split('/').slice(1);
	} catch {
		return undefined;
	}
	return names.reduce<unknown>((schema, name) => {
		const plain = name.replace(/~1/g, '/').replace(/~0/g, '~');
		const isThere = typeof schema === 'object' && schema !== null && Object.hasOwn(schema, plain);
		return isThere ? (schema as IDataObject)[plain] : undefined;
	}, root);
}

/** Returns a property name as a step of a path: `.name`, `["a name"]`. */
function toStep(name: string): string {
	const isLong = name.length > MAX_NAME_CHARS;
	const short = isLong ? `${name.slice(0, MAX_NAME_CHARS)}...` : name;
	return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(short) ? `.${short}` : `[${JSON.stringify(short)}]`;
}
