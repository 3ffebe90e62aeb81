import { parseJson } from '../lib/json';
import { findJson, type Found } from './jsonText';
import { findBreak } from './schemaCheck';
import type { Break } from './schemaValues';

/** The JSON that a model wrote, and where it breaks its schema. */
export interface JsonOutput {
	json: unknown;
	broken?: Break;
}

/** Each is checked against the schema, which may take a moment. */
const MAX_CHECKED = 10;
const FENCE = '```';

/**
 * Reads the JSON that a model wrote, also where it wrote something around it. Of several the first
 * that fits the schema counts, in this order: the whole text, what stands in a fence, what has
 * objects, what is longest.
 * Gives `undefined` where there is none, or where it is cut off.
 *
 * @param schema left out where the model was given none
 */
export function readJsonText(text: string, schema?: unknown): JsonOutput | undefined {
	const whole = parseJson(text);
	if (whole !== undefined) return toOutput(whole, schema);
	const { found, isCutOff } = findJson(text);
	const inOrder = [
		...found.filter(({ isFenced }) => isFenced),
		...found.filter(({ isFenced }) => !isFenced).sort(byWorth),
	];
	let first: JsonOutput | undefined;
	let checked = 0;
	for (const { text: candidate } of inOrder) {
		const json = parseJson(candidate);
		if (json === undefined || checked === MAX_CHECKED) continue;
		checked++;
		const output = toOutput(json, schema);
		// Before JSON that is cut off, another piece is an example rather than the answer.
		if (!output.broken && (schema !== undefined || !isCutOff)) return output;
		if (!isCutOff) first ??= output;
	}
	return first ?? readFence(text, schema);
}

/** A list without objects may be that of footnotes, and the longest is the least likely to be one. */
const byWorth = (one: Found, other: Found) =>
	Number(other.text.includes('{')) - Number(one.text.includes('{')) ||
	other.text.length - one.text.length;

function toOutput(json: unknown, schema: unknown): JsonOutput {
	const broken = schema === undefined ? undefined : findBreak(schema, json);
	return broken ? { json, broken } : { json };
}

/** A text or a number in a fence: in prose they are none. */
function readFence(text: string, schema: unknown): JsonOutput | undefined {
	const begin = text.indexOf(FENCE);
	const end = text.indexOf(FENCE, begin + FENCE.length);
	if (begin < 0 || end < 0) return undefined;
	const inside = text.slice(begin + FENCE.length, end).replace(/^[a-z]{1,40}/i, '');
	const json = parseJson(inside);
	return json === undefined || typeof json === 'object' ? undefined : toOutput(json, schema);
}
