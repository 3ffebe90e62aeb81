import type { IBinaryData } from 'n8n-workflow';

import { storeFile } from '../shared/download/storeFile';
import { type Failure, toInputFailure } from '../shared/item/failure';
import type { Run } from '../shared/item/run';
import { startOf } from '../shared/lib/text';
import { createMp4Check } from '../shared/mp4/mp4Check';
import { refuse, type Source } from '../shared/mp4/source';
import type { FilmFile } from '../shared/mp4/writeFilm';

export const MIME_TYPE = 'video/mp4';
const MAX_NAME_CHARS = 100;
/** Larger ones would be no faster; until they are collected, they take memory. */
const CHUNK_BYTES = 128 * 1024;

/** Opens a clip where n8n keeps it. A file that is inside the item itself has no ID, and no stream. */
export async function openSource(
	{ context: { helpers }, signal }: Run,
	{ id, data, fileName }: IBinaryData,
	name: string,
): Promise<Source> {
	const label = fileName ? `${name} (${startOf(fileName, MAX_NAME_CHARS)})` : name;
	const metadata = id === undefined ? undefined : helpers.getBinaryMetadata(id);
	const stored = await metadata?.catch(({ message }: Error) => {
		const advice = 'Run the node that made it once more.';
		return refuse(`${label} cannot be read from n8n's storage: ${message}`, advice);
	});
	return { label, size: stored?.fileSize ?? Buffer.byteLength(data, 'base64'), open };

	async function* open() {
		const pieces =
			id === undefined
				? [Buffer.from(data, 'base64')]
				: await helpers.getBinaryStream(id, CHUNK_BYTES);
		for await (const piece of pieces) {
			signal.throwIfAborted();
			yield piece as Uint8Array;
		}
	}
}

/** Stores a film as it is made of its clips. */
export async function storeFilm(
	run: Run,
	film: FilmFile,
	fileName: string,
): Promise<{ binary: IBinaryData } | { failure: Failure }> {
	try {
		return { binary: await storeFile(run, checked(film), fileName, MIME_TYPE) };
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
async function* checked(film: FilmFile): AsyncGenerator<Uint8Array, void> {
	const check = createMp4Check();
	for await (const piece of film.pieces()) {
		check.feed(piece);
		yield piece;
	}
	if (check.isWhole() && check.size() === film.sizeBytes) return;
	refuse('The film is not whole, so it was not stored', 'Please report this with its clips.');
}
