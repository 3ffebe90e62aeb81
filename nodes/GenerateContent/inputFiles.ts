import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { sniffImage } from '../shared/service/image';
import { readReference, toReference } from '../shared/text/answerFiles';
import type { GenerateRequest, Turn } from '../shared/text/askText';
import { FROM_URL } from './optionFields';

export const UNSENT = 'Nothing was sent for this item.';
const FILE_ADVICE = `The model accepts images, audio, video, PDF and text files. ${UNSENT}`;

/** The protocol takes 20 MB per request, and base64 makes the bytes a third larger. */
const MAX_FILES_BYTES = 15 * 1024 * 1024;

/** The types that every deployment takes as inline data. */
const TAKEN = /^(image|audio|video)\/|^(application\/pdf|text\/plain)$/;
const UNKNOWN = 'application/octet-stream';
/** Types of texts, which are all sent as `text/plain`. */
const TEXT =
	/^text\/|^application\/(.{1,100}\+)?(csv|x-csv|rtf|json|xml|yaml|x-yaml|toml|javascript|x-javascript|x-ndjson|sql)$/;

/** Reads the binary fields that Input Binary Fields names, as parts that refer to them. */
export function readInputFiles(read: Reader): IDataObject[] {
	const names = read.texts('inputBinaryFields').flatMap((text) => text.split(','));
	const isNamed = (name: string) => name.trim() !== '';
	return names.filter(isNamed).map((name) => ({ inlineData: { data: toReference(name.trim()) } }));
}

/**
 * Checks the files that a request refers to, by what the item says of them.
 *
 * @param inputFiles the parts from Input Binary Fields; all others are from the conversation
 */
export async function checkFiles(
	read: Reader,
	{ helpers }: IExecuteFunctions,
	{ contents }: GenerateRequest,
	inputFiles: IDataObject[],
): Promise<void> {
	let room = MAX_FILES_BYTES;
	for (const part of contents.flatMap(({ parts }) => parts)) {
		const property = readReference(part);
		if (property === undefined) continue;
		const place = inputFiles.includes(part) ? 'Input Binary Fields' : 'Conversation';
		const binary = read.binary(property, place);
		const { id, data } = binary;
		const type = toDeclaredType(binary);
		const sizeBytes = id
			? (await helpers.getBinaryMetadata(id)).fileSize
			: Buffer.byteLength(data, 'base64');
		room -= sizeBytes;
		const isUnfit = type !== UNKNOWN && !TAKEN.test(type);
		if (isUnfit || sizeBytes === 0) {
			const why = isUnfit ? `has the unsupported type ${type}` : 'is empty';
			read.refuse(`The binary field "${property}" (${place}) ${why}`, FILE_ADVICE);
		}
		if (room < 0) {
			read.refuse(
				`The files are larger than 15 MB in total, up to and including the binary field "${property}"`,
				`Make them smaller, send fewer at once, or add a link to the file to ${read.options.label('fileUrls')}, if your service passes links on to the model. ${UNSENT}`,
			);
		}
	}
}

/** Returns the type that the item declares, in the protocol's words; `UNKNOWN` if that says nothing. */
function toDeclaredType({ mimeType, fileName }: IBinaryData): string {
	const [named] = String(mimeType ?? '').split(';');
	const type = named.trim().toLowerCase() || UNKNOWN;
	if (type.endsWith('/octet-stream')) return UNKNOWN;
	// Browsers on a machine with Excel declare this type for a CSV file.
	const isCsv = type === 'application/vnd.ms-excel' && /\.csv$/i.test(fileName ?? '');
	return isCsv || TEXT.test(type) ? 'text/plain' : type;
}

/** Returns the request with the bytes of files in place of references to them. */
export async function loadFiles(
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	body: GenerateRequest,
): Promise<GenerateRequest> {
	const load = async (part: IDataObject): Promise<IDataObject> => {
		const property = readReference(part);
		if (property === undefined) return part;
		const bytes = await helpers.getBinaryDataBuffer(itemIndex, property);
		const isPdf = bytes.toString('latin1', 0, 5) === '%PDF-';
		const declared = toDeclaredType(helpers.assertBinaryData(itemIndex, property));
		// The first bytes are trusted more than the type that the item declares.
		const found = isPdf ? 'application/pdf' : sniffImage(bytes);
		const mimeType = found ?? declared;
		const sent = mimeType === 'text/plain' ? toUtf8(bytes) : bytes;
		return { ...part, inlineData: { mimeType, data: sent.toString('base64') } };
	};
	const loadTurn = async (turn: Turn) => ({
		...turn,
		parts: await Promise.all(turn.parts.map(load)),
	});
	const contents = await Promise.all(body.contents.map(loadTurn));
	return { ...body, contents };
}

/** Converts a text to UTF-8: models read anything else as garbage. Excel writes three encodings. */
function toUtf8(bytes: Buffer): Buffer {
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return bytes;
	} catch {
		const isUtf16 = bytes.toString('hex', 0, 2) === 'fffe';
		return Buffer.from(new TextDecoder(isUtf16 ? 'utf-16le' : 'windows-1252').decode(bytes));
	}
}

/** Reads `[{fileData: {fileUri, mimeType?}}]`: files that the vendor fetches itself. */
export function readFileUrls({ options }: Reader): IDataObject[] {
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
	if (chosen !== FROM_URL) return chosen;
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
