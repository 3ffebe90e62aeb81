import type { IDataObject } from 'n8n-workflow';

/** Parses a text; returns `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): IDataObject => (isObject(value) ? value : {});

export const toObjects = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];

/** Returns a text trimmed; `undefined` if it is empty or not a text. */
export const toText = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Returns whether a value is set. n8n leaves empty text or null if an expression gave nothing. */
export const isSet = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '';

/** The same of what a list or an object holds: `[]` and `{}` are not filled. */
export const isFilled = (value: unknown): boolean =>
	isSet(value) && (typeof value !== 'object' || Object.keys(value as object).length > 0);

/** The same, however deep; blank text is no value. */
export function holdsValue(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() !== '';
	return isFilled(value) && (typeof value !== 'object' || Object.values(value!).some(holdsValue));
}

/** Returns a field of an object; nothing of what all objects have, such as `constructor`. */
export const ownValue = (object: IDataObject, name: string): unknown =>
	Object.hasOwn(object, name) ? object[name] : undefined;

export const isPositive = (value: unknown): value is number =>
	typeof value === 'number' && value > 0 && Number.isFinite(value);

/** Returns whether JSON is nested no deeper than so many levels. */
export const isWithin = (value: unknown, levels: number): boolean =>
	typeof value !== 'object' ||
	value === null ||
	(levels > 0 && Object.values(value).every((one) => isWithin(one, levels - 1)));

interface Walk {
	/** Letter case does not count. */
	anyCase?: boolean;
	/** JSON in a text stays a text. */
	closed?: boolean;
}

/** Returns what stands at a path such as `data.0.url`; JSON in a text counts as an object (kie). */
export function valueAt(
	value: unknown,
	path: string | readonly string[],
	{ anyCase, closed }: Walk = {},
): unknown {
	if (path === '') return value;
	const names = typeof path === 'string' ? path.split('.') : path;
	return names.reduce<unknown>((inner, name) => {
		const isJson = !closed && typeof inner === 'string' && inner.startsWith('{');
		const open = isJson ? parseJson(inner) : inner;
		if (Array.isArray(open)) return (open as unknown[])[Number(name)];
		if (!anyCase) return ownValue(toObject(open), name);
		const isSame = ([one]: [string, unknown]) => one.toLowerCase() === name.toLowerCase();
		return Object.entries(toObject(open)).find(isSame)?.[1];
	}, value);
}

/** Returns an object without the fields that are `undefined`. */
export const withoutGaps = <Fields extends object>(fields: Fields): Fields =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

/** Returns whether a value is an object that JSON can hold; dates, buffers and the like are not. */
function isPlainObject(value: unknown): value is object {
	if (!isObject(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns a copy of any JSON with its texts, and the names of its properties, replaced. */
export function mapTexts(
	value: unknown,
	map: (text: string) => string,
	rename: (name: string) => string = (name) => name,
): unknown {
	if (typeof value === 'string') return map(value);
	if (Array.isArray(value)) return value.map((one) => mapTexts(one, map, rename));
	if (!isPlainObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [rename(name), mapTexts(one, map, rename)]),
	);
}

/** Returns JSON in which the order of fields does not show, and only those that count stand. */
export const toCanonicalJson = (
	value: unknown,
	counts: (name: string) => boolean = () => true,
): string =>
	JSON.stringify(value, (_name, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(
					Object.entries(inner)
						.filter(([name]) => counts(name))
						.sort(([one], [other]) => (one < other ? -1 : 1)),
				)
			: inner,
	) ?? '';

const FILE_CHARS = 100_000;

/** A file in a text: fal has some with `sync_mode`, and Replicate repeats those that were sent. */
const FILE_URI = /^data:[^,]{0,200};base64,/;

/** Returns an answer without files and its longest texts, which are files: a batch may hold a thousand answers. */
export const withoutFiles = (answer: unknown): unknown =>
	mapTexts(answer, (text) =>
		text.length > FILE_CHARS || FILE_URI.test(text) ? '[left out: a file]' : text,
	);

/** Returns both objects merged level by level; `over` wins, except where it has `undefined`. */
export function merge(under: IDataObject, over: IDataObject): IDataObject {
	const merged = new Map<string, unknown>();
	for (const [name, value] of [under, over].flatMap(Object.entries) as Array<[string, unknown]>) {
		const inner = isObject(value) ? merge(toObject(merged.get(name)), value) : value;
		if (value !== undefined) merged.set(name, inner);
	}
	return Object.fromEntries(merged) as IDataObject;
}

const FOREIGN_TO_BASE64 = /[^\w+/-]/;

/** Returns whether a text is base64, in its usual or its URL-safe alphabet. */
export function isBase64(text: string): boolean {
	const letters = text.replace(/={1,2}$/, '');
	// A pattern that loops would take stack for each letter, and overflow on a picture of some MB.
	return letters !== '' && !FOREIGN_TO_BASE64.test(letters);
}
