import type { IDataObject } from 'n8n-workflow';

import { isPlain, MAX_DEPTH } from '../lib/json';
import { mergeFields } from './mergeFields';
import { FIELD_NAMES, OF_PEOPLE } from './protocolNames';

const toSnakeCase = (name: string) =>
	name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const BY_SNAKE_CASE = new Map(FIELD_NAMES.map((name) => [toSnakeCase(name), name]));

/**
 * A copy in which each field of the protocol is spelled in camelCase: it takes them in snake_case, too,
 * and gateways do not. Names that the protocol does not have stay as they are: they may be a gateway's own. Of a field that stands there in both
 * spellings, the one in camelCase counts.
 */
export function spellFields(value: unknown, depth = 0): unknown {
	if (depth >= MAX_DEPTH) return value;
	if (Array.isArray(value)) return value.map((one) => spellFields(one, depth + 1));
	if (!isPlain(value)) return value;
	const spelled: Array<[string, unknown]> = [];
	const kept: Array<[string, unknown]> = [];
	for (const [given, inner] of Object.entries(value)) {
		const name = BY_SNAKE_CASE.get(given) ?? given;
		const field = OF_PEOPLE.has(name) ? inner : spellFields(inner, depth + 1);
		(name === given ? kept : spelled).push([name, field]);
	}
	const [first, second] = [spelled, kept].map(
		(fields) => Object.fromEntries(fields) as IDataObject,
	);
	return spelled.length === 0 ? second : mergeFields(first, second);
}
