import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { sniffImage } from '../shared/service/image';
import type { GenerateRequest, Part } from '../shared/service/textApi';
import { readReference, toReference } from '../shared/text/files';
import { FROM_URL } from './optionFields';

export const UNSENT = 'Nothing was sent for this item.';
const FILE_ADVICE = `The model accepts images, audio, video, PDF and text files. ${UNSENT}`;

/** The protocol takes 20 MB per request, and base64 makes the bytes a third larger. */
const MAX_FILES_BYTES = 15 * 1024 * 1024;

/** The types that every deployment takes as inline data. */
const TAKEN = /^(image|audio|video)\/|^(application\/pdf|text\/plain)$/;
/** Types of texts, which are all sent as `text/plain`. */
const TEXT =
	/^text\/|^application\/(.{1,100}\+)?(csv|x-csv|rtf|json|xml|yaml|x-yaml|toml|javascript|x-javascript|x-ndjson|sql)$/;
/** Image types whose files must be recognizable by their first bytes. */
const KNOWN_IMAGES = /^image\/(png|jpe?g|gif|webp|avif)$/;
const START_BYTES = 32;

/** Reads the binary fields that Input Binary Fields names, as parts that refer to them. */
export function readInputFiles(read: Reader): Part[] {
	const names = read.texts('inputBinaryFields').flatMap((text) => text.split(','));
	const isNamed = (name: string) => name.trim() !== '';
	return names.filter(isNamed).map((name) => ({ inlineData: { data: toReference(name.trim()) } }));
}

/**
 * Checks the files that a request refers to; returns the type of each, by its binary field.
 *
 * @param inputFiles the parts from Input Binary Fields; all others are from the conversation
 */
export async function checkFiles(
	read: Reader,
	context: IExecuteFunctions,
	{ contents }: GenerateRequest,
	inputFiles: Part[],
): Promise<Map<string, string>> {
	const types = new Map<string, string>();
	let room = MAX_FILES_BYTES;
	for (const part of contents.flatMap(({ parts }) => parts)) {
		const property = readReference(part);
		if (property === undefined) continue;
		const place = inputFiles.includes(part) ? 'Input Binary Fields' : 'Conversation';
		const refuseFile = (why: string) =>
			read.refuse(`The binary field "${property}" (${place}) ${why}`, FILE_ADVICE);
		const binary = read.binary(property, place);
		const declared = toDeclaredType(binary);
		if (declared !== '' && !TAKEN.test(declared)) {
			refuseFile(`has the unsupported type ${declared}`);
		}
		const { sizeBytes, start } = await probe(context, binary);
		room -= sizeBytes;
		if (room < 0) {
			read.refuse(
				`The files are larger than 15 MB in total, up to and including the binary field "${property}"`,
				`Make them smaller, or send fewer at once. ${UNSENT}`,
			);
		}
		if (sizeBytes === 0) refuseFile('is empty');
		// The first bytes are trusted more than the type that the item declares.
		const isPdf = start.toString('latin1', 0, 5) === '%PDF-';
		const mimeType = (isPdf ? 'application/pdf' : sniffImage(start)) ?? declared;
		if (mimeType === '') refuseFile('has no file type');
		if (KNOWN_IMAGES.test(mimeType) && !sniffImage(start)) refuseFile('does not contain an image');
		types.set(property, mimeType);
	}
	return types;
}

/** Returns the type that the item declares, in the protocol's words; empty if that says nothing. */
function toDeclaredType({ mimeType, fileName }: IBinaryData): string {
	const type = String(mimeType ?? '')
		.split(';')[0]
		.trim()
		.toLowerCase();
	if (type.endsWith('/octet-stream')) return '';
	// Browsers on a machine with Excel declare this type for a CSV file.
	const isCsv = type === 'application/vnd.ms-excel' && /\.csv$/i.test(fileName ?? '');
	return isCsv || TEXT.test(type) ? 'text/plain' : type;
}

/** Returns the size and the first bytes of a file; no more is read of a stored file. */
async function probe({ helpers }: IExecuteFunctions, { id, data }: IBinaryData) {
	if (!id) {
		const start = Buffer.from(data.slice(0, 2 * START_BYTES), 'base64');
		return { sizeBytes: Buffer.byteLength(data, 'base64'), start };
	}
	const { fileSize: sizeBytes } = await helpers.getBinaryMetadata(id);
	let start: Buffer = Buffer.alloc(0);
	for await (const chunk of await helpers.getBinaryStream(id)) {
		start = Buffer.concat([start, chunk as Buffer]);
		// Leaving the loop destroys the stream.
		if (start.length >= START_BYTES) break;
	}
	return { sizeBytes, start };
}

