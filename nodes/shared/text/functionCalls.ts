import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';

/** Calls of functions that were declared through extra fields, with the signatures of their parts. */
export const readFunctionCalls = (parts: IDataObject[]): IDataObject[] =>
	parts.flatMap(({ functionCall, thoughtSignature }) => {
		if (!isObject(functionCall)) return [];
		return [{ ...functionCall, ...(typeof thoughtSignature === 'string' && { thoughtSignature }) }];
	});

/**
 * The turn of the model as the next request has to repeat it: models refuse a call of a function,
 * and the editing of an image, whose signature is lost on the way. `undefined` where a text says it
 * as well.
 */
export function toTurn(parts: IDataObject[]): IDataObject | undefined {
	const needed = parts.some(
		({ functionCall, thoughtSignature }) => isObject(functionCall) || Boolean(thoughtSignature),
	);
	return needed ? { role: 'model', parts } : undefined;
}
