/** Of the signs around a value in JSON. */
const SIGN_BYTES = 4;

/** About as many bytes as a value has as JSON, without writing it down: it may hold whole files. */
export function countBytes(value: unknown): number {
	let bytes = 0;
	const open = [value];
	while (open.length > 0) {
		const one = open.pop();
		bytes += SIGN_BYTES;
		if (typeof one === 'string') bytes += Buffer.byteLength(one);
		else if (typeof one !== 'object' || one === null) bytes += SIGN_BYTES;
		else {
			for (const [name, inner] of Object.entries(one)) {
				if (!Array.isArray(one)) bytes += Buffer.byteLength(name);
				open.push(inner);
			}
		}
	}
	return bytes;
}
