import type { IBinaryData } from 'n8n-workflow';

import { createMp4Check } from '../shared/download/mp4';
import { storeFile } from '../shared/download/storeFile';
import { type Failure, toInputFailure } from '../shared/item/failure';
import type { Run } from '../shared/item/run';
import type { Source } from '../shared/mp4/source';
import type { FilmFile } from '../shared/mp4/writeFilm';

/** Larger ones would be no faster; until they are collected, they take memory. */
const CHUNK_BYTES = 128 * 1024;

/** Opens a clip where n8n keeps it. A file that is inside the item itself has no ID, and no stream. */
export async function openSource(
	{ context: { helpers } }: Run,
	{ id, data, fileName }: IBinaryData,
	name: string,
): Promise<Source> {
	const label = fileName ? `${name} (${fileName})` : name;
	if (id === undefined) {
		const size = Buffer.byteLength(data, 'base64');
		return { label, size, open: () => onePiece(data) };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	return { label, size: fileSize, open: () => readStored() };

	async function* readStored() {
		yield* (await helpers.getBinaryStream(id!, CHUNK_BYTES)) as AsyncIterable<Uint8Array>;
	}
}

/** Decodes a clip only while it is read. */
async function* onePiece(base64: string) {
	yield Buffer.from(base64, 'base64');
}

/** Stores a film as it is made of its clips. */
export async function storeFilm(
	run: Run,
	film: FilmFile,
	fileName: string,
	mimeType: string,
): Promise<{ binary: IBinaryData } | { failure: Failure }> {
	try {
		return { binary: await storeFile(run, checked(run, film), fileName, mimeType) };
	} catch (error) {
		const failure = toInputFailure(error);
		// What is wrong with a clip comes with an advice.
		if (failure.description !== undefined) return { failure };
		const { message: description } = failure;
		return { failure: { message: NOT_STORED, description, retryable: true, next: 'retry' } };
	}
}

const NOT_STORED = 'n8n could not store the film';

/** Checks the film as it passes, as a download is checked: nothing else is stored. */
async function* checked({ signal }: Run, film: FilmFile) {
	const check = createMp4Check();
	for await (const piece of film.pieces()) {
		signal.throwIfAborted();
		check.feed(piece);
		yield piece;
	}
	if (!check.isWhole() || check.size() !== film.sizeBytes) {
		throw Object.assign(new Error('The film is not whole, so it was not stored'), {
			description: 'Please report this with the clips, if they can be shown.',
		});
	}
}
