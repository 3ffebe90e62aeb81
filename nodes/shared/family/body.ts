import type { IDataObject } from 'n8n-workflow';

import { isObject, merge, toObject, withoutGaps } from '../lib/json';

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

function holdsValue(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value === 'object') return Object.values(value).some(holdsValue);
	return typeof value !== 'string' || value.trim() !== '';
}

/** Returns a body with a value at each of some paths. */
export function writeAt(paths: string | readonly string[], value: unknown): IDataObject {
	const bodies = [paths].flat().map((path) =>
		path.split('.').reduceRight<unknown>(
			(inner, name) => ({ [name]: inner }),
			// The gateways declare `seconds` as a text.
			path === 'seconds' ? String(value) : value,
		),
	);
	return (bodies as IDataObject[]).reduce(merge, {});
}

/**
 * Returns the parts merged with what was written by hand. A null there leaves its field out, and an empty
 * text, as of an expression that gave nothing, takes no value's place.
 */
export function mergeByHand(parts: IDataObject[], byHand: IDataObject): IDataObject {
	const form = parts.reduce(merge, {});
	return withoutNull(merge(form, withoutEmpty(byHand, form)));
}

const withoutEmpty = (byHand: IDataObject, form: IDataObject): IDataObject =>
	mapFields(byHand, (name, value) => {
		const before = valueAt(form, name);
		if (isObject(value)) return withoutEmpty(value, toObject(before));
		return value === '' && before !== undefined ? undefined : value;
	});

const withoutNull = (body: IDataObject): IDataObject =>
	mapFields(body, (_name, value) => (isObject(value) ? withoutNull(value) : (value ?? undefined)));

/** Returns an object with other values, and without those that become `undefined`. */
const mapFields = (
	body: IDataObject,
	map: (name: string, value: unknown) => unknown,
): IDataObject =>
	withoutGaps(
		Object.fromEntries(Object.entries(body).map(([name, value]) => [name, map(name, value)])),
	) as IDataObject;
