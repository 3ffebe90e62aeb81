import type { IExecuteFunctions } from 'n8n-workflow';

import { probeFile } from '../../../nodes/GenerateContent/probeFile';
import { BYTES, makeStored } from './support/storedFile';

describe('probeFile', () => {
	it.each([
		[[50, 25], 1],
		[[0, 16, 16], 3],
		[[31], 2],
	])(
		'reads the start of a stored file in chunks of %j, then closes it',
		async (lengths, chunks) => {
			const { context, binary, seen } = makeStored(lengths);
			const { sizeBytes, start } = await probeFile(context, binary);
			expect([sizeBytes, start.subarray(0, 32)]).toEqual([100, BYTES.subarray(0, 32)]);
			expect(seen).toEqual({ chunks, closed: true });
		},
	);

	it('reads the start of a file inside the item', async () => {
		const binary = { data: BYTES.toString('base64'), mimeType: 'x/y' };
		const { sizeBytes, start } = await probeFile({} as IExecuteFunctions, binary);
		expect([sizeBytes, start.subarray(0, 32)]).toEqual([100, BYTES.subarray(0, 32)]);
	});
});
