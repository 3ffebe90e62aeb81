import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { sniffImage } from '../shared/service/image';
import { probeFile, type Probe } from './probeFile';
import { readTexts } from './readLists';

const FILE_ADVICE =
	'The model accepts images, audio, video, PDF and text files. Nothing was sent for this item.';

/** The protocol takes 20 MB a request, and base64 makes a third more of the bytes. */
const MAX_FILES_BYTES = 15 * 1024 * 1024;

/** What the protocol takes as inline data; text by another name goes as text. */
const TAKEN = /^(image|audio|video|text)\/|^application\/pdf$/;
const TEXT = /^application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|x-javascript|x-ndjson|sql)$/;
const NO_TYPE = ['', 'application/octet-stream', 'binary/octet-stream'];

/** Images that the first bytes tell. */
const KNOWN_IMAGES = /^image\/(png|jpe?g|gif|webp|avif)$/;

export interface InputFile {
	property: string;
	binary: IBinaryData;
	sizeBytes: number;
	mimeType: string;
}

/** Finds the files of an item and checks types and sizes; their bytes are loaded later. */
export async function readFiles(read: Reader, context: IExecuteFunctions): Promise<InputFile[]> {
	const files: InputFile[] = [];
	let roomBytes = MAX_FILES_BYTES;
	for (const property of readNames(read)) {
		const binary = read.binary(property, 'Input Binary Fields');
		const declared = readDeclaredType(read, property, binary);
		const probe = await probeFile(context, binary);
		const { sizeBytes } = probe;
		if (sizeBytes > roomBytes) {
			return read.refuse(
				`The files are larger than 15 MB in total, up to and including the binary field "${property}"`,
				'Make them smaller, or send fewer at once. Nothing was sent for this item.',
			);
		}
		roomBytes -= sizeBytes;
		const sniffed = sniff(probe);
		const why = whyNotUsable(declared, probe, sniffed);
		if (why) refuseFile(read, property, why);
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
function readDeclaredType(read: Reader, property: string, { mimeType }: IBinaryData): string {
	const declared = String(mimeType ?? '')
		.split(';')[0]
		.trim()
		.toLowerCase();
	if (TEXT.test(declared)) return 'text/plain';
	if (TAKEN.test(declared)) return declared;
	if (NO_TYPE.includes(declared)) return '';
	return refuseFile(read, property, `has the unsupported type ${declared}`);
}

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

const refuseFile = (read: Reader, property: string, why: string): never =>
	read.refuse(`The binary field "${property}" (Input Binary Fields) ${why}`, FILE_ADVICE);
