import type { IDataObject } from 'n8n-workflow';

/** Some servers begin a text with a mark of its encoding, which is no JSON. */
const BYTE_ORDER_MARK = /^\uFEFF/;

/** Parses a text; returns `undefined` for what is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
	} catch {
		return undefined;
	}
}

/** Matches what can stand in JSON beside structure: an escaped character, the edge of a text, a number. */
const TOKENS = /\\[^]|"|-?\d[\d.eE+-]*/g;
const LONG_NUMBER = /\d{16}/;
/** Matches what a number has that is not whole, or a token that is no number. */
const FRACTION = /[.eE+]|.-/;
const isWhole = (token: string) => /^-?\d/.test(token) && !FRACTION.test(token);

/**
 * Parses JSON; whole numbers that JavaScript would round come as the text that was sent. Ids are
 * numbers of 64 bits here and there. Returns `undefined` for what is not JSON.
 */
export function parseExactJson(json: string): unknown {
	if (!LONG_NUMBER.test(json)) return parseJson(json);
	let isText = false;
	const quoted = json.replace(TOKENS, (token) => {
		if (token === '"') isText = !isText;
		const isRounded = isWhole(token) && !Number.isSafeInteger(Number(token));
		return isRounded && !isText ? `"${token}"` : token;
	});
	return parseJson(quoted);
}

export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the objects in a list; none where there is no list. */
export const toObjects = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];

/** Returns a text that says something, trimmed. */
export const toText = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Returns whether JSON has such objects; dates, buffers and the like are none. */
export function isPlain(value: unknown): value is object {
	if (!isObject(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** n8n writes items down by functions that call themselves for each level, and fails some thousand down. */
export const MAX_DEPTH = 100;
const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;

/** Returns whether there are more than `MAX_DEPTH` lists and objects in each other. */
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

/** Returns any JSON as text, however deep it is. */
export const toJson = (value: unknown): string =>
	isDeep(value) ? `[${TOO_DEEP}]` : (JSON.stringify(value) ?? '');

/**
 * Returns a copy of any JSON with other texts. No name in it is taken for more than a name.
 *
 * @param map is told the name of the text's property, or of the list that it is in
 * @throws for what n8n cannot store
 */
export function mapTexts(
	value: unknown,
	map: (text: string, name: string) => string,
	rename: (name: string) => string = (name) => name,
): unknown {
	const copy = (inner: unknown, name: string, depth: number): unknown => {
		if (typeof inner === 'string') return map(inner, name);
		if (!Array.isArray(inner) && !isPlain(inner)) return inner;
		if (depth >= MAX_DEPTH) throw new Error(`The answer is ${TOO_DEEP}`);
		if (Array.isArray(inner)) return inner.map((one) => copy(one, name, depth + 1));
		// As properties of its own, also where an assignment would mean something else (`__proto__`).
		return Object.fromEntries(
			Object.entries(inner).map(([given, one]) => {
				const called = rename(given);
				return [called, copy(one, called, depth + 1)];
			}),
		);
	};
	return copy(value, '', 0);
}

const FOREIGN_TO_BASE64 = /[^\w+/-]/;

/**
 * Returns whether a text is base64, in its usual or its URL-safe letters. Looks for one letter that
 * is not: a loop over all of them takes stack for each letter once V8 has stopped optimizing
 * patterns, which it does in a process that has run for some time, and overflows on a picture of
 * some MB.
 */
export function isBase64(text: string): boolean {
	const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
	const letters = text.slice(0, text.length - padding);
	return letters !== '' && !FOREIGN_TO_BASE64.test(letters);
}
