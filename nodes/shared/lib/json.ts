import type { IDataObject } from 'n8n-workflow';

/** Some servers begin a text with a mark of its encoding, which is no JSON. */
const BYTE_ORDER_MARK = /^\uFEFF/;

/** Parses a text; `undefined` for what is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
	} catch {
		return undefined;
	}
}

export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in a list; none where there is no list. */
export const toObjects = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];

/** A text that says something, trimmed. */
export const toText = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
