import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';

/** A field that a person wrote into Extra Fields (JSON) or Metadata (JSON). */
export interface HandField {
	/** The path as it was typed, with dots. */
	path: string;
	value: unknown;
}

/**
 * Groups of paths that name the same thing: the gateway uses one of them and silently drops the
 * others.
 */
export type Twins = ReadonlyArray<readonly string[]>;

/** The fields that an option sets, with the name that people know it by. */
export interface Claim {
	label: string;
	paths: string[];
}

const COMMON_TWINS: Twins = [
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
export function handAt(byHand: HandField[], path: string): HandField[] {
	const key = foldCase(path);
	return byHand.filter((field) => `${foldCase(field.path)}.`.startsWith(`${key}.`));
}

/** Returns whether a value holds anything, however deep. */
export function isFilled(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value === 'object') return Object.values(value).some(isFilled);
	return typeof value !== 'string' || value.trim() !== '';
}

/**
 * Returns the first two settings that set the same field, even to the same value: one of them would
 * be lost silently, and only the person knows which one is wanted. Fields that the node writes
 * collide in any spelling; fields by hand collide with each other only if the gateway reads them as
 * one name.
 *
 * @param written the fields that the node sets, option by option
 */
export function findClash(
	written: Claim[],
	byHand: HandField[],
	twins: Twins = [],
): { one: string; other: string; byHand: boolean } | undefined {
	const all = [...COMMON_TWINS, ...twins];
	const ofNode = createRegister(all, foldWords);
	for (const { label, paths } of written) {
		const earlier = paths.map(ofNode.ownerOf).find((owner) => owner !== undefined);
		if (earlier !== undefined) return { one: label, other: earlier, byHand: false };
		for (const path of paths) ofNode.add(path, label);
	}
	const ofHand = createRegister(all, foldCase);
	for (const { path } of byHand) {
		const earlier = ofHand.ownerOf(path);
		const twice = earlier === path ? 'Metadata (JSON)' : earlier && `"${earlier}"`;
		const one = ofNode.ownerOf(path) ?? twice;
		if (one !== undefined) return { one, other: path, byHand: true };
		ofHand.add(path, path);
	}
	return undefined;
}

/** Returns a register of who has set which path, and with it each of its twins. */
function createRegister(twins: Twins, toKey: (path: string) => string) {
	const groups = twins.map((paths) => paths.map(toKey));
	const owners = new Map<string, string>();
	/** Who has set something inside an object, by the object's key. */
	const inside = new Map<string, string>();
	return {
		/**
		 * Returns who has set this path, an object around it, or something inside it: a value in place
		 * of an object replaces all that is in it.
		 */
		ownerOf(path: string): string | undefined {
			const key = toKey(path);
			const owned = [key, ...outerKeys(key)].find((one) => owners.has(one));
			return inside.get(key) ?? (owned && owners.get(owned));
		},
		add(path: string, owner: string): void {
			const key = toKey(path);
			for (const twin of [key, ...groups.filter((group) => group.includes(key)).flat()]) {
				owners.set(twin, owner);
				for (const outer of outerKeys(twin)) inside.set(outer, owner);
			}
		},
	};
}

/** Returns the keys of the objects around a field: `a` and `a.b` for `a.b.c`. */
function outerKeys(key: string): string[] {
	const names = key.split('.').slice(0, -1);
	return names.map((_name, last) => names.slice(0, last + 1).join('.'));
}
