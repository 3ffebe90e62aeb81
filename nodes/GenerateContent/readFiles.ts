import type { IBinaryData } from 'n8n-workflow';

import type { Reader } from '../shared/item/reader';
import { readTexts } from './readLists';

/** What to do about a file that cannot be sent. */
export const FILE_ADVICE =
	'The model accepts images, audio, video, PDF and text files. Nothing was sent for this item.';

/** What the protocol takes as inline data; text by another name goes as text. */
const TAKEN = /^(image|audio|video|text)\/|^application\/pdf$/;
const TEXT = /^application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|x-javascript|x-ndjson|sql)$/;
const NO_TYPE = ['', 'application/octet-stream', 'binary/octet-stream'];

export interface InputFile {
	property: string;
	binary: IBinaryData;
	/** As the item says it; empty where it says nothing. */
	mimeType: string;
}

/** Finds the files of an item and checks their types; their bytes are read later. */
export function readFiles(read: Reader): InputFile[] {
	const names = Array.isArray(read.value('images'))
		? readTexts(read, 'images')
		: read.optionalText('images').split(',');
	return names
		.map((name) => name.trim())
		.filter((name) => name !== '')
		.map((property) => readFile(read, property));
}

function readFile(read: Reader, property: string): InputFile {
	const binary = read.binary(property, 'Input Binary Fields');
	const declared = String(binary.mimeType ?? '')
		.split(';')[0]
		.trim()
		.toLowerCase();
	if (TEXT.test(declared)) return { property, binary, mimeType: 'text/plain' };
	if (TAKEN.test(declared)) return { property, binary, mimeType: declared };
	if (NO_TYPE.includes(declared)) return { property, binary, mimeType: '' };
	return read.refuse(
		`The binary field "${property}" (Input Binary Fields) has the unsupported type ${declared}`,
		FILE_ADVICE,
	);
}
