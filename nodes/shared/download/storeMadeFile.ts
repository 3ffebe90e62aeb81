import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { type Failure, readFailed } from '../failure/failure';
import type { MediaFile } from '../lib/mediaFile';
import type { Run } from '../n8n/run';
import { toLinkFields } from './link';
import { storeFile, type StoredFile } from './storeFile';

interface Made extends Pick<StoredFile, 'file_name' | 'mime_type'> {
	file: MediaFile;
	/** What messages call it. */
	shown: string;
	linkHours?: number;
}

/** Stores a file that a node has made. Resolves to it and its fields, or to why it is not stored. */
export async function storeMadeFile(
	run: Run,
	{ file, shown, linkHours, ...names }: Made,
): Promise<Failure | { fields: IDataObject; binary: IBinaryData }> {
	try {
		const { binary, size_bytes } = await storeFile(run, file.pieces(), names);
		const links = toLinkFields([binary], linkHours, run);
		return { binary, fields: { ...names, size_bytes, ...links } };
	} catch (error) {
		const failure = readFailed(error);
		// What is wrong with a file that it is made of comes with advice.
		if (failure.description !== undefined) return failure;
		const { message: description } = failure;
		return readFailed({ message: `n8n could not store ${shown}`, description });
	}
}
