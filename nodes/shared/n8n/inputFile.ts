import type { IBinaryData } from 'n8n-workflow';

import { fileError, type InputFile } from '../lib/mediaFile';
import type { Run } from './run';

/** Larger ones would be no faster; until they are collected, they take memory. */
const CHUNK_BYTES = 128 * 1024;

/**
 * Finds a file of an item where n8n keeps it. One that is inside the item itself has no ID, and no stream.
 *
 * @param shown what messages call it
 * @param isOfTask the service has the file, too
 * @throws with advice if n8n's storage does not have it
 */
export async function findInputFile(
	{ context: { helpers }, signal }: Pick<Run, 'context' | 'signal'>,
	{ id, data, fileName }: IBinaryData,
	shown: string,
	isOfTask = false,
): Promise<InputFile> {
	const named = { name: fileName, label: fileName ? `${shown} (${fileName})` : shown };
	async function* pieces() {
		const stream =
			id === undefined
				? [Buffer.from(data, 'base64')]
				: await helpers.getBinaryStream(id, CHUNK_BYTES);
		for await (const piece of stream) {
			signal.throwIfAborted();
			yield piece as Uint8Array;
		}
	}
	if (id === undefined) return { ...named, sizeBytes: Buffer.byteLength(data, 'base64'), pieces };
	try {
		return { ...named, sizeBytes: (await helpers.getBinaryMetadata(id)).fileSize, pieces };
	} catch (error) {
		const message = `${named.label} cannot be read from n8n's storage: ${(error as Error).message}`;
		const advice = isOfTask
			? 'Video Download brings it again by its task ID, free.'
			: 'Run the node that made it once more.';
		throw fileError(message, advice);
	}
}
