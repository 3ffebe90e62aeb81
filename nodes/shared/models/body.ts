import type { IDataObject } from 'n8n-workflow';

import { holdsValue, isObject, merge, toObject, valueAt } from '../lib/json';

/** Returns the value of a field. Letter case does not count, because gateways read names so. */
export const fieldAt = (body: IDataObject, path: string): unknown =>
	valueAt(body, path, { anyCase: true });

/** Returns whether anything stands at one of some paths, however deep. */
export const hasValueAt = (body: IDataObject, paths: readonly string[]): boolean =>
	paths.some((path) => holdsValue(fieldAt(body, path)));

/** Returns whether a body has all of some fields, with these values. */
export const hasFields = (body: unknown, fields: unknown): boolean =>
	isObject(fields)
		? Object.entries(fields).every(
				([name, value]) => value === undefined || hasFields(toObject(body)[name], value),
			)
		: body === fields;

/** Returns all texts in a body, as often as they stand there. */
export const textsIn = (body: unknown): string[] =>
	typeof body === 'object' && body !== null
		? Object.values(body).flatMap(textsIn)
		: typeof body === 'string'
			? [body]
			: [];

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
 * empty text, list or object, as of an expression that gave nothing, takes no value's place.
 */
export function mergeByHand(form: IDataObject, byHand: IDataObject): IDataObject {
	const merged = new Map<string, unknown>(Object.entries(form));
	for (const [name, value] of Object.entries(byHand)) {
		const before = merged.get(name);
		if (isObject(value) && (isObject(before) || holdsValue(value)))
			merged.set(name, mergeByHand(toObject(before), value));
		else if (value === null) merged.delete(name);
		else if (holdsValue(value) || fieldAt(form, name) === undefined) merged.set(name, value);
	}
	return Object.fromEntries(merged) as IDataObject;
}
