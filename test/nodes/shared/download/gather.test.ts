import fc from 'fast-check';

import { gather, PIECE_BYTES } from '../../../../nodes/shared/download/storeFile';
import { bodyOf } from './support/body';

const makeBytes = (length: number, seed: number) =>
	Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 97) % 251);

async function play(chunks: Uint8Array[]) {
	const pieces: Uint8Array[] = [];
	for await (const piece of gather(bodyOf(chunks, false))) pieces.push(piece);
	return pieces;
}

/** A chunk that is all of its memory, or a view on a part; tells what becomes of the memory. */
function makeChunk({ size, isView }: { size: number; isView: boolean }, seed: number) {
	const memory = new Uint8Array(isView ? size + 7 : size);
	const chunk = memory.subarray(isView ? 3 : 0, isView ? 3 + size : size);
	chunk.set(makeBytes(size, seed));
	const transfer = jest.fn(() => void memory.fill(0xff));
	Object.defineProperty(memory.buffer, 'transfer', { value: transfer });
	return { chunk, transfer, isView };
}

const chunkShape = fc.record({
	size: fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 0, max: 1_300_000 })),
	isView: fc.boolean(),
});

it('gathers chunks to the same bytes in large pieces, each of a memory that stays what it is', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(chunkShape, { maxLength: 30 }), async (shapes) => {
			const made = shapes.map(makeChunk);
			const bytes = Buffer.concat(made.map(({ chunk }) => chunk));
			const pieces = await play(made.map(({ chunk }) => chunk));
			// Some storages look at the pieces when all of them are there.
			expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
			const sizes = pieces.map(({ length }) => length);
			expect(sizes.slice(0, -1).every((size) => size === PIECE_BYTES)).toBe(true);
			expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length);
			for (const { transfer, isView } of made) {
				expect(transfer).toHaveBeenCalledTimes(isView ? 0 : 1);
			}
		}),
		{ numRuns: 50 },
	);
});
