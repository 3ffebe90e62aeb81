/** A fence may stand inside a text of the JSON, so the last one is tried as the end, too. */
const FENCES = [/```[a-z]*\s*\n?([\s\S]*?)```/i, /```[a-z]*\s*\n?([\s\S]*)```/i];

/**
 * Reads the JSON that a model wrote: the text itself, or what stands in its fence. Gives
 * `undefined` where neither is whole JSON.
 */
export function readJsonText(text: string): { json: unknown } | undefined {
	for (const candidate of [text, ...FENCES.map((fence) => fence.exec(text)?.[1])]) {
		const parsed = candidate === undefined ? undefined : tryParse(candidate);
		if (parsed) return parsed;
	}
	return undefined;
}

function tryParse(text: string): { json: unknown } | undefined {
	try {
		return { json: JSON.parse(text) };
	} catch {
		return undefined;
	}
}
