import type { IDataObject } from 'n8n-workflow';

import { isObject, MAX_DEPTH } from '../lib/json';
import { createMatch } from './schemaPatterns';
import { type Break, checkType, checkValues, type Place, type Walk } from './schemaValues';

/** A schema whose choices choose among choices would take forever; nothing is said of the rest. */
const MAX_STEPS = 1_000_000;
const MAX_NAME_CHARS = 50;

/**
 * The first place where JSON breaks its schema, of either dialect: types, `enum`, `const`, `required`,
 * properties by name and by simple patterns, items and choices, and what `$ref` refers to inside the
 * schema, but not by `$id` or `$anchor`. Other words (lengths, ranges) are not looked at, so `oneOf` is read as `anyOf`: what tells its choices apart may
 * be such a word. Never throws, and takes bounded time whatever the schema says.
 */
export const findBreak = (schema: unknown, value: unknown): Break | undefined =>
	check(schema, { value, path: '$', depth: 0 }, { root: schema, stepsLeft: MAX_STEPS });

function check(schema: unknown, place: Place, walk: Walk): Break | undefined {
	const { value, path, depth } = place;
	if (--walk.stepsLeft < 0 || depth > MAX_DEPTH) return undefined;
	if (schema === false) return { path, why: 'is not allowed' };
	if (!isObject(schema) || (schema.nullable === true && value === null)) return undefined;
	if (typeof schema.$ref === 'string') {
		const broken = check(resolve(schema.$ref, walk.root), { ...place, depth: depth + 1 }, walk);
		if (broken || isOldDraft(walk.root)) return broken;
	}
	return (
		checkType(schema, place) ??
		checkValues(schema, place, walk) ??
		(isObject(value) ? checkProperties(schema, value, { place, walk }) : undefined) ??
		(Array.isArray(value) ? checkItems(schema, value, { place, walk }) : undefined) ??
		checkChoices(schema, place, walk)
	);
}

/** Beside `$ref`, drafts up to 7 read nothing. */
const isOldDraft = (root: unknown) =>
	isObject(root) && typeof root.$schema === 'string' && /draft-0[1-7]\b/.test(root.$schema);

/** A place inside the same schema: `#`, `#/$defs/name`, `#/$defs/a%20name`. */
function resolve(ref: string, root: unknown): unknown {
	if (!/^#(\/|$)/.test(ref)) return undefined;
	const names = unescape(ref).split('/').slice(1);
	return names.reduce<unknown>((schema, name) => {
		const plain = name.replace(/~1/g, '/').replace(/~0/g, '~');
		const isThere = typeof schema === 'object' && schema !== null && Object.hasOwn(schema, plain);
		return isThere ? (schema as IDataObject)[plain] : undefined;
	}, root);
}

/** As addresses are written; a stray % is one. */
function unescape(ref: string): string {
	try {
		return decodeURIComponent(ref);
	} catch {
		return ref;
	}
}

interface Inside {
	place: Place;
	walk: Walk;
}

function checkProperties(
	{ properties, required, additionalProperties, patternProperties }: IDataObject,
	value: IDataObject,
	{ place: { path, depth }, walk }: Inside,
): Break | undefined {
	const names = Array.isArray(required) ? (required as unknown[]).map(String) : [];
	walk.stepsLeft -= names.length;
	const missing = names.find((name) => !Object.hasOwn(value, name));
	if (missing !== undefined) return { path: `${path}${toStep(missing)}`, why: 'is missing' };
	const known = isObject(properties) ? properties : {};
	const patterns = toPatterns(patternProperties);
	for (const name of Object.keys(value)) {
		if ((walk.stepsLeft -= patterns.length) < 0) return undefined;
		const matches = patterns.map(({ match }) => match(name));
		const schemas = patterns.filter((_one, i) => matches[i] === true).map(({ schema }) => schema);
		if (Object.hasOwn(known, name)) schemas.unshift(known[name]);
		else if (matches.every((match) => match === false)) schemas.push(additionalProperties);
		const inside = { value: value[name], path: `${path}${toStep(name)}`, depth: depth + 1 };
		for (const schema of schemas) {
			const broken = check(schema, inside, walk);
			if (broken) return broken;
		}
	}
	return undefined;
}

const toPatterns = (named: unknown) =>
	(isObject(named) ? Object.entries(named) : []).map(([pattern, schema]) => ({
		match: createMatch(pattern),
		schema: schema as unknown,
	}));

/** A list of schemas is for the first items, one by one; what follows has a word of its own. */
function checkItems(
	{ items, prefixItems, additionalItems }: IDataObject,
	value: unknown[],
	{ place: { path, depth }, walk }: Inside,
): Break | undefined {
	const isOld = Array.isArray(items);
	const [first, rest] = isOld ? [items as unknown[], additionalItems] : [prefixItems, items];
	const leading: unknown[] = Array.isArray(first) ? first : [];
	for (const [i, item] of value.entries()) {
		const schema = i < leading.length ? leading[i] : rest;
		if (schema === undefined) continue;
		const broken = check(schema, { value: item, path: `${path}[${i}]`, depth: depth + 1 }, walk);
		if (broken) return broken;
	}
	return undefined;
}

function checkChoices(schema: IDataObject, place: Place, walk: Walk): Break | undefined {
	const inside = { ...place, depth: place.depth + 1 };
	for (const part of toList(schema.allOf)) {
		const broken = check(part, inside, walk);
		if (broken) return broken;
	}
	for (const word of ['anyOf', 'oneOf']) {
		const breaks: Break[] = [];
		const fits = toList(schema[word]).some((part) => {
			const broken = check(part, inside, walk);
			if (broken) breaks.push(broken);
			return !broken;
		});
		if (!fits && breaks.length > 0) return nearest(breaks, place, word);
	}
	return undefined;
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The break of the choice that fits furthest, where one does. */
function nearest(breaks: Break[], { path }: Place, word: string): Break {
	const further = breaks.filter((one) => one.path !== path);
	if (breaks.length === 1) return breaks[0];
	return further.length === 1 ? further[0] : { path, why: `fits no choice of ${word}` };
}

/** A property in a path: `.name`, `["a name"]`. */
function toStep(name: string): string {
	const isLong = name.length > MAX_NAME_CHARS;
	const short = isLong ? `${name.slice(0, MAX_NAME_CHARS)}...` : name;
	return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(short) ? `.${short}` : `[${JSON.stringify(short)}]`;
}
