import fc from 'fast-check';

import { gather, PIECE_BYTES } from '../../../../nodes/shared/download/storeVideo';

const makeBytes = (length: number, seed: number) =>
	Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 97) % 251);

/** Gathers chunks, before each of which so much time passes. */
async function play(chunks: Uint8Array[], stepMs = 0) {
	let nowMs = 0;
	async function* rest(): AsyncGenerator<Uint8Array, void> {
		for (const chunk of chunks) {
			nowMs += stepMs;
			yield chunk;
		}
	}
	const source = rest();
	const pieces: Array<{ bytes: Uint8Array; atMs: number }> = [];
	for await (const bytes of gather(await source.next(), source, { now: () => nowMs })) {
		pieces.push({ bytes, atMs: nowMs });
	}
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

describe('gather', () => {
	it('gives the same bytes in large pieces, each of a memory that stays what it is', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(chunkShape, { maxLength: 30 }), async (shapes) => {
				const made = shapes.map(makeChunk);
				const bytes = Buffer.concat(made.map(({ chunk }) => chunk));
				const pieces = await play(made.map(({ chunk }) => chunk));
				// Some storages look at the pieces when all of them are there.
				expect(Buffer.concat(pieces.map((piece) => piece.bytes)).equals(bytes)).toBe(true);
				const sizes = pieces.map((piece) => piece.bytes.length);
				expect(sizes.slice(0, -1).every((size) => size === PIECE_BYTES)).toBe(true);
				expect(new Set(pieces.map((piece) => piece.bytes.buffer)).size).toBe(pieces.length);
				for (const { transfer, isView } of made) {
					expect(transfer).toHaveBeenCalledTimes(isView ? 0 : 1);
				}
			}),
			{ numRuns: 50 },
		);
	});

	it('holds no byte for long, however slowly they come', async () => {
		const steps = 400;
		const pieces = await play(
			Array.from({ length: steps }, (_, i) => makeBytes(1024, i)),
			1_000,
		);
		const gaps = pieces.map(({ atMs }, i) => atMs - (pieces[i - 1]?.atMs ?? 0));
		expect(Math.max(...gaps)).toBeLessThanOrEqual(12_000);
		expect(pieces.length).toBeLessThan(steps / 5);
	});
});
