import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { readBase64 } from '../../../nodes/GenerateContent/readBase64';

const BYTES = Buffer.from(Array.from({ length: 100 }, (_, i) => i));

/** Reads the bytes above as a stored file that comes in chunks of these lengths, and the rest. */
async function readChunks(lengths: number[], maxBytes = 100) {
	const seen = { chunks: 0 };
	async function* toStream() {
		let at = 0;
		for (const length of [...lengths, BYTES.length]) {
			seen.chunks++;
			yield BYTES.subarray(at, at + length);
			at += length;
		}
	}
	const context = { helpers: { getBinaryStream: async () => toStream() } };
	const binary = { id: 'filesystem:1', data: 'filesystem', mimeType: 'x/y' } as IBinaryData;
	const read = await readBase64(context as unknown as IExecuteFunctions, binary, maxBytes);
	return { read, chunks: seen.chunks };
}

describe('readBase64', () => {
	it.each([[[]], [[1]], [[2, 2]], [[3, 4, 5]], [[1, 1, 1, 1]], [[0, 99]], [[98]]])(
		'gives the same for chunks of %j bytes',
		async (lengths) => {
			const { read } = await readChunks(lengths);
			expect(read).toEqual({ base64: BYTES.toString('base64'), sizeBytes: 100 });
		},
	);

	it('stops reading at the limit', async () => {
		expect(await readChunks([10, 10, 10], 15)).toEqual({ read: undefined, chunks: 2 });
	});

	it.each([
		[100, { base64: BYTES.toString('base64'), sizeBytes: 100 }],
		[99, undefined],
	])('takes a file inside the item up to %i bytes', async (maxBytes, result) => {
		const binary = { data: BYTES.toString('base64'), mimeType: 'x/y' };
		expect(await readBase64({} as IExecuteFunctions, binary, maxBytes)).toEqual(result);
	});
});