/** Returns the request with the bytes of files, loaded one by one, in place of references to them. */
export async function loadFiles(
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	body: GenerateRequest,
	mimeTypes: Map<string, string>,
): Promise<GenerateRequest> {
	const load = async (part: Part): Promise<Part> => {
		const property = readReference(part);
		if (property === undefined) return part;
		const mimeType = mimeTypes.get(property) ?? '';
		const bytes = await helpers.getBinaryDataBuffer(itemIndex, property);
		const sent = mimeType === 'text/plain' ? toUtf8(bytes) : bytes;
		return { ...part, inlineData: { mimeType, data: sent.toString('base64') } };
	};
	const contents: GenerateRequest['contents'] = [];
	for (const { role, parts } of body.contents) {
		const loaded: Part[] = [];
		for (const part of parts) loaded.push(await load(part));
		contents.push({ role, parts: loaded });
	}
	return { ...body, contents };
}

/** The encodings of UTF-16, by the mark at the start of a text. */
const UTF_16 = new Map([
	['fffe', 'utf-16le'],
	['feff', 'utf-16be'],
]);

/**
 * Converts a text to UTF-8; if it has no mark and is not UTF-8, it is most likely Latin-1. The
 * service takes only UTF-8, and its models read anything else as garbage.
 */
function toUtf8(bytes: Buffer): Buffer {
	const utf16 = UTF_16.get(bytes.toString('hex', 0, 2));
	if (utf16) return Buffer.from(new TextDecoder(utf16).decode(bytes));
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return bytes;
	} catch {
		return Buffer.from(new TextDecoder('windows-1252').decode(bytes));
	}
}

const MEDIA_TYPE = /^[a-z]{1,40}\/[\w.+*-]{1,100}$/i;

/** Reads `[{fileData: {fileUri, mimeType?}}]`: files that the vendor fetches itself. */
export function readFileUrls({ options }: Reader): Part[] {
	return options.rows('fileUrls').flatMap((row) => {
		const urls = row.texts('url').map((url) => url.trim());
		if (urls.length === 0 || urls.includes('')) {
			return row.refuse('URL is empty', `Fill in its address, or remove the row. ${UNSENT}`);
		}
		return urls.map((fileUri) => {
			const mimeType = readMediaType(row, fileUri);
			return { fileData: mimeType === '' ? { fileUri } : { fileUri, mimeType } };
		});
	});
}

function readMediaType(row: Reader, fileUri: string): string {
	const url = URL.canParse(fileUri) ? new URL(fileUri) : undefined;
	const shown = fileUri.slice(0, 200);
	if (!url || !['gs:', 'http:', 'https:'].includes(url.protocol)) {
		return row.refuse(
			`"${shown}" is not an address that the model can open`,
			`It must begin with https:// or gs://. To send a file of the item, use Input Binary Fields. ${UNSENT}`,
		);
	}
	const chosen = row.isSet('mediaType') ? row.text('mediaType') : FROM_URL;
	if (chosen !== FROM_URL) {
		if (MEDIA_TYPE.test(chosen)) return chosen;
		const advice = `It is "${chosen.slice(0, 50)}". ${UNSENT}`;
		return row.refuse('Media Type must be a type such as video/mp4', advice);
	}
	const message = `The type of the file cannot be detected from the URL "${shown}"`;
	return toMediaType(url) ?? row.refuse(message, `Choose its Media Type. ${UNSENT}`);
}

/** The types that the protocol takes and whose second half is a file extension. */
const TYPES = [
	...['audio/aac', 'audio/aiff', 'audio/flac', 'audio/mp3', 'audio/ogg', 'audio/wav'],
	...['image/bmp', 'image/gif', 'image/heic', 'image/heif', 'image/jpeg', 'image/png'],
	...['image/webp', 'text/css', 'text/csv', 'text/html', 'text/md', 'text/rtf', 'text/xml'],
	...['video/avi', 'video/mp4', 'video/mpeg', 'video/mpg', 'video/webm', 'video/wmv'],
];
const BY_EXTENSION = new Map([
	...TYPES.map((type): [string, string] => [type.split('/')[1], type]),
	['3gp', 'video/3gpp'],
	['aif', 'audio/aiff'],
	['flv', 'video/x-flv'],
	['htm', 'text/html'],
	['jpg', 'image/jpeg'],
	['js', 'text/javascript'],
	['json', 'application/json'],
	['m4a', 'audio/mp4'],
	['mov', 'video/quicktime'],
	['pdf', 'application/pdf'],
	['txt', 'text/plain'],
]);

const YOUTUBE = /^((www|m|music)\.)?(youtube\.com|youtube-nocookie\.com|youtu\.be)$/;
/** Matches the vendor's own file store, which knows the types of its files. */
const STORED = /^\/v1(beta)?\/files\/[^/]+$/;

/** Returns an address's media type: `''` if none is needed, `undefined` if the address tells none. */
export function toMediaType({ hostname, pathname }: URL): string | undefined {
	if (YOUTUBE.test(hostname)) return 'video/*';
	if (hostname === 'generativelanguage.googleapis.com' && STORED.test(pathname)) return '';
	const extension = /\.([a-z\d]{1,5})$/i.exec(pathname)?.[1] ?? '';
	return BY_EXTENSION.get(extension.toLowerCase());
}
