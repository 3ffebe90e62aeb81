import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { toObjects } from '../shared/lib/json';
import { lastOutput } from '../shared/text/response';

const KINDS = new Map([
	['audio', ['a sound', 'sounds']],
	['image', ['an image', 'images']],
	['video', ['a video', 'videos']],
]);
const OTHER = ['a file', 'files'];

/**
 * What a chat is told of an answer: its text, else what its code has printed, else what it is. A
 * chat that is told nothing guesses that the workflow is set up wrongly.
 */
export function toChatWords(json: IDataObject, binary: IBinaryKeyData = {}): string {
	const text = String(json.text);
	if (text.trim() !== '') return text;
	const printed = lastOutput(toObjects(json.codeExecution)) ?? '';
	if (printed.trim() !== '') return printed;
	const files = countKinds(Object.values(binary).map(({ mimeType }) => mimeType));
	const addresses = toObjects(json.files).map(({ uri }) => `a file: ${String(uri)}`);
	const calls = toObjects(json.functionCalls).map(({ name }) => `a call of ${String(name)}`);
	const all = [...files, ...addresses, ...calls];
	return `(${all.length > 0 ? all.join(', ') : 'an answer without words'})`;
}

/** Such as `an image` and `2 sounds`. */
function countKinds(mimeTypes: string[]): string[] {
	const counts = new Map<string[], number>();
	for (const mimeType of mimeTypes) {
		const kind = KINDS.get(mimeType.split('/')[0]) ?? OTHER;
		counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	return [...counts].map(([[one, many], count]) => (count === 1 ? one : `${count} ${many}`));
}
