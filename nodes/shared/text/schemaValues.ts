import type { IDataObject } from 'n8n-workflow';

import { isObject, MAX_DEPTH } from '../lib/json';

/** Where JSON breaks its schema, such as `$.items[2].price`, and how. */
export interface Break {
	path: string;
	why: string;
}

/** A value inside the JSON that is checked. */
export interface Place {
	value: unknown;
	path: string;
	depth: number;
}

/** What one check shares: the whole schema, and how much may still be looked at. */
export interface Walk {
	root: unknown;
	stepsLeft: number;
}

const IS_TYPE: Record<string, (value: unknown) => boolean> = {
	array: Array.isArray,
	boolean: (value) => typeof value === 'boolean',
	integer: Number.isInteger,
	null: (value) => value === null,
	number: (value) => typeof value === 'number',
	object: isObject,
	string: (value) => typeof value === 'string',
};

/** A type, or one of several; a word that is none says nothing. */
export function checkType({ type }: IDataObject, { value, path }: Place): Break | undefined {
	const types = [type ?? []].flat().map((name) => String(name).toLowerCase());
	const known = types.filter((name) => Object.hasOwn(IS_TYPE, name));
	if (known.length < types.length || types.length === 0) return undefined;
	if (known.some((name) => IS_TYPE[name](value))) return undefined;
	return { path, why: `must be ${known.join(' or ')}, and is ${typeOf(value)}` };
}

const typeOf = (value: unknown) => {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
};

export function checkValues(
	schema: IDataObject,
	{ value, path }: Place,
	walk: Walk,
): Break | undefined {
	const { enum: values, const: constant, format } = schema;
	if (Object.hasOwn(schema, 'const') && !isEqual(constant, value, walk)) {
		return { path, why: 'is not the value that const allows' };
	}
	if (!Array.isArray(values)) return undefined;
	const listed: unknown[] = values;
	walk.stepsLeft -= listed.length / 8;
	// The protocol's own dialect writes numbers as texts here.
	if (listed.includes(value)) return undefined;
	if (typeof value === 'object') {
		if (listed.some((one) => isEqual(one, value, walk))) return undefined;
	} else if (format === 'enum' && listed.includes(String(value))) return undefined;
	return { path, why: 'is none of the values that enum allows' };
}

function isEqual(one: unknown, other: unknown, walk: Walk, depth = 0): boolean {
	if (one === other || --walk.stepsLeft < 0 || depth > MAX_DEPTH) return true;
	if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
	const names = Object.keys(one);
	if (Array.isArray(one) !== Array.isArray(other) || names.length !== Object.keys(other).length) {
		return false;
	}
	return names.every(
		(name) =>
			Object.hasOwn(other, name) &&
			isEqual((one as IDataObject)[name], (other as IDataObject)[name], walk, depth + 1),
	);
}
