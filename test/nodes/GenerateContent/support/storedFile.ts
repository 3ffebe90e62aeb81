import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

export const BYTES = Buffer.from(Array.from({ length: 100 }, (_, i) => i));

/** The bytes above as a file in n8n's storage that comes in chunks of these lengths, and the rest. */
export function makeStored(lengths: number[]) {
	const seen = { chunks: 0, closed: false };
	async function* toStream() {
		let at = 0;
		try {
			for (const length of [...lengths, BYTES.length]) {
				seen.chunks++;
				yield BYTES.subarray(at, at + length);
				at += length;
			}
		} finally {
			seen.closed = true;
		}
	}
	const helpers = {
		getBinaryMetadata: async () => ({ fileSize: BYTES.length }),
		getBinaryStream: async () => toStream(),
	};
	const binary = { id: 'filesystem:1', data: 'filesystem', mimeType: 'x/y' } as IBinaryData;
	return { context: { helpers } as unknown as IExecuteFunctions, binary, seen };
}
