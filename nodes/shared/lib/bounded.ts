import { isObject } from './json';

/** n8n writes items down by functions that call themselves for each level, and fails some thousand down. */
export const MAX_DEPTH = 100;
const TOO_DEEP = `[nested deeper than ${MAX_DEPTH} levels]`;

/** A text in a copy, and the name that it has there; a list's name for what is in the list. */
export interface PlacedText {
	name: string;
	text: string;
	put: (text: string) => void;
}

/**
 * A copy of any JSON that n8n can store: what is nested too deeply is left out, and says so. The
 * value itself is not changed, and no name in it is taken for more than a name.
 *
 * @param nameOf how a property is called in the copy
 * @returns the copy, and its texts in the order in which they stand
 */
export function boundedCopy(
	value: unknown,
	nameOf: (name: string) => string = (name) => name,
): { copy: unknown; texts: PlacedText[] } {
	const root: { copy?: unknown } = {};
	const texts: PlacedText[] = [];
	const open: Place[] = [{ value, into: root, at: 'copy', name: '', depth: 0 }];
	for (let place = open.pop(); place; place = open.pop()) {
		const { into, at, name, depth } = place;
		if (typeof place.value === 'string') {
			const put = (text: string) => define(into, at, text);
			put(place.value);
			texts.push({ name, text: place.value, put });
			continue;
		}
		const isList = Array.isArray(place.value);
		if (!isList && !isPlain(place.value)) define(into, at, place.value);
		else if (depth >= MAX_DEPTH) define(into, at, TOO_DEEP);
		else {
			const own: object = isList ? [] : {};
			define(into, at, own);
			const entries = Object.entries(place.value as object);
			// The last one is taken first.
			for (const [inner, innerValue] of entries.reverse()) {
				const called = isList ? inner : nameOf(inner);
				const listed = isList ? name : called;
				open.push({ value: innerValue, into: own, at: called, name: listed, depth: depth + 1 });
			}
		}
	}
	return { copy: root.copy, texts };
}

interface Place {
	value: unknown;
	into: object;
	at: string;
	name: string;
	depth: number;
}

/** As a property of its own, also where an assignment would mean something else (`__proto__`). */
function define(into: object, name: string, value: unknown): void {
	Object.defineProperty(into, name, {
		...{ value, configurable: true, enumerable: true, writable: true },
	});
}

/** What JSON has; dates, buffers and the like stay what they are. */
export function isPlain(value: unknown): value is object {
	if (!isObject(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether there are more than `MAX_DEPTH` lists and objects in each other. */
export function isDeep(value: unknown): boolean {
	const open = [{ value, depth: 0 }];
	for (let place = open.pop(); place; place = open.pop()) {
		if (typeof place.value !== 'object' || place.value === null) continue;
		if (place.depth >= MAX_DEPTH) return true;
		for (const inner of Object.values(place.value)) {
			open.push({ value: inner, depth: place.depth + 1 });
		}
	}
	return false;
}

/** Any JSON as text, however deep it is. */
export const toJson = (value: unknown): string => JSON.stringify(boundedCopy(value).copy) ?? '';
