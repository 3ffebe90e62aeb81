import { isObject, MAX_DEPTH } from '../lib/json';

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Words that hold one schema, a list of schemas, or schemas by name. */
const ONE = [
	...[
		'additionalItems',
		'additionalProperties',
		'contains',
		'contentSchema',
		'else',
		'if',
		'items',
	],
	...['not', 'propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
];
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/** Further words that say what a value may be. */
const SAY = [
	...['$dynamicRef', '$recursiveRef', '$ref', 'const', 'dependencies', 'dependentRequired', 'enum'],
	...['exclusiveMaximum', 'exclusiveMinimum', 'format', 'maxContains', 'maxItems', 'maxLength'],
	...['maxProperties', 'maximum', 'minContains', 'minItems', 'minLength', 'minProperties'],
	...['minimum', 'multipleOf', 'nullable', 'pattern', 'propertyOrdering', 'required', 'type'],
	'uniqueItems',
];
const SAYING = new Set([...ONE, ...LIST, ...NAMED, ...SAY]);

/** Words that say nothing of the value. */
const BESIDE = new Set([
	...['contentEncoding', 'contentMediaType', 'default', 'deprecated', 'description', 'example'],
	...['examples', 'readOnly', 'title', 'writeOnly'],
]);

/**
 * Says where something is no JSON Schema, such as an example of the wanted JSON put in its place;
 * `undefined` where nothing is wrong with it.
 */
export function whyNotSchema(schema: unknown, path = 'the schema', depth = 0): string | undefined {
	if (typeof schema === 'boolean') return undefined;
	if (!isObject(schema)) return `${path} must be an object such as { "type": "string" }`;
	if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
	const own = (saysNothing(schema, depth) && `${path} has no "type"`) || whyNotWords(schema, path);
	if (own) return own;
	for (const [place, part] of partsOf(schema, path)) {
		const why = whyNotSchema(part, place, depth + 1);
		if (why) return why;
	}
	return undefined;
}

/** The schemas directly inside a schema, each with its place. */
export function partsOf(schema: object, path = ''): Array<[place: string, part: unknown]> {
	const entries = Object.entries(schema);
	return entries.flatMap(([word, value]): Array<[string, unknown]> => {
		const isList = Array.isArray(value);
		if (LIST.includes(word) || (word === 'items' && isList)) {
			return isList ? value.map((part) => [`a choice of ${path}`, part]) : [];
		}
		if (ONE.includes(word)) return [[`"${word}" of ${path}`, value]];
		if (!NAMED.includes(word) || !isObject(value)) return [];
		return Object.entries(value).map(([name, part]) => [`"${name}"`, part]);
	});
}

/** A copy in which each schema directly inside is what `map` makes of it. */
export function mapParts(schema: object, map: (part: unknown) => unknown): object {
	const words = Object.entries(schema).map(([word, value]): [string, unknown] => {
		if (Array.isArray(value)) {
			const isList = LIST.includes(word) || word === 'items';
			return [word, isList ? value.map((part) => map(part)) : value];
		}
		if (ONE.includes(word)) return [word, map(value)];
		if (!NAMED.includes(word) || !isObject(value)) return [word, value];
		const named = Object.entries(value).map(([name, part]) => [name, map(part)]);
		return [word, Object.fromEntries(named)];
	});
	return Object.fromEntries(words);
}

/**
 * Whether it is likely to be something else: an example in the place of the whole schema, or inside
 * it properties without `properties`. Otherwise unknown words are notes, which any schema may have.
 */
function saysNothing(schema: object, depth: number): boolean {
	const words = Object.entries(schema);
	if (words.some(([word]) => SAYING.has(word))) return false;
	const foreign = words.filter(([word]) => !BESIDE.has(word) && !/^(\$|x-)/.test(word));
	const isMisplaced = (value: unknown) =>
		isObject(value) || (typeof value === 'string' && TYPES.includes(value));
	return depth === 0 ? foreign.length > 0 : foreign.some(([, value]) => isMisplaced(value));
}

function whyNotWords(schema: object, path: string): string | undefined {
	for (const [word, value] of Object.entries(schema)) {
		const what = whatItTakes(word, value);
		if (what)
			return word === 'type' ? `the type of ${path} ${what}` : `"${word}" of ${path} ${what}`;
	}
	return undefined;
}

/** What a word must hold, where it holds something else. */
function whatItTakes(word: string, value: unknown): string | undefined {
	if (word === 'type') {
		const types = Array.isArray(value) ? value : [value];
		const areTypes = types.every(
			(type) => typeof type === 'string' && TYPES.includes(type.toLowerCase()),
		);
		return areTypes && types.length > 0 ? undefined : `must be one of ${TYPES.join(', ')}`;
	}
	if (NAMED.includes(word)) return isObject(value) ? undefined : 'must be an object';
	const isList = Array.isArray(value) && value.length > 0;
	if (word === 'enum') return isList ? undefined : 'must be an array of values';
	if (LIST.includes(word)) return isList ? undefined : 'must be an array of schemas';
	if (word !== 'required' || Array.isArray(value)) return undefined;
	return 'must be an array of names';
}
