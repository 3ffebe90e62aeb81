import type { IDataObject } from 'n8n-workflow';

import { isObject, merge, toObject } from '../lib/json';

/** Returns the value at a path. Letter case does not count, because gateways read names so. */
export function valueAt(body: IDataObject, path: string): unknown {
	return path.split('.').reduce<unknown>((inner, name) => {
		const entries = Object.entries(toObject(inner));
		return entries.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
	}, body);
}

/** Returns whether anything stands at one of some paths, however deep. */
export const hasValueAt = (body: IDataObject, paths: readonly string[]): boolean =>
	paths.some((path) => holdsValue(valueAt(body, path)));

/** Returns whether anything is in a value, however deep. */
export function holdsValue(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value === 'object') return Object.values(value).some(holdsValue);
	return typeof value !== 'string' || value.trim() !== '';
}

/** Returns a body with a value at each of some paths. */
export function writeAt(paths: readonly string[], value: unknown): IDataObject {
	const bodies = paths.map((path) =>
		path.split('.').reduceRight<unknown>(
			(inner, name) => ({ [name]: inner }),
			// The gateways declare `seconds` as a text.
			path === 'seconds' ? String(value) : value,
		),
	);
	return (bodies as IDataObject[]).reduce(merge, {});
}

/**
 * Returns a request with what was written by hand, level by level. A null there leaves its field out, and an
 * empty text or list, as of an expression that gave nothing, takes no value's place.
 */
export function mergeByHand(form: IDataObject, byHand: IDataObject): IDataObject {
	const merged = new Map<string, unknown>(Object.entries(form));
	for (const [name, value] of Object.entries(byHand)) {
		if (isObject(value)) merged.set(name, mergeByHand(toObject(merged.get(name)), value));
		else if (value === null) merged.delete(name);
		else if (holdsValue(value) || valueAt(form, name) === undefined) merged.set(name, value);
	}
	return Object.fromEntries(merged) as IDataObject;
}
