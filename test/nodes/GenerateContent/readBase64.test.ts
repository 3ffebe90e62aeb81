import type { IExecuteFunctions } from 'n8n-workflow';

import { readBase64 } from '../../../nodes/GenerateContent/readBase64';
import { BYTES, makeStored } from './support/storedFile';

const property = 'data';

/** Reads a stored file that comes in chunks of these lengths, and the rest. */
async function read(lengths: number[], sizeBytes = BYTES.length) {
	const { context, binary, seen } = makeStored(lengths);
	const base64 = await readBase64(context, { property, binary, sizeBytes }).catch(String);
	return { base64, chunks: seen.chunks };
}

describe('readBase64', () => {
	it.each([[[]], [[1]], [[2, 2]], [[3, 4, 5]], [[1, 1, 1, 1]], [[0, 99]], [[98]]])(
		'gives the same for chunks of %j bytes',
		async (lengths) => {
			expect((await read(lengths)).base64).toBe(BYTES.toString('base64'));
		},
	);

	it('gives up a file that has grown since it was checked', async () => {
		expect(await read([10, 10, 10], 15)).toEqual({
			base64: expect.stringContaining('"data" (Input Binary Fields) has grown since'),
			chunks: 2,
		});
	});

	it('takes a file inside the item as it is', async () => {
		const binary = { data: BYTES.toString('base64'), mimeType: 'x/y' };
		const file = { property, binary, sizeBytes: BYTES.length };
		expect(await readBase64({} as IExecuteFunctions, file)).toBe(binary.data);
	});
});
