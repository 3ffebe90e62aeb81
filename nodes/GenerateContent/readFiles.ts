import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { sniffImage } from '../shared/service/image';
import { readReference } from '../shared/text/files';
import type { Turn } from '../shared/text/request';
import { type Probe, probeFile } from './probeFile';
import { readTexts } from './readLists';

const FILE_ADVICE =
	'The model accepts images, audio, video, PDF and text files. Nothing was sent for this item.';

/** Where the names of fields stand, and how many bytes others have left of the request. */
export interface FilesWanted {
	names: string[];
	/** As the editor calls it. */
	place: string;
	roomBytes?: number;
}

/** The protocol takes 20 MB a request, and base64 makes a third more of the bytes. */
const MAX_FILES_BYTES = 15 * 1024 * 1024;

/** What the protocol takes as inline data; text by another name goes as text. */
const TAKEN = /^(image|audio|video|text)\/|^application\/pdf$/;
const TEXT =
	/^application\/(.{1,100}\+)?(json|xml|yaml|x-yaml|javascript|x-javascript|x-ndjson|sql)$/;
const NO_TYPE = ['', 'application/octet-stream', 'binary/octet-stream'];

/** Images that the first bytes tell. */
const KNOWN_IMAGES = /^image\/(png|jpe?g|gif|webp|avif)$/;

export interface InputFile {
	property: string;
	binary: IBinaryData;
	sizeBytes: number;
	mimeType: string;
}

/** The files of the parameter for files. */
export const readInputFiles = async (read: Reader, context: IExecuteFunctions) =>
	await readFiles(read, context, { names: readNames(read), place: 'Input Binary Fields' });

/** The files that earlier turns refer to, within what the files of the question leave. */
export async function readTurnFiles(
	read: Reader,
	context: IExecuteFunctions,
	turns: Turn[],
	files: InputFile[],
): Promise<InputFile[]> {
	const all = turns.flatMap(({ parts }) => parts.map(readReference));
	const names = [...new Set(all.filter((name) => name !== undefined))];
	const taken = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
	const place = 'Conversation (JSON)';
	return await readFiles(read, context, { names, place, roomBytes: MAX_FILES_BYTES - taken });
}

/** Finds the files of an item and checks types and sizes; their bytes are loaded later. */
async function readFiles(
	read: Reader,
	context: IExecuteFunctions,
	{ names, place, roomBytes = MAX_FILES_BYTES }: FilesWanted,
): Promise<InputFile[]> {
	const refuseFile = (property: string, why: string): never =>
		read.refuse(`The binary field "${property}" (${place}) ${why}`, FILE_ADVICE);
	const files: InputFile[] = [];
	let room = roomBytes;
	for (const property of names) {
		const binary = read.binary(property, place);
		const declared = readDeclaredType(binary);
		if (!isTaken(declared)) refuseFile(property, `has the unsupported type ${declared}`);
		const probe = await probeFile(context, binary);
		const { sizeBytes } = probe;
		if (sizeBytes > room) {
			return read.refuse(
				`The files are larger than 15 MB in total, up to and including the binary field "${property}"`,
				'Make them smaller, or send fewer at once. Nothing was sent for this item.',
			);
		}
		room -= sizeBytes;
		const sniffed = sniff(probe);
		const why = whyNotUsable(declared, probe, sniffed);
		if (why) refuseFile(property, why);
		// What the first bytes say goes before what the item says.
		files.push({ property, binary, sizeBytes, mimeType: sniffed ?? declared });
	}
	return files;
}

function readNames(read: Reader): string[] {
	const names = Array.isArray(read.value('images'))
		? readTexts(read, 'images')
		: read.optionalText('images').split(',');
	return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** As the item says it; empty where it says nothing. */
function readDeclaredType({ mimeType }: IBinaryData): string {
	const declared = String(mimeType ?? '')
		.split(';')[0]
		.trim()
		.toLowerCase();
	if (TEXT.test(declared)) return 'text/plain';
	return NO_TYPE.includes(declared) ? '' : declared;
}

const isTaken = (type: string) => type === '' || TAKEN.test(type);

function sniff({ start }: Probe): string | undefined {
	const isPdf = start.toString('latin1', 0, 5) === '%PDF-';
	return isPdf ? 'application/pdf' : sniffImage(start);
}

function whyNotUsable(
	declared: string,
	{ sizeBytes }: Probe,
	sniffed: string | undefined,
): string | undefined {
	if (sizeBytes === 0) return 'is empty';
	if (sniffed) return undefined;
	if (declared === '') return 'does not say what type of file it contains';
	return KNOWN_IMAGES.test(declared) ? 'does not contain an image' : undefined;
}
