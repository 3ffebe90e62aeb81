/** The header of a box of an MP4 (ISO/IEC 14496-12, section 4.2). */
export interface BoxHeader {
	type: string;
	headerBytes: number;
	/** The bytes of the whole box; `Infinity` if it goes on to the end of what it is in. */
	size: number;
}

/** Reads the header of a box; `undefined` if bytes of it are missing. */
export function readHeader(bytes: Buffer, at = 0): BoxHeader | undefined {
	if (bytes.length < at + 8) return undefined;
	const short = bytes.readUInt32BE(at);
	const headerBytes = short === 1 ? 16 : 8;
	if (bytes.length < at + headerBytes) return undefined;
	const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
	return { type: bytes.toString('latin1', at + 4, at + 8), headerBytes, size: size || Infinity };
}

export interface Box {
	type: string;
	body: Buffer;
}

/** In one place; real files have some dozens. 16 MB have room for two million (CVE-2017-9253). */
const MAX_BOXES = 10_000;

/** Yields the boxes that lie one after the other in these bytes, or those of one type. Goes no deeper. */
export function* boxesIn(bytes: Buffer, wanted?: string): Generator<Box, void> {
	// Less than a header at the end is no box: QuickTime ends some lists with a zero.
	for (let at = 0, boxes = 0, header; (header = readHeader(bytes, at));) {
		if (++boxes > MAX_BOXES)
			throw new RangeError(`one of its boxes contains more than ${MAX_BOXES} boxes`);
		const { type, headerBytes, size } = header;
		const end = Number.isFinite(size) ? at + size : bytes.length;
		if (size < headerBytes || end > bytes.length) {
			throw new RangeError(`the box ${JSON.stringify(type)} does not fit`);
		}
		if (type === (wanted ?? type)) yield { type, body: bytes.subarray(at + headerBytes, end) };
		at = end;
	}
}

/** Returns the first box at a path of types, one inside the other. */
export function findBox(bytes: Buffer, ...path: string[]): Buffer | undefined {
	let body: Buffer | undefined = bytes;
	for (const type of path) body = body && boxesIn(body, type).next().value?.body;
	return body;
}

/** Does the same, and throws if the box is missing. */
export function needBox(bytes: Buffer, ...path: string[]): Buffer {
	const found = findBox(bytes, ...path);
	if (!found) throw new RangeError(`the box ${path.join('/')} is missing`);
	return found;
}

/** Version and flags, which some boxes begin with. */
export const flagsOf = (body: Buffer) => body.readUInt32BE(0) & 0xffffff;

/** Reads so many numbers of 4 bytes each. */
export function numbersAt(body: Buffer, at: number, count: number): number[] {
	if (4 * count > body.length - at) throw new RangeError('a table is cut');
	return Array.from({ length: count }, (_, i) => body.readUInt32BE(at + 4 * i));
}

/** Reads the rows of a table, all in one list, behind the number of rows. */
export function rowsIn(body: Buffer, columns: number, most: number): number[] {
	const rows = body.readUInt32BE(4);
	if (rows > most) throw new RangeError('a table is too long');
	return numbersAt(body, 8, columns * rows);
}

export const u16 = (...values: number[]) => table(values, 2);
export const u32 = (...values: Array<number | number[]>) => table(values.flat(), 4);

/** Writes numbers one after the other, with so many bytes each. */
function table(values: number[], bytes: 2 | 4): Buffer {
	const out = Buffer.alloc(bytes * values.length);
	values.forEach((value, i) => out.writeUIntBE(value, bytes * i, bytes));
	return out;
}

/** Splits a number of 8 bytes into two of 4. */
export const halves = (value: number) => [Math.floor(value / 2 ** 32), value % 2 ** 32];

export function box(type: string, ...parts: Uint8Array[]): Buffer {
	const body = Buffer.concat(parts);
	return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

/** Makes a box that begins with a version (0) and flags. */
export const fullBox = (type: string, flags: number, ...parts: Uint8Array[]): Buffer =>
	box(type, u32(flags), ...parts);
