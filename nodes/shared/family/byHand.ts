import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';

/** A field that a person wrote into Additional Fields (JSON). */
export interface HandField {
	/** The path as it was typed, with dots. */
	path: string;
	value: unknown;
}

const COMMON_TWINS = [
	['prompt', 'metadata.prompt'],
	['model', 'metadata.model', 'metadata.model_name'],
	['image', 'images', 'input_reference'],
];

/** Returns a path as the gateway's decoder compares it: without letter case, by Unicode's rules. */
export const foldCase = (path: string) => path.toUpperCase().toLowerCase();

/** Returns the same key for camelCase and snake_case. */
const foldWords = (path: string) => foldCase(path).replaceAll('_', '');

/** Returns each value in an object with its path; leaves out objects that hold no value. */
export const flatten = (object: IDataObject, under = ''): HandField[] =>
	Object.entries(object).flatMap(([name, value]) => {
		const path = under + name;
		if (isObject(value)) return flatten(value, `${path}.`);
		return value === undefined ? [] : [{ path, value }];
	});

/** Returns the fields at or below a path, however their letter case was typed. */
export const handAt = (byHand: HandField[], path: string): HandField[] =>
	byHand.filter((field) => `${foldCase(field.path)}.`.startsWith(`${foldCase(path)}.`));

/** Returns whether a value holds anything, however deep. */
export function isFilled(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value === 'object') return Object.values(value).some(isFilled);
	return typeof value !== 'string' || value.trim() !== '';
}

/**
 * Returns the first field by hand that is set elsewhere, too, even to the same value: one of the two
 * would be lost silently, and only the person knows which one is wanted. Fields that the node writes
 * collide in any spelling; fields by hand collide with each other only if the gateway reads them as
 * one name.
 *
 * @param written the paths that the node sets, by the label of the option
 */
export function findClash(
	written: Array<{ label: string; paths: string[] }>,
	byHand: HandField[],
	twins: string[][] = [],
): { one: string; other: string } | undefined {
	const all = [...COMMON_TWINS, ...twins];
	const ofNode = createRegister(all, foldWords);
	for (const { label, paths } of written) for (const path of paths) ofNode.add(path, label);
	const ofHand = createRegister(all, foldCase);
	for (const { path } of byHand) {
		const earlier = ofHand.ownerOf(path);
		const one = ofNode.ownerOf(path) ?? (earlier && `"${earlier}"`);
		if (one !== undefined) return { one, other: path };
		ofHand.add(path, path);
	}
	return undefined;
}

/** Returns a register of who has set which path, and with it each of its twins. */
function createRegister(twins: string[][], toKey: (path: string) => string) {
	const groups = twins.map((paths) => paths.map(toKey));
	/** By the keys of fields, and by the keys of the objects around them, which end in a dot. */
	const owners = new Map<string, string>();
	return {
		/**
		 * Returns who has set this path, an object around it, or something inside it: a value in place
		 * of an object replaces all that is in it.
		 */
		ownerOf(path: string): string | undefined {
			const key = toKey(path);
			const taken = [`${key}.`, key, ...outerKeys(key)].find((one) => owners.has(one));
			return taken && owners.get(taken);
		},
		add(path: string, owner: string): void {
			const key = toKey(path);
			for (const twin of [key, ...groups.filter((group) => group.includes(key)).flat()]) {
				owners.set(twin, owner);
				for (const outer of outerKeys(twin)) owners.set(`${outer}.`, owner);
			}
		},
	};
}

/** Returns the keys of the objects around a field: `a` and `a.b` for `a.b.c`. */
const outerKeys = (key: string) => [...key.matchAll(/\./g)].map(({ index }) => key.slice(0, index));
