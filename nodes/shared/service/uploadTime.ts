/** A slow line takes so many bytes a second: half a megabit. */
const BYTES_PER_SECOND = 64 * 1024;

/** What is sent in no time, beside the time-outs of this package. */
const SMALL_BYTES = 1024 ** 2;

/** Milliseconds that a body may take to be sent, over a slow line: files make it long. */
export const uploadMs = (body: unknown): number =>
	Math.ceil((Math.max(0, textLength(body) - SMALL_BYTES) / BYTES_PER_SECOND) * 1000);

/** Characters of all texts in a body. Files are base64 in it: its texts are nearly all of it. */
export function textLength(body: unknown): number {
	let length = 0;
	const open = [body];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') length += value.length;
		else if (typeof value === 'object' && value !== null) {
			// One by one: so many arguments as a long list has entries overflow the stack.
			for (const inner of Object.values(value)) open.push(inner);
		}
	}
	return length;
}
