import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

export interface Base64 {
	base64: string;
	/** Of the bytes that it stands for. */
	sizeBytes: number;
}

/**
 * A binary as base64, or `undefined` where it holds more than `maxBytes`. A stored file is streamed,
 * so that its bytes are never held beside their base64.
 */
export async function readBase64(
	{ helpers }: IExecuteFunctions,
	{ id, data }: IBinaryData,
	maxBytes: number,
): Promise<Base64 | undefined> {
	if (!id) {
		const sizeBytes = Buffer.byteLength(data, 'base64');
		return sizeBytes > maxBytes ? undefined : { base64: data, sizeBytes };
	}
	const stream = await helpers.getBinaryStream(id);
	const pieces: string[] = [];
	let sizeBytes = 0;
	let rest: Buffer = Buffer.alloc(0);
	for await (const chunk of stream) {
		const bytes: Buffer = Buffer.concat([rest, chunk as Buffer]);
		sizeBytes += (chunk as Buffer).length;
		// Leaving the loop destroys the stream.
		if (sizeBytes > maxBytes) return undefined;
		// Three bytes are four characters; what is left over waits for the next chunk.
		const whole = bytes.length - (bytes.length % 3);
		pieces.push(bytes.toString('base64', 0, whole));
		rest = bytes.subarray(whole);
	}
	return { base64: pieces.join('') + rest.toString('base64'), sizeBytes };
}
