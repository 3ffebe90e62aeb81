import type { INodePropertyOptions } from 'n8n-workflow';

import { toPlainText } from './values';

export const CHECK_EXPRESSION =
	'If it is an expression, check that the incoming item has the field it refers to.';
export const NOT_TEXT =
	'It is an object or an array. Convert it to text with {{ JSON.stringify(...) }}.';

/** Some clients write the same words in capitals. */
export const toWord = (value: unknown) =>
	typeof value === 'string' ? value.trim().toLowerCase() : value;

/** The value that an expression needs, and the name that the editor shows where that differs. */
export const showChoice = ({ name, value }: INodePropertyOptions) =>
	name.toLowerCase() === String(value).toLowerCase() ? value : `${value} (${name})`;

/** What came instead, where it can be shown. */
export function toAdvice(given: unknown): string {
	const text = toPlainText(given);
	const shown = text === undefined ? 'It is no text or number' : `It is "${text.slice(0, 50)}"`;
	return `${shown}. ${CHECK_EXPRESSION}`;
}
