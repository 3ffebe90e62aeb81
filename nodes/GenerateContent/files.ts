import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { isSet, type Reader, toPlainText } from '../shared/item/reader';
import { isObject } from '../shared/lib/json';
import { sniffImage } from '../shared/service/image';
import type { Part } from '../shared/service/textApi';
import { readReference } from '../shared/text/files';
import type { Turn } from '../shared/text/request';
import { BY_ADDRESS } from './optionFields';

/** A binary field whose file was checked; the bytes are loaded for each request. */
export interface InputFile {
	property: string;
	binary: IBinaryData;
	sizeBytes: number;
	mimeType: string;
}

const UNSENT = 'Nothing was sent for this item.';
const FILE_ADVICE = `The model accepts images, audio, video, PDF and text files. ${UNSENT}`;

/** The protocol takes 20 MB per request, and base64 makes the bytes a third larger. */
const MAX_FILES_BYTES = 15 * 1024 * 1024;

/**
 * The types that the protocol takes as inline data. A type that matches `TEXT` is sent as
 * `text/plain`; `OTHER_NAMES` translates other names.
 */
const TAKEN = /^(image|audio|video|text)\/|^application\/pdf$/;
const TEXT =
	/^application\/(.{1,100}\+)?(json|xml|yaml|x-yaml|toml|javascript|x-javascript|x-ndjson|sql)$/;
const OTHER_NAMES = new Map([
	['application/csv', 'text/csv'],
	['application/x-csv', 'text/csv'],
	['application/rtf', 'text/rtf'],
	['application/octet-stream', ''],
	['binary/octet-stream', ''],
]);
/** Image types whose files must be recognizable by their first bytes. */
const KNOWN_IMAGES = /^image\/(png|jpe?g|gif|webp|avif)$/;
const START_BYTES = 32;

/** Checks the files in the binary fields that the parameter Input Binary Fields names. */
export async function readInputFiles(
	read: Reader,
	context: IExecuteFunctions,
): Promise<InputFile[]> {
	const given = Array.isArray(read.value('images'))
		? readTexts(read, 'images')
		: read.optionalText('images').split(',');
	const names = given.map((name) => name.trim()).filter((name) => name !== '');
	return await checkFiles(read, context, names, { place: 'Input Binary Fields' });
}

/**
 * Checks the files that earlier turns refer to, within the size that the question's files leave.
 */
export async function readTurnFiles(
	read: Reader,
	context: IExecuteFunctions,
	turns: Turn[],
	files: InputFile[],
): Promise<InputFile[]> {
	const names = turns.flatMap(({ parts }) => parts.map(readReference));
	const known = [...new Set(names.filter((name) => name !== undefined))];
	const taken = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
	const room = MAX_FILES_BYTES - taken;
	return await checkFiles(read, context, known, { place: 'Conversation (JSON)', room });
}

async function checkFiles(
	read: Reader,
	context: IExecuteFunctions,
	names: string[],
	{ place, room = MAX_FILES_BYTES }: { place: string; room?: number },
): Promise<InputFile[]> {
	const files: InputFile[] = [];
	for (const property of names) {
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
		if (mimeType === '') refuseFile('does not say what type of file it contains');
		if (KNOWN_IMAGES.test(mimeType) && !sniffImage(start)) refuseFile('does not contain an image');
		files.push({ property, binary, sizeBytes, mimeType });
	}
	return files;
}

/** Returns the type that the item declares, in the protocol's words; empty if that says nothing. */
function toDeclaredType({ mimeType, fileName }: IBinaryData): string {
	const type = String(mimeType ?? '')
		.split(';')[0]
		.trim()
		.toLowerCase();
	// Browsers on a machine with Excel declare this type for a CSV file.
	if (type === 'application/vnd.ms-excel' && /\.csv$/i.test(fileName ?? '')) return 'text/csv';
	return TEXT.test(type) ? 'text/plain' : (OTHER_NAMES.get(type) ?? type);
}

