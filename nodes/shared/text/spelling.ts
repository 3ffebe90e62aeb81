import type { IDataObject } from 'n8n-workflow';

import { isObject, MAX_DEPTH } from '../lib/json';

/** Names that the protocol may write with underscores as well; all others are somebody's own. */
const SNAKE_CASE = /^[a-z]+(_[a-z0-9]+)+$/;
/** Longer than any of them. */
const MAX_NAME_CHARS = 1_000;

/** What stands under these are the names of a function's author. */
const OF_FUNCTIONS = new Set(['args', 'response']);

/**
 * An answer in the one spelling that is read here: deployments in other languages write
 * `finish_reason` for `finishReason`. Where both are there, the documented one counts, if it says
 * anything. What has nothing to rename is returned as it is.
 */
export function toProtocolNames<Value>(value: Value, depth = 0): Value {
	if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
	if (Array.isArray(value)) {
		const list = value.map((entry: unknown) => toProtocolNames(entry, depth + 1));
		return list.every((entry, i) => entry === value[i]) ? value : (list as Value);
	}
	return renamed(value as IDataObject, depth) as Value;
}

function renamed(record: IDataObject, depth: number): IDataObject {
	const entries = Object.entries(record).map(([name, value]) => {
		const called = isSnakeCase(name) ? toCamelCase(name) : name;
		const inside = OF_FUNCTIONS.has(called) ? value : toProtocolNames(value, depth + 1);
		return { called, inside, isOwn: called === name, isSame: called === name && inside === value };
	});
	if (entries.every(({ isSame }) => isSame)) return record;
	const fields = new Map<string, unknown>();
	for (const { called, inside, isOwn } of entries) if (isOwn) fields.set(called, inside);
	for (const { called, inside, isOwn } of entries) {
		if (!isOwn && !saysSomething(fields.get(called))) fields.set(called, inside);
	}
	return Object.fromEntries(fields) as IDataObject;
}

const isSnakeCase = (name: string) => name.length <= MAX_NAME_CHARS && SNAKE_CASE.test(name);

const toCamelCase = (name: string) =>
	name.replace(/_([a-z0-9])/g, (_found, letter: string) => letter.toUpperCase());

/** Converters fill in nulls, empty lists and empty texts for what they do not know. */
export function saysSomething(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return false;
	if (Array.isArray(value)) return value.length > 0;
	return !isObject(value) || Object.keys(value).length > 0;
}
