import type { IDataObject } from 'n8n-workflow';

/** Parses a text; returns `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
	try {
		// Some servers begin a text with a mark of its encoding, which is not JSON.
		return JSON.parse(text.replace(/^\uFEFF/, ''));
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

/** Returns an object without the fields that are `undefined`. */
export const withoutGaps = <Fields extends object>(fields: Fields): Fields =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

/** Returns whether a value is an object that JSON can hold; dates, buffers and the like are not. */
export function isPlain(value: unknown): value is object {
	if (!isObject(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** n8n serializes items recursively and fails at some thousand levels. */
export const MAX_DEPTH = 100;
const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;

export const isDeep = (value: unknown, levels = MAX_DEPTH): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels <= 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1)));

/** Returns any JSON as text, or a note that it is nested too deeply. */
export const toJson = (value: unknown): string =>
	isDeep(value) ? `[${TOO_DEEP}]` : (JSON.stringify(value) ?? '');

/**
 * Returns a copy of any JSON with its texts, and the names of its properties, replaced.
 *
 * @throws if the value is nested too deeply for n8n to store
 */
export function mapTexts(
	value: unknown,
	map: (text: string) => string,
	rename: (name: string) => string = (name) => name,
): unknown {
	const copy = (inner: unknown, depth: number): unknown => {
		if (typeof inner === 'string') return map(inner);
		if (!Array.isArray(inner) && !isPlain(inner)) return inner;
		if (depth >= MAX_DEPTH) throw new Error(`The answer is ${TOO_DEEP}`);
		if (Array.isArray(inner)) return inner.map((one) => copy(one, depth + 1));
		const entries = Object.entries(inner).map(([name, one]) => [
			rename(name),
			copy(one, depth + 1),
		]);
		// `fromEntries` makes own properties, also where an assignment would not (`__proto__`).
		return Object.fromEntries(entries);
	};
	return copy(value, 0);
}

const LONG_CHARS = 100_000;

/** Returns an answer without its longest texts, which are files: a batch may hold a thousand answers. */
export const withoutFiles = (answer: unknown): unknown =>
	isDeep(answer)
		? answer
		: mapTexts(answer, (text) => (text.length > LONG_CHARS ? '[left out: a file]' : text));

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
