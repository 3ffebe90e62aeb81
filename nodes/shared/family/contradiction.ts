import type { IDataObject } from 'n8n-workflow';

import { toJson } from '../lib/bounded';
import { isObject } from '../lib/json';
import type { WrittenPictures } from './family';

/** Whichever of these the gateway takes, the others are dropped. */
const PICTURE_FIELDS = ['image', 'images', 'input_reference'];

/** The first of these fields that is written by hand as well, whatever its value. */
export function findByHand(written: IDataObject, byHand: IDataObject): string | undefined {
	for (const [name, value] of Object.entries(written)) {
		const typed = Object.hasOwn(byHand, name) ? byHand[name] : undefined;
		if (typed === undefined || typed === null) continue;
		if (!isObject(value) || !isObject(typed)) return name;
		const inner = findByHand(value, typed);
		if (inner !== undefined) return `${name}.${inner}`;
	}
	return undefined;
}

/**
 * Where the same field is written by hand with another value, as a path with dots. One of the two would
 * be lost in silence, and nobody but the person knows which.
 */
export function findContradiction(written: IDataObject, byHand: IDataObject): string | undefined {
	for (const [name, value] of Object.entries(written)) {
		const typed = Object.hasOwn(byHand, name) ? byHand[name] : undefined;
		if (typed === undefined || typed === null) continue;
		if (isObject(value) && isObject(typed)) {
			const inner = findContradiction(value, typed);
			if (inner !== undefined) return `${name}.${inner}`;
		} else if (!isSame(value, typed)) return name;
	}
	return undefined;
}

/** The field by hand beside which the picture that was set would be dropped. */
export function findOtherPicture(
	written: IDataObject,
	{ first }: WrittenPictures,
	byHand: IDataObject,
): string | undefined {
	const other =
		first === undefined
			? undefined
			: PICTURE_FIELDS.find(
					(name) => isFilled(byHand[name]) && !isSame(written[name], byHand[name]),
				);
	return other ?? findContradiction(written, byHand);
}

const isFilled = (value: unknown) =>
	![undefined, null, ''].includes(value as string) && toJson(value) !== '[]';

/** Numbers may be written as text. */
const isSame = (one: unknown, other: unknown) => asText(one) === asText(other);
const asText = (value: unknown) => (typeof value === 'object' ? toJson(value) : String(value));
