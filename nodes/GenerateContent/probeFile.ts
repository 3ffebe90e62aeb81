import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

/** What tells whether a file can be sent. */
export interface Probe {
	sizeBytes: number;
	/** The first bytes, by which types are told. */
	start: Buffer;
}

const START_BYTES = 32;

/** Looks at a file without holding its bytes: a stored one is opened, and closed after its start. */
export async function probeFile(
	{ helpers }: IExecuteFunctions,
	{ id, data }: IBinaryData,
): Promise<Probe> {
	if (!id) {
		const start = Buffer.from(data.slice(0, 2 * START_BYTES), 'base64');
		return { sizeBytes: Buffer.byteLength(data, 'base64'), start };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	return { sizeBytes: fileSize, start: await readStart(await helpers.getBinaryStream(id)) };
}

async function readStart(stream: AsyncIterable<unknown>): Promise<Buffer> {
	let start: Buffer = Buffer.alloc(0);
	for await (const chunk of stream) {
		start = Buffer.concat([start, chunk as Buffer]);
		// Leaving the loop destroys the stream.
		if (start.length >= START_BYTES) break;
	}
	return start;
}
