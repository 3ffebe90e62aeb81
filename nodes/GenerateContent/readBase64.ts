import type { IExecuteFunctions } from 'n8n-workflow';

import type { InputFile } from './readFiles';

/**
 * A file as base64. A stored one is streamed, so that its bytes are never held beside their base64;
 * one that has grown since it was checked is given up.
 */
export async function readBase64(
	{ helpers }: IExecuteFunctions,
	{ property, binary: { id, data }, sizeBytes }: Omit<InputFile, 'mimeType'>,
): Promise<string> {
	if (!id) return data;
	const stream = await helpers.getBinaryStream(id);
	const pieces: string[] = [];
	let readBytes = 0;
	let rest: Buffer = Buffer.alloc(0);
	for await (const chunk of stream) {
		const bytes: Buffer = Buffer.concat([rest, chunk as Buffer]);
		readBytes += (chunk as Buffer).length;
		// Leaving the loop destroys the stream.
		if (readBytes > sizeBytes) {
			throw new Error(
				`The binary field "${property}" (Input Binary Fields) has grown since it was checked. Nothing was sent for this item.`,
			);
		}
		// Three bytes are four characters; what is left over waits for the next chunk.
		const whole = bytes.length - (bytes.length % 3);
		pieces.push(bytes.toString('base64', 0, whole));
		rest = bytes.subarray(whole);
	}
	return pieces.join('') + rest.toString('base64');
}
