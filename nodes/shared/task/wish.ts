import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { isObject } from '../lib/json';
import type { Trouble } from '../service/trouble';

export type PaidTask = { task_id: string; submitted_at?: number; failedIn?: string };
/** Whose it is: the execution that paid, and what was wanted, in the person's words and as sent. */
export type PaidEntry = { executionId: string; wish: string; request: string } & (
	PaidTask | { unclear: Trouble }
);

/** Parameters and options that say how to wait and what to do then, not what to render. */
const NOT_WISHED = new Set([
	...['wait', 'downloadVideo', 'simplify'],
	...['allowPrivateAddresses', 'binaryProperty', 'concurrency', 'dryRun'],
	...['headStart', 'includeOtherFields', 'link', 'maxSize', 'maxVideos', 'maxWait', 'onTimeout'],
	...['pollInterval', 'reuseTask', 'streamProgress'],
]);

/**
 * What a person wants of one item: the words that they wrote (the parameters before expressions) and
 * the incoming item. It stays the same where an expression gives something else at each try, such as
 * a time or a random number; an edited prompt is another wish.
 *
 * @param notWished names of parameters and options that make no difference
 */
export function toWish(
	parameters: IDataObject,
	{ json, binary }: INodeExecutionData,
	notWished = NOT_WISHED,
): string {
	const { options, ...words } = parameters;
	const files = Object.entries(binary ?? {}).map(([name, { id, data }]) => [name, id ?? data]);
	const wished = [words, options as IDataObject].map((some) => without(notWished, some));
	return fingerprint([...wished, json, files]);
}

const without = (names: Set<string>, words: IDataObject | undefined) =>
	Object.entries(words ?? {})
		.filter(([name]) => !names.has(name))
		.map(([name, value]) => [name, withoutLook(value)] as const)
		.sort(([a], [b]) => (a < b ? -1 : 1));

/** Of a value from a list: not how it was chosen, nor what the editor shows of it. */
const withoutLook = (value: unknown) => (isObject(value) && value.__rl ? value.value : value);

export const fingerprint = (value: unknown) =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
