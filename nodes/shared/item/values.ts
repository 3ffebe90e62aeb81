import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isDeep, isObject, MAX_DEPTH } from '../lib/json';

/** Fields and where their values stand: in the node itself, or in its collection of options. */
export interface Values {
	fields: INodeProperties[];
	valueOf: (field: INodeProperties) => unknown;
	/** Whether something was written there, so that a default must not hide that it gave nothing. */
	isWritten?: (name: string) => boolean;
	/** Which row of a list they are, as people count. */
	where?: string;
}

/** Whether it says anything: n8n leaves empty text or null where an expression gave nothing. */
export const isSet = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '';

/** Text, or a number or boolean as text; `undefined` for what has no text. */
export function toPlainText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
	return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A number, or text that says one; `undefined` for all else, NaN and Infinity included. */
export function toNumber(value: unknown): number | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
	return Number.isFinite(number) ? number : undefined;
}

const BOOLEANS = new Map<unknown, boolean>([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** A boolean, or what an expression gives for one: "false" is false. */
export const toBoolean = (value: unknown): boolean | undefined =>
	BOOLEANS.get(String(toPlainText(value)).trim().toLowerCase());

/** Rows of a list as the editor keeps them, or a list that an expression gives. */
export function toRows(value: unknown, group: string): IDataObject[] | undefined {
	if (!isSet(value)) return [];
	const rows = isObject(value) ? (value[group] ?? []) : value;
	return Array.isArray(rows) && rows.every(isObject) ? rows : undefined;
}

export const isExpression = (written: unknown): boolean =>
	typeof written === 'string' && written.startsWith('=');

/** A JSON object, or text that holds one; nothing set is `{}`. */
export function toObject(
	value: unknown,
	label: string,
	refuse: (message: string, advice?: string) => never,
): IDataObject {
	if (!isSet(value)) return {};
	let parsed = value;
	try {
		if (typeof value === 'string') parsed = JSON.parse(value);
	} catch (error) {
		return refuse(`${label} is not valid JSON`, (error as Error).message);
	}
	if (isDeep(parsed)) return refuse(`${label} is nested deeper than ${MAX_DEPTH} levels`);
	if (isObject(parsed)) return parsed;
	return refuse(`${label} must be a JSON object`, 'Write it as { "name": value }.');
}
