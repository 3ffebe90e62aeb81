import type { IDataObject } from 'n8n-workflow';

import type { Reader } from './reader';

/** Fields of the incoming item that its result passes on, where Include Other Input Fields is on. */
export type Carried = IDataObject | undefined;

/**
 * What of the incoming item goes into its result, beside the node's own fields. One that the node
 * gives now and then is never passed on: what an earlier state had said would pass for news. Neither
 * is `error`, which makes a failing item.
 */
export function readCarried({ input, options }: Reader, own: readonly string[]): Carried {
	if (!options.boolean('includeOtherFields')) return undefined;
	const others = Object.entries(input.json).filter(
		([name]) => name !== 'error' && !own.includes(name),
	);
	return Object.fromEntries(others);
}
