import type { IDataObject } from 'n8n-workflow';

import { holdsValue, merge } from '../lib/json';
import { startOf } from '../lib/text';
import { toWanted } from './fit';
import type { Input } from './readSchema';

/** A model may have hundreds of voices. */
const MAX_WANTED_CHARS = 400;

const KINDS: Record<string, string | undefined> = {
	boolean: 'true or false',
	integer: 'a whole number',
	number: 'a number',
	object: 'a JSON object',
	string: 'text',
};
const LISTS: Record<string, string | undefined> = {
	integer: 'a list of whole numbers',
	number: 'a list of numbers',
	object: 'a JSON list of objects',
	string: 'a list of texts',
};

/** Returns in words what a field of a model takes, such as "a whole number, from 1 to 10". */
export function describeField(input: Input): string {
	const { type = '', list, minimum, maximum, isList, maxItems, orObject } = input;
	const range = { only: list, min: minimum, max: maximum };
	const limits = list ?? minimum ?? maximum;
	const kind = isList ? (LISTS[type] ?? 'a JSON list') : (KINDS[type] ?? 'a value');
	const words = [
		(!list || isList) && kind,
		limits !== undefined && toWanted(range),
		maxItems !== undefined && `at most ${maxItems}`,
		orObject && 'or a JSON object',
	];
	return startOf(words.filter(Boolean).join(', '), MAX_WANTED_CHARS);
}

/** Returns the fields of Model Fields with those of Additional Fields (JSON), which win level by level. */
export function overModelFields(modelFields: IDataObject, byHand: IDataObject): IDataObject {
	const filled = Object.entries(byHand).filter(
		([name, value]) => value === null || holdsValue(value) || !Object.hasOwn(modelFields, name),
	);
	return merge(modelFields, Object.fromEntries(filled) as IDataObject);
}
