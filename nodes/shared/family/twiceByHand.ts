import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { isSame, PICTURE_FIELDS } from './contradiction';
import type { Twins } from './family';
import { findAt, foldedNames, isFilled } from './namesByHand';

/** Two fields by hand, as paths with dots. */
export type Pair = [one: string, other: string];

/**
 * Two fields by hand that say something else of the same thing: the gateway takes one of them and
 * drops the other in silence, and which one is its own matter.
 */
export const findTwiceByHand = (byHand: IDataObject, twins: Twins = {}): Pair | undefined =>
	findRespelled(byHand) ?? findTwins(byHand, twins) ?? findPictures(byHand);

const differ = (one: unknown, other: unknown) =>
	one !== undefined &&
	other !== undefined &&
	(isFilled(one) || isFilled(other)) &&
	!isSame(one, other);

/** The same name in two letter cases. */
function findRespelled(byHand: IDataObject, under = ''): Pair | undefined {
	for (const [name, value] of Object.entries(byHand)) {
		const other = foldedNames(byHand, name).find((alike) => differ(value, byHand[alike]));
		if (other !== undefined) return [under + name, under + other];
		const inner = isObject(value) ? findRespelled(value, `${under}${name}.`) : undefined;
		if (inner) return inner;
	}
	return undefined;
}

function findTwins(byHand: IDataObject, twins: Twins): Pair | undefined {
	for (const [path, others] of Object.entries(twins)) {
		const [ours] = findAt(byHand, path);
		if (ours === undefined) continue;
		const typed = others.flatMap((other) => findAt(byHand, other));
		const found = typed.find(({ value }) => differ(ours.value, value));
		if (found) return [ours.path, found.path];
	}
	return undefined;
}

function findPictures(byHand: IDataObject): Pair | undefined {
	const names = PICTURE_FIELDS.flatMap((name) => foldedNames(byHand, name));
	const [first, ...rest] = names.filter((name) => isFilled(byHand[name]));
	const other = rest.find((name) => !isSame(byHand[first], byHand[name]));
	return other === undefined ? undefined : [first, other];
}
