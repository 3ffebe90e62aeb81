import type { IDataObject } from 'n8n-workflow';

import { isObject, isSet, parseJson } from '../shared/lib/json';
import { nameNearest } from '../shared/lib/nearest';
import { sentences } from '../shared/lib/text';
import { fit } from '../shared/models/fit';
import { describeField } from '../shared/models/modelFields';
import type { Input } from '../shared/models/readSchema';
import type { Value } from '../shared/models/settings';
import type { Takes } from '../shared/models/takes';
import type { Reader } from '../shared/n8n/reader';
import {
	describeEntered,
	isExpression,
	toBoolean,
	toNumber,
	toPlainText,
} from '../shared/n8n/values';

/**
 * Reads Model Fields, in the types of the model's schema. Refuses what the model does not take: nothing is
 * paid yet.
 *
 * @param label of the service
 */
export function readModelFields(
	{ options }: Reader,
	{ modelFields: inputs }: Takes,
	{ model, label }: { model: string; label: string },
): IDataObject {
	const rows = options.rows('modelFields');
	if (rows.length === 0) return {};
	if (!inputs) {
		const message = `${label} does not publish what its models take, which Model Fields needs`;
		return options.refuse(message, 'Remove Model Fields, and use Additional Fields (JSON).');
	}
	const fields = new Map<string, { row: number; value: unknown }>();
	rows.forEach((row, index) => {
		const name = row.text('name');
		const input = inputs.find((one) => one.name === name);
		if (!input) {
			const names = inputs.map((one) => one.name);
			const nearest = nameNearest(name, names, '');
			return row.refuse(`"${model}" has no field "${name}"`, sentences(nearest, CHOOSE));
		}
		const before = fields.get(name);
		if (before) row.refuse(`${name} is in row ${before.row}, too`, 'Remove one of them.');
		// As of any option, an expression that gives nothing leaves the field to the model.
		if (!row.isSet('value') && isExpression(row.typed('value'))) return;
		fields.set(name, { row: index + 1, value: readValue(row, input) });
	});
	return Object.fromEntries([...fields].map(([name, { value }]) => [name, value])) as IDataObject;
}

const CHOOSE = 'Choose a name from the list.';

function readValue(row: Reader, input: Input): unknown {
	if (!row.isSet('value')) {
		row.refuse(`${input.name} has no value`, `It takes ${describeField(input)}.`);
	}
	const entered = row.value('value');
	const value = toValue(input, entered);
	if (value !== undefined) return value;
	return row.refuse(`${input.name} must be ${describeField(input)}`, describeEntered(entered));
}

/** Returns a value as a field takes it; `undefined` if the field takes no such value. */
export function toValue(input: Input, entered: unknown): unknown {
	if (!input.isList) return toOne(input, entered);
	const entries = toEntries(input, entered);
	const values = entries.map((entry) => toOne(input, entry));
	return values.includes(undefined) || entries.length > (input.maxItems ?? Infinity)
		? undefined
		: values;
}

/** Returns the entries of a list: of an array, of one as JSON, or of a text with commas. */
function toEntries({ type }: Input, entered: unknown): unknown[] {
	const json = typeof entered === 'string' ? parseJson(entered) : entered;
	if (Array.isArray(json)) return json as unknown[];
	if (typeof entered !== 'string' || type === 'object') return [json];
	const entries = entered.split(',').map((entry) => entry.trim());
	return entries.filter((entry) => entry !== '');
}

function toOne({ type, list, minimum: min, maximum: max, orObject }: Input, entered: unknown) {
	const text = toPlainText(entered);
	if (type === 'object' || orObject) {
		const json = text === undefined ? entered : parseJson(text);
		if (isObject(json) || type === 'object') return isObject(json) ? json : undefined;
	}
	// A field of no single type takes what JSON has, or else the text.
	if (!type && !list) return text === undefined ? entered : (parseJson(text) ?? text);
	if (text === undefined || !isSet(entered)) return undefined;
	if (list) return fit({ only: list }, entered as Value);
	if (type === 'boolean') return toBoolean(text);
	if (type === 'string') return text;
	return toNumber(text, { min, max, whole: type === 'integer' });
}
