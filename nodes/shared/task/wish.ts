import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { Run } from '../item/run';
import { isObject } from '../lib/json';

/** Parameters and options that say how to wait and what to do afterwards, not what to render. */
const NOT_WISHED = new Set([
	...['wait', 'downloadVideo', 'binaryProperty', 'dryRun', 'fileName', 'includeOtherFields'],
	...['link', 'maxVideos', 'maxWait', 'polling', 'rawResponse'],
]);

/**
 * Returns a fingerprint of the wish for one item: the parameters as the person wrote them (before
 * expressions, which may give a time or a random number at each try) and the incoming item, which
 * holds the input of an agent's tool call.
 */
export function toWish({ parameters, items, context, forAgent }: Run, itemIndex: number): string {
	const { options = {}, ...words } = parameters;
	const wished = [words, options as IDataObject].map((some) => {
		const those = Object.entries(some).filter(([name]) => !NOT_WISHED.has(name));
		// How a value was chosen from a list, and how the editor shows it, changes nothing.
		const valueOf = (given: unknown) => (isObject(given) && given.__rl ? given.value : given);
		return Object.fromEntries(those.map(([name, given]) => [name, valueOf(given)]));
	});
	const { json: given, binary } = items[itemIndex];
	// A failing item that comes back unchanged is the same wish.
	const json = { ...given, error: undefined };
	const files = Object.entries(binary ?? {}).map(([name, { id, data }]) => [name, id ?? data]);
	if (!forAgent) return fingerprint([...wished, json, files]);
	// Some agents also pass on their own item, and n8n puts a new ID into each call.
	const { $json } = context.getWorkflowDataProxy(itemIndex) as { $json?: IDataObject };
	const asked = [json, $json].map((item) => ({ ...item, toolCallId: undefined }));
	return fingerprint([...wished, asked]);
}

/** An agent's model may fill in the same values in another order. */
const inOrder = (_name: string, value: unknown) =>
	isObject(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;

export const fingerprint = (value: unknown) =>
	createHash('sha256')
		.update(JSON.stringify(value, inOrder) ?? '')
		.digest('hex')
		.slice(0, 16);
