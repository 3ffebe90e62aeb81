import type { IDataObject } from 'n8n-workflow';

import { isObject, toJson } from '../lib/json';
import type { Twins, WrittenPictures } from './family';
import { findAt, foldedNames, isFilled } from './namesByHand';

/** Whichever of these the gateway takes, the others are dropped. */
export const PICTURE_FIELDS = ['image', 'images', 'input_reference'];

/** The first of these fields that is written by hand as well, whatever its value. */
export function findByHand(written: IDataObject, byHand: IDataObject): string | undefined {
	for (const [name, value] of Object.entries(written)) {
		for (const alike of foldedNames(byHand, name)) {
			const typed = byHand[alike];
			if (typed === undefined || (typed === null && alike === name)) continue;
			if (!isObject(value) || !isObject(typed)) return alike;
			const inner = findByHand(value, typed);
			if (inner !== undefined) return `${alike}.${inner}`;
		}
	}
	return undefined;
}

/**
 * Where the same field is written by hand with another value, in another letter case, or under another
 * name that says the same, as a path with dots. One of the two would be lost in silence, and nobody but
 * the person knows which.
 */
export const findContradiction = (
	written: IDataObject,
	byHand: IDataObject,
	twins: Twins = {},
): string | undefined => findOther(written, byHand) ?? findTwin(written, byHand, twins);

function findOther(written: IDataObject, byHand: IDataObject): string | undefined {
	for (const [name, value] of Object.entries(written)) {
		// The gateway would read it as the same field, and take whichever comes last.
		const respelled = foldedNames(byHand, name).find((alike) => alike !== name);
		if (respelled !== undefined) return respelled;
		const typed = Object.hasOwn(byHand, name) ? byHand[name] : undefined;
		if (typed === undefined || typed === null) continue;
		if (isObject(value) && isObject(typed)) {
			const inner = findOther(value, typed);
			if (inner !== undefined) return `${name}.${inner}`;
		} else if (!isSame(value, typed)) return name;
	}
	return undefined;
}

/** Null or an empty list there would replace what is written as well. */
function findTwin(written: IDataObject, byHand: IDataObject, twins: Twins): string | undefined {
	for (const [path, others] of Object.entries(twins)) {
		const [ours] = findAt(written, path);
		if (ours?.value === undefined) continue;
		const typed = others.flatMap((other) => findAt(byHand, other));
		const found = typed.find(({ value }) => value !== undefined && !isSame(ours.value, value));
		if (found) return found.path;
	}
	return undefined;
}

/** The field by hand beside which the pictures that were set would be dropped. */
export function findOtherPicture(
	written: IDataObject,
	{ first, references }: WrittenPictures,
	{ byHand, twins }: { byHand: IDataObject; twins?: Twins },
): string | undefined {
	const names = PICTURE_FIELDS.flatMap((name) => foldedNames(byHand, name));
	const other =
		first === undefined && references.length === 0
			? undefined
			: names.find((name) => isFilled(byHand[name]) && !isSame(written[name], byHand[name]));
	return other ?? findContradiction(written, byHand, twins);
}

/** Numbers may be written as text, one picture as a list of one, and words such as 768P in any case. */
export const isSame = (one: unknown, other: unknown) => asText(one) === asText(other);

function asText(value: unknown): string {
	if (Array.isArray(value) && value.length === 1) return asText(value[0]);
	const text = typeof value === 'object' ? toJson(value) : String(value);
	return /^[\w:*.]{1,20}$/.test(text) ? text.toLowerCase() : text;
}
