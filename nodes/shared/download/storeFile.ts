import type { IBinaryData } from 'n8n-workflow';

import type { Readable } from '../http/answer';
import { extensionsOf, kindOf } from '../lib/mediaType';
import { sentences } from '../lib/text';
import type { Run } from '../n8n/run';

export interface StoredFile {
	binary: IBinaryData;
	file_name: string;
	mime_type: string;
	size_bytes: number;
}

/** Each piece that is stored takes the storage a turn of n8n's one thread; chunks have 64 KB or less. */
export const PIECE_BYTES = 512 * 1024;

/**
 * PostgreSQL takes more, but n8n cannot read it again, and waits without end: the driver reads two digits
 * per byte as one text (pg-protocol in n8n 2.41), and the longest text of V8 has 2^29 - 24 characters.
 */
const MAX_DATABASE_BYTES = 255 * 1024 * 1024;
const DATABASE_CARRIES =
	'Where n8n stores files in its database, that carries up to 255 MiB. For larger ones, set N8N_DEFAULT_BINARY_DATA_MODE to another storage.';

/**
 * Stores a file in n8n's storage while its chunks come. n8n's file system takes any iterable; its other
 * storages (memory, database, S3, Azure) reject one before they read it, and get the whole file instead.
 *
 * @throws what the chunks or the storage throw
 */
export async function storeFile(
	{ context: { helpers }, report }: Run,
	chunks: AsyncGenerator<Uint8Array, void>,
	{ file_name, mime_type }: Pick<StoredFile, 'file_name' | 'mime_type'>,
): Promise<StoredFile> {
	let size_bytes = 0;
	let isRead = false;
	async function* pieces() {
		isRead = true;
		const source = gather(chunks);
		try {
			for (let next = await source.next(); !next.done;) {
				const piece = next.value;
				size_bytes += piece.length;
				// The next piece comes while the storage writes this one.
				const coming = source.next();
				// It is awaited below, unless the storage fails first.
				coming.catch(() => {});
				yield piece;
				// The storage has written a piece when it asks for the next one.
				free(piece);
				next = await coming;
			}
		} finally {
			await source.return();
		}
	}
	const store = async (content: Buffer | Readable) =>
		await helpers.prepareBinaryData(content, file_name, mime_type);
	const storeWhole = async (whole: Buffer) => {
		if (whole.length <= MAX_DATABASE_BYTES) return await store(whole);
		const stored = await store(whole).catch(({ message }: Error) => {
			throw new Error(sentences(message, DATABASE_CARRIES));
		});
		if (stored.data === 'database')
			report.hint(`n8n may be unable to read ${file_name} again. ${DATABASE_CARRIES}`, 'warning');
		return stored;
	};
	const binary = await store(pieces() as unknown as Readable).catch(async (error: unknown) => {
		if (isRead || !(error instanceof TypeError)) throw error;
		const all: Uint8Array[] = [];
		for await (const chunk of chunks) all.push(chunk);
		const whole = Buffer.concat(all);
		size_bytes = whole.length;
		return await storeWhole(whole);
	});
	// A storage that kept the pieces would have written less.
	const { bytes = size_bytes } = binary;
	if (bytes !== size_bytes) throw new Error(`It wrote ${bytes} of ${size_bytes} bytes`);
	return { binary, file_name, mime_type, size_bytes };
}

/** Copies chunks into pieces, each in memory of its own, and frees the chunks. */
async function* gather(chunks: AsyncIterable<Uint8Array>) {
	// Unpooled, because Node.js writes other data into pooled memory.
	let piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
	let used = 0;
	for await (const chunk of chunks) {
		for (let at = 0; at < chunk.length;) {
			const part = chunk.subarray(at, at + PIECE_BYTES - used);
			piece.set(part, used);
			used += part.length;
			at += part.length;
			if (used < PIECE_BYTES) continue;
			yield piece;
			piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
			used = 0;
		}
		free(chunk);
	}
	if (used > 0) yield piece.subarray(0, used);
}

/**
 * Frees bytes that are their whole buffer. Each 50 MB left to the garbage collector have it look
 * through all of n8n's memory. Does nothing before Node.js 22.
 */
function free({ buffer, byteLength }: Uint8Array): void {
	if (byteLength !== buffer.byteLength) return;
	(buffer as { transfer?: (bytes: number) => unknown }).transfer?.(0);
}

const MAX_NAME_CHARS = 150;
/** The most that is cleaned: long names of files have stalled a parser of forms (CVE-2026-8159). */
const MAX_READ_CHARS = 1_000;
/** "Version 2.10" has none. */
const EXTENSION =
	/(?<=.)\.(mp4|m4v|mov|qt|webm|mkv|avi|ts|m2ts|mts|mpe?g|m2v|vob|3gp|ogv|flv|f4v|wmv|asf|mxf|(png|jpe?g|gif|webp|avif|hei[cf]|svg|mp3|m4a|wav|aiff?|og[ga]|opus|flac|aac))$/i;

/**
 * Returns a file name with an extension, and without a path or characters that are reserved. A video keeps
 * the one that a person gave it.
 *
 * @param number of a further file of the same task, from 1 up
 */
export function toFileName(wanted: string, task_id: string, type: string, number = 0): string {
	const name = clean(wanted) || clean(task_id) || (kindOf(type) ?? 'video');
	const [given = '', word, ofOther] = EXTENSION.exec(name) ?? [];
	const [first, ...others] = extensionsOf(type);
	const isRight =
		kindOf(type) === 'video'
			? word && !ofOther
			: [first, ...others].includes(word?.toLowerCase() ?? '');
	const extension = isRight ? given : `.${first}`;
	// By characters: n8n cannot encode half of one into a file's header.
	const stem = [...name.replace(EXTENSION, '')].slice(0, MAX_NAME_CHARS).join('');
	return stem + (number > 0 ? `-${number}` : '') + extension;
}

const clean = (name: string) =>
	name
		.slice(0, MAX_READ_CHARS)
		// The two joiners belong to Persian and to emoji.
		.replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Surrogate}<>:"/\\|?*])+/gu, '_')
		// File systems hide or strip these characters at the edges of a name.
		.replace(/^[.\s]+|[.\s]+$/g, '');
