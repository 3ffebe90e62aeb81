import fc from 'fast-check';

import { PIECE_BYTES, storeFile } from '../../../../nodes/shared/download/storeFile';
import { makeRun } from '../../../support/makeRun';
import { runs } from '../../../support/runs';

const makeBytes = (length: number, seed: number) =>
	Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 97) % 251);

const freed = new Set<ArrayBuffer>();
const own = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'transfer');
beforeAll(() => {
	const value = function (this: ArrayBuffer) {
		// Each memory is freed once.
		expect(freed.has(this)).toBe(false);
		freed.add(this);
		new Uint8Array(this).fill(0xff);
	};
	Object.defineProperty(ArrayBuffer.prototype, 'transfer', { configurable: true, value });
});
afterAll(() => {
	if (own) Object.defineProperty(ArrayBuffer.prototype, 'transfer', own);
	else delete (ArrayBuffer.prototype as { transfer?: unknown }).transfer;
});

/** Stores chunks; gives copies of the pieces. */
async function play(chunks: Uint8Array[]) {
	const pieces: Uint8Array[] = [];
	let last: Uint8Array | undefined;
	async function prepareBinaryData(content: AsyncIterable<Uint8Array>) {
		for await (const piece of content) {
			if (last?.length === PIECE_BYTES) expect(freed.has(last.buffer as ArrayBuffer)).toBe(true);
			// The storage takes its time, while the next piece is gathered.
			for (let turn = 0; turn < 100; turn++) await Promise.resolve();
			pieces.push(Uint8Array.from(piece));
			last = piece;
		}
		return {};
	}
	async function* source() {
		yield* chunks;
	}
	const run = makeRun({ more: { helpers: { prepareBinaryData } } });
	await storeFile(run, source(), { file_name: 'a.mp4', mime_type: 'video/mp4' });
	return pieces;
}

/** A chunk that is all of its memory, or a view on a part. */
function makeChunk({ size, isView }: { size: number; isView: boolean }, seed: number) {
	const memory = new Uint8Array(isView ? size + 7 : size);
	const chunk = memory.subarray(isView ? 3 : 0, isView ? 3 + size : size);
	chunk.set(makeBytes(size, seed));
	return { chunk, memory: memory.buffer, isView };
}

const chunkShape = fc.record({
	size: fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 0, max: 1_300_000 })),
	isView: fc.boolean(),
});

it('gathers chunks to the same bytes in large pieces, and frees memory when nobody needs it', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(chunkShape, { maxLength: 30 }), async (shapes) => {
			const made = shapes.map(makeChunk);
			const chunks = made.map(({ chunk }) => chunk);
			const bytes = Buffer.concat(chunks);
			const pieces = await play(chunks);
			expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
			const sizes = pieces.map(({ length }) => length);
			expect(sizes.slice(0, -1).every((size) => size === PIECE_BYTES)).toBe(true);
			expect(made.map(({ memory }) => freed.has(memory))).toEqual(
				made.map(({ isView }) => !isView),
			);
		}),
		{ numRuns: runs(20) },
	);
});

describe("in n8n's database", () => {
	const MIB = 1024 * 1024;

	/** Stores a file of so many MiB in a storage that takes whole files; gives the hints. */
	async function storeWhole(mib: number, store: () => Promise<object>) {
		const hints: string[] = [];
		async function prepareBinaryData(content: unknown) {
			if (!Buffer.isBuffer(content)) throw new TypeError('It takes no pieces');
			return await store();
		}
		async function* source() {
			yield new Uint8Array(mib * MIB);
		}
		const addExecutionHints = ({ message }: { message: string }) => hints.push(message);
		const run = makeRun({ more: { helpers: { prepareBinaryData }, addExecutionHints } });
		await storeFile(run, source(), { file_name: 'a.mp4', mime_type: 'video/mp4' });
		return hints;
	}

	it.each([
		[255, 'database', 0],
		[256, 'database', 1],
		[256, 's3', 0],
	])('a file of %i MiB in %s has %i hints', async (mib, data, count) => {
		expect(await storeWhole(mib, async () => ({ data }))).toHaveLength(count);
	});

	it('a file that is too large is refused with what to do', async () => {
		const refuse = async () => await Promise.reject(new Error('Connection terminated'));
		const advice =
			/^Connection terminated\. Where n8n stores files in its database, that carries .* N8N_DEFAULT_BINARY_DATA_MODE/;
		await expect(storeWhole(256, refuse)).rejects.toThrow(advice);
		await expect(storeWhole(1, refuse)).rejects.toThrow(/^Connection terminated$/);
	});
});
