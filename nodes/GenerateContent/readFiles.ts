import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { throwInput } from '../shared/item/parameters';
import { sniffImage } from '../shared/service/image';
import type { Part } from '../shared/service/textApi';
import { readBase64 } from './readBase64';

/** The protocol takes 20 MB a request, and base64 makes a third more of the bytes. */
const MAX_FILES_BYTES = 15 * 1024 * 1024;

const NOTHING_SENT = 'Nothing was sent for this item.';
const KINDS = 'The model takes images, audio, video, PDF and text files.';

/** What the protocol takes as inline data; text by another name goes as text. */
const TAKEN = /^(image|audio|video|text)\/|^application\/pdf$/;
const TEXT = /^application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|x-javascript|x-ndjson|sql)$/;
const NO_TYPE = ['', 'application/octet-stream', 'binary/octet-stream'];
/** Images that the first bytes tell. */
const KNOWN_IMAGES = /^image\/(png|jpe?g|gif|webp|avif)$/;

export interface InputFile {
	property: string;
	binary: IBinaryData;
	/** As the item says it; empty where it says nothing. */
	mimeType: string;
}

/** Finds the files of an item and checks their types; their bytes are read later. */
export function readFiles(context: IExecuteFunctions, itemIndex: number): InputFile[] {
	const value = context.getNodeParameter('images', itemIndex, '') as unknown;
	const names = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
	return names
		.map((name) => name.trim())
		.filter((name) => name !== '')
		.map((property) => readFile(context, itemIndex, property));
}

function readFile(context: IExecuteFunctions, itemIndex: number, property: string): InputFile {
	const binary = findBinary(context, itemIndex, property);
	const declared = String(binary.mimeType ?? '')
		.split(';')[0]
		.trim()
		.toLowerCase();
	if (TEXT.test(declared)) return { property, binary, mimeType: 'text/plain' };
	if (TAKEN.test(declared)) return { property, binary, mimeType: declared };
	if (NO_TYPE.includes(declared)) return { property, binary, mimeType: '' };
	return throwInput(
		context,
		itemIndex,
		`The binary field "${property}" (Input Binary Fields) is of the type ${declared}`,
		`${KINDS} ${NOTHING_SENT}`,
	);
}

function findBinary(context: IExecuteFunctions, itemIndex: number, property: string): IBinaryData {
	try {
		return context.helpers.assertBinaryData(itemIndex, property);
	} catch {
		return throwInput(
			context,
			itemIndex,
			`The item has no binary field "${property}" (Input Binary Fields)`,
			`Add a node that loads the file before this one, or correct the name. ${NOTHING_SENT}`,
		);
	}
}

/** The files as parts of a turn. */
export async function loadFiles(
	context: IExecuteFunctions,
	itemIndex: number,
	files: InputFile[],
): Promise<Part[]> {
	const parts: Part[] = [];
	let roomBytes = MAX_FILES_BYTES;
	for (const file of files) {
		const loaded = await readBase64(context, file.binary, roomBytes);
		if (!loaded) {
			throwInput(
				context,
				itemIndex,
				`The files to send along are larger than 15 MB in all, counted up to the binary field "${file.property}"`,
				`Make them smaller, or send fewer at once. ${NOTHING_SENT}`,
			);
		}
		roomBytes -= loaded.sizeBytes;
		const mimeType = toMimeType(context, itemIndex, file, loaded);
		parts.push({ inlineData: { mimeType, data: loaded.base64 } });
	}
	return parts;
}

/** What the first bytes say goes before what the item says. */
function toMimeType(
	context: IExecuteFunctions,
	itemIndex: number,
	{ property, mimeType }: InputFile,
	{ base64, sizeBytes }: { base64: string; sizeBytes: number },
): string {
	const start = Buffer.from(base64.slice(0, 64), 'base64');
	const sniffed = sniffImage(start) ?? (isPdf(start) ? 'application/pdf' : undefined);
	const fault = findFault(sizeBytes, sniffed, mimeType);
	if (fault === undefined) return sniffed ?? mimeType;
	return throwInput(
		context,
		itemIndex,
		`The binary field "${property}" (Input Binary Fields) ${fault}`,
		`${KINDS} ${NOTHING_SENT}`,
	);
}

const isPdf = (start: Buffer) => start.toString('latin1', 0, 5) === '%PDF-';

function findFault(sizeBytes: number, sniffed: string | undefined, declared: string) {
	if (sizeBytes === 0) return 'is empty';
	if (sniffed) return undefined;
	if (declared === '') return 'does not say what kind of file it holds';
	return KNOWN_IMAGES.test(declared) ? 'holds no image' : undefined;
}
