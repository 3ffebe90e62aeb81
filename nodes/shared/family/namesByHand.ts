import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';

/** As the gateway's decoder compares names: without letter case, by Unicode's rules. */
const fold = (name: string) => name.toUpperCase().toLowerCase();

/** The names that the gateway reads as this one, in whatever letter case they are written. */
export const foldedNames = (byHand: IDataObject, name: string): string[] =>
	Object.keys(byHand).filter((typed) => fold(typed) === fold(name));

/** What stands at a path with dots, in whatever letter case; the paths are as they were typed. */
export function findAt(byHand: IDataObject, path: string): Array<{ path: string; value: unknown }> {
	const [name, ...rest] = path.split('.');
	return foldedNames(byHand, name).flatMap((typed) => {
		const value: unknown = byHand[typed];
		if (rest.length === 0) return [{ path: typed, value }];
		if (!isObject(value)) return [];
		return findAt(value, rest.join('.')).map((inner) => ({
			...inner,
			path: `${typed}.${inner.path}`,
		}));
	});
}

/** Whether there is a value in it, however deep. */
export function isFilled(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value === 'object') return Object.values(value).some(isFilled);
	return typeof value !== 'string' || value.trim() !== '';
}
