const FOREIGN = /[^\w+/-]/;

/**
 * Whether a text is base64, in its usual or its URL-safe letters. Looks for one letter that is not: a
 * loop over all of them takes stack for each letter once V8 has stopped optimizing patterns, which it
 * does in a process that has run for some time, and overflows on a picture of some MB.
 */
export function isBase64(text: string): boolean {
	const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
	const letters = text.slice(0, text.length - padding);
	return letters !== '' && !FOREIGN.test(letters);
}
