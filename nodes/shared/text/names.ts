import type { IDataObject } from 'n8n-workflow';

import { isObject, isPlain, MAX_DEPTH } from '../lib/json';

/** Fields whose content keeps its names, because people, tools or JSON Schema chose them. */
const USER_FIELDS = new Set([
	...['args', 'customConfigs', 'headers', 'labels', 'parameters', 'parametersJsonSchema'],
	...['partMetadata', 'response', 'responseJsonSchema', 'responseSchema'],
]);

/** Matches snake_case. Without bounds, a name of several megabytes would overflow the stack. */
const SNAKE_CASE = /^[a-z]{1,40}(?:_[a-z0-9]{1,40}){1,9}$/;

/**
 * Returns a copy of a request or an answer with its fields in camelCase: the service drops most request
 * fields in snake_case, and some deployments answer in it. A filled camelCase field wins.
 */
export function toProtocolNames<Value>(value: Value, depth = 0): Value {
	if (depth > MAX_DEPTH) return value;
	if (Array.isArray(value))
		return value.map((inner: unknown) => toProtocolNames(inner, depth + 1)) as Value;
	if (!isPlain(value)) return value;
	const fields = new Map<string, unknown>();
	for (const [spelled, inner] of Object.entries(value)) {
		const name = SNAKE_CASE.test(spelled)
			? spelled.replace(/_([a-z0-9])/g, (_found, letter: string) => letter.toUpperCase())
			: spelled;
		const field: unknown = USER_FIELDS.has(name) ? inner : toProtocolNames(inner, depth + 1);
		const wins = name === spelled && isFilled(field);
		if (wins || !isFilled(fields.get(name))) fields.set(name, field);
	}
	return Object.fromEntries(fields) as Value;
}

/** Returns `false` for `undefined` and what gateways fill in for it: null, `''`, `[]` and `{}`. */
export function isFilled(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return false;
	if (Array.isArray(value)) return value.length > 0;
	return !isObject(value) || Object.keys(value).length > 0;
}

export const onlyFilled = (fields: object): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)));
