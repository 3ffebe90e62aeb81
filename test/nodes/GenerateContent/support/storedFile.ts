import type { IBinaryData } from 'n8n-workflow';

export const BYTES = Buffer.from(Array.from({ length: 100 }, (_, i) => i));

/**
 * The bytes above as a file in n8n's storage that comes in chunks of these lengths, and the rest.
 *
 * @param fileSize what n8n says of it
 */
export function makeStored(lengths: number[], fileSize = BYTES.length) {
	const seen = { opened: 0, closed: 0, chunks: [] as number[] };
	async function* toStream() {
		const own = seen.opened++;
		seen.chunks[own] = 0;
		let at = 0;
		try {
			for (const length of [...lengths, BYTES.length]) {
				seen.chunks[own]++;
				yield BYTES.subarray(at, at + length);
				at += length;
			}
		} finally {
			seen.closed++;
		}
	}
	const helpers = {
		getBinaryMetadata: async () => ({ fileSize }),
		getBinaryStream: async () => toStream(),
	};
	const binary: IBinaryData = { id: 'filesystem:1', data: 'filesystem', mimeType: 'audio/aac' };
	return { helpers, binary, seen };
}
