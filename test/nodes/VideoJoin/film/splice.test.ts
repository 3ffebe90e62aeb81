import * as fc from 'fast-check';

import { createCursor } from '../../../../nodes/VideoJoin/film/clipFile';
import { spliced } from '../../../../nodes/VideoJoin/film/splice';
import { toFile } from './support/madeClip';

// How a picture of H.265 follows another clip. Films of x265 are in the engine's tests.

const CRA = 21;
const BLA = 16;
const IDR = 19;

async function splice(bytes: Buffer): Promise<Buffer> {
	const cursor = createCursor(toFile(bytes));
	const parts: Uint8Array[] = [];
	for await (const part of spliced(cursor, bytes.length)) parts.push(part);
	return Buffer.concat(parts);
}

it('changes the type of each slice of the picture with which a clip of H.265 begins', async () => {
	const unit = (type: number, bytes: number) => {
		const one = Buffer.alloc(4 + bytes, 0x2a);
		one.writeUInt32BE(bytes);
		one[4] = (type << 1) | 1;
		return one;
	};
	const picture = (type: number) => Buffer.concat([unit(39, 5), unit(type, 2000), unit(type, 7)]);
	expect((await splice(picture(CRA))).equals(picture(BLA))).toBe(true);
	expect((await splice(picture(IDR))).equals(picture(IDR))).toBe(true);
});

it('gives back as many bytes as there are, whatever they are', async () => {
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (bytes) => {
			expect(await splice(Buffer.from(bytes))).toHaveLength(bytes.length);
		}),
	);
	const zeros = Buffer.alloc(100_000);
	expect((await splice(zeros)).equals(zeros)).toBe(true);
});
