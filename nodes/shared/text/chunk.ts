import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import { saysSomething } from './spelling';

/**
 * Whether an object is a chunk of an answer, or a whole one. A blocked prompt has no candidates; an
 * empty answer has a usage record at most.
 */
export function isGenerated(object: IDataObject): boolean {
	const { candidates, promptFeedback, usageMetadata } = object;
	if (Array.isArray(candidates) || isObject(promptFeedback)) return true;
	const hasCandidates = candidates !== undefined && candidates !== null;
	return isObject(usageMetadata) && !hasCandidates;
}

/** Whether there is more in it than the fields of an answer that has not begun. */
export const bringsSomething = ({ candidates, promptFeedback }: IDataObject) =>
	saysSomething(candidates) || saysSomething(promptFeedback);

/** Both shapes of an error; objects of no known shape may be a vendor's sign of life. */
export function tellsTrouble({ error, code, message, ...rest }: IDataObject): boolean {
	if ((isObject(error) || typeof error === 'string') && saysSomething(error)) return true;
	return code !== undefined && typeof message === 'string' && !isGenerated(rest);
}