/** Returns the size and the first bytes of a file; a stored file is closed after its start. */
async function probe(
	{ helpers }: IExecuteFunctions,
	{ id, data }: IBinaryData,
): Promise<{ sizeBytes: number; start: Buffer }> {
	if (!id) {
		const start = Buffer.from(data.slice(0, 2 * START_BYTES), 'base64');
		return { sizeBytes: Buffer.byteLength(data, 'base64'), start };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	let start: Buffer = Buffer.alloc(0);
	for await (const chunk of await helpers.getBinaryStream(id)) {
		start = Buffer.concat([start, chunk as Buffer]);
		// Leaving the loop destroys the stream.
		if (start.length >= START_BYTES) break;
	}
	return { sizeBytes: fileSize, start };
}

/** Loads files as parts of a turn, one after the other. */
export async function loadFiles(context: IExecuteFunctions, files: InputFile[]): Promise<Part[]> {
	const parts: Part[] = [];
	for (const file of files) {
		const { mimeType } = file;
		const base64 = await loadBase64(context, file);
		const data = mimeType.startsWith('text/') ? toUtf8(base64) : base64;
		parts.push({ inlineData: { mimeType, data } });
	}
	return parts;
}

/** Returns the turns with the bytes of files in place of the references to them. */
export async function loadTurns(
	context: IExecuteFunctions,
	turns: Turn[],
	turnFiles: InputFile[],
): Promise<Turn[]> {
	if (turnFiles.length === 0) return turns;
	const loaded = await loadFiles(context, turnFiles);
	const known = new Map(turnFiles.map(({ property }, i) => [property, loaded[i]]));
	const load = (part: Part) => ({ ...part, ...known.get(readReference(part) ?? '') });
	return turns.map((turn) => ({ ...turn, parts: turn.parts.map(load) }));
}

/**
 * Loads a file as base64. A stored file is streamed, so that its bytes are never held beside their
 * base64; a file that has grown since it was checked is given up.
 */
async function loadBase64(
	{ helpers }: IExecuteFunctions,
	{ property, binary: { id, data }, sizeBytes }: InputFile,
): Promise<string> {
	if (!id) return data;
	const pieces: string[] = [];
	let readBytes = 0;
	let rest: Buffer = Buffer.alloc(0);
	for await (const chunk of await helpers.getBinaryStream(id)) {
		readBytes += (chunk as Buffer).length;
		// Leaving the loop destroys the stream.
		if (readBytes > sizeBytes) {
			throw new Error(
				`The binary field "${property}" (Input Binary Fields) has grown since it was checked. ${UNSENT}`,
			);
		}
		// Three bytes become four characters; one or two left over wait for the next chunk.
		const bytes: Buffer = Buffer.concat([rest, chunk as Buffer]);
		const whole = bytes.length - (bytes.length % 3);
		pieces.push(bytes.toString('base64', 0, whole));
		rest = bytes.subarray(whole);
	}
	return pieces.join('') + rest.toString('base64');
}

/**
 * Converts the base64 of a text to UTF-8 if the text begins with the mark of UTF-16, or is not
 * UTF-8 and then most likely Latin-1. The service takes only UTF-8, and its models read anything
 * else as garbage.
 */
function toUtf8(base64: string): string {
	const bytes = Buffer.from(base64, 'base64');
	const mark = bytes.toString('hex', 0, 2);
	const isUtf16 = mark === 'fffe' || mark === 'feff';
	if (!isUtf16 && isUtf8(bytes)) return base64;
	const encoding = isUtf16 ? (mark === 'fffe' ? 'utf-16le' : 'utf-16be') : 'windows-1252';
	return Buffer.from(new TextDecoder(encoding).decode(bytes)).toString('base64');
}

function isUtf8(bytes: Buffer): boolean {
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

const MEDIA_TYPE = /^[a-z]{1,40}\/[\w.+*-]{1,100}$/i;

/** Reads `[{fileData: {fileUri, mimeType?}}]`: files that the vendor fetches itself. */
export function readFileUrls({ options }: Reader): Part[] {
	readRows(options, 'fileUrls', 'files').forEach((row, i) => {
		if (!isObject(row)) options.refuse(`File URLs, row ${i + 1} must have a url`);
	});
	if (!options.isSet('fileUrls')) return [];
	return options.rows('fileUrls').flatMap((row) => {
		const urls = readTexts(row, 'url').map((url) => url.trim());
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
			`"${shown}" is no address that the model can open`,
			`It must begin with https:// or gs://. Send a file that n8n has through Input Binary Fields. ${UNSENT}`,
		);
	}
	const chosen = row.isSet('mediaType') ? row.text('mediaType') : BY_ADDRESS;
	if (chosen !== BY_ADDRESS) {
		if (MEDIA_TYPE.test(chosen)) return chosen;
		const advice = `It is "${chosen.slice(0, 50)}". ${UNSENT}`;
		return row.refuse('Media Type must be a type such as video/mp4', advice);
	}
	return (
		toMediaType(url) ??
		row.refuse(
			`The address "${shown}" does not say what type of file it is`,
			`Choose its Media Type. ${UNSENT}`,
		)
	);
}

/** Types that the protocol takes, by the file extension in an address. */
const BY_EXTENSION: Record<string, string> = {
	'3gp': 'video/3gpp',
	aac: 'audio/aac',
	aif: 'audio/aiff',
	aiff: 'audio/aiff',
	avi: 'video/avi',
	bmp: 'image/bmp',
	css: 'text/css',
	csv: 'text/csv',
	flac: 'audio/flac',
	flv: 'video/x-flv',
	gif: 'image/gif',
	heic: 'image/heic',
	heif: 'image/heif',
	htm: 'text/html',
	html: 'text/html',
	jpeg: 'image/jpeg',
	jpg: 'image/jpeg',
	js: 'text/javascript',
	json: 'application/json',
	m4a: 'audio/mp4',
	md: 'text/md',
	mov: 'video/quicktime',
	mp3: 'audio/mp3',
	mp4: 'video/mp4',
	mpeg: 'video/mpeg',
	mpg: 'video/mpg',
	ogg: 'audio/ogg',
	pdf: 'application/pdf',
	png: 'image/png',
	rtf: 'text/rtf',
	txt: 'text/plain',
	wav: 'audio/wav',
	webm: 'video/webm',
	webp: 'image/webp',
	wmv: 'video/wmv',
	xml: 'text/xml',
};

const YOUTUBE = /^((www|m|music)\.)?(youtube\.com|youtube-nocookie\.com|youtu\.be)$/;
/** Matches the vendor's own file store, which knows the types of its files. */
const STORED = /^\/v1(beta)?\/files\/[^/]+$/;

/**
 * Returns an address's media type: `''` if none is needed, `undefined` if the address tells none.
 */
export function toMediaType({ hostname, pathname }: URL): string | undefined {
	if (YOUTUBE.test(hostname)) return 'video/*';
	if (hostname === 'generativelanguage.googleapis.com' && STORED.test(pathname)) return '';
	const extension = /\.([a-z\d]{1,5})$/i.exec(pathname)?.[1].toLowerCase() ?? '';
	return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}

/** Reads a list of texts, or a single one. Empty texts are left out, and defaults are not used. */
export function readTexts(read: Reader, name: string): string[] {
	if (!read.isSet(name)) return [];
	const value = read.value(name);
	const texts = (Array.isArray(value) ? value : [value]).filter(isSet).map(toPlainText);
	const isText = (text: string | undefined) => text !== undefined;
	if (texts.every(isText)) return texts;
	return read.refuse(`${read.label(name)} must be text`, 'Enter one text, or an array of texts.');
}

/** Returns the rows of a fixed collection; checks that they are a list, but not the rows. */
export function readRows(read: Reader, name: string, group: string): unknown[] {
	const rows = read.object(name)[group] ?? [];
	if (Array.isArray(rows)) return rows;
	return read.refuse(`${read.label(name)} must be a list`, `Write it as { "${group}": [...] }.`);
}
