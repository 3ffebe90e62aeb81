import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Ends the reading of one item: says which parameter is wrong and what to do. */
export function throwInput(
	context: IExecuteFunctions,
	itemIndex: number,
	message: string,
	description?: string,
): never {
	throw new NodeOperationError(context.getNode(), `${message} [item ${itemIndex}]`, {
		description,
		itemIndex,
	});
}

/** Whether somebody has set it: n8n leaves empty text or null where an expression gave nothing. */
export const isSet = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '';

/** A text parameter (or the value of a resource locator) that must not be empty; trimmed. */
export function requireText(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): string {
	const value = context.getNodeParameter(name, itemIndex, '', { extractValue: true });
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (text !== '' && text !== 'undefined' && text !== 'null') return text;
	return throwInput(
		context,
		itemIndex,
		`${label} is empty`,
		`Fill in ${label}. If it is an expression, check that the incoming item has the field it names.`,
	);
}

/** A JSON parameter: an object, or text that holds one; empty means `{}`. */
export function jsonObjectOption(
	context: IExecuteFunctions,
	itemIndex: number,
	value: unknown,
	label: string,
): IDataObject {
	if (!isSet(value)) return {};
	const parsed = typeof value === 'string' ? parse(context, itemIndex, value, label) : value;
	if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
		return parsed as IDataObject;
	}
	return throwInput(
		context,
		itemIndex,
		`${label} must be a JSON object`,
		'Write it as { "name": value }.',
	);
}

function parse(
	context: IExecuteFunctions,
	itemIndex: number,
	text: string,
	label: string,
): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		return throwInput(context, itemIndex, `${label} is not valid JSON`, (error as Error).message);
	}
}

/** A number above zero, or zero as well; the default where nothing is set. */
export function numberOption(
	context: IExecuteFunctions,
	itemIndex: number,
	options: IDataObject,
	{
		name,
		label,
		fallback,
		mayBeZero = false,
	}: { name: string; label: string; fallback: number; mayBeZero?: boolean },
): number {
	const value = options[name];
	if (!isSet(value)) return fallback;
	const number = Number(value);
	if (Number.isFinite(number) && (number > 0 || (mayBeZero && number === 0))) return number;
	return throwInput(
		context,
		itemIndex,
		`${label} must be ${mayBeZero ? 'zero or more' : 'a number above 0'}`,
	);
}
