import type { IExecuteFunctions } from 'n8n-workflow';

import { sniffImage } from '../shared/service/image';
import type { Part } from '../shared/service/textApi';
import { readBase64, type Base64 } from './readBase64';
import { FILE_ADVICE, type InputFile } from './readFiles';
import type { TextJob } from './readJob';

/** The protocol takes 20 MB a request, and base64 makes a third more of the bytes. */
const MAX_FILES_BYTES = 15 * 1024 * 1024;

/** Images that the first bytes tell. */
const KNOWN_IMAGES = /^image\/(png|jpe?g|gif|webp|avif)$/;

/** The files of a job as parts of a turn. */
export async function loadFiles(
	context: IExecuteFunctions,
	{ files, refuse }: Pick<TextJob, 'files' | 'refuse'>,
): Promise<Part[]> {
	const parts: Part[] = [];
	let roomBytes = MAX_FILES_BYTES;
	for (const file of files) {
		const loaded = await readBase64(context, file.binary, roomBytes);
		if (!loaded) {
			return refuse(
				`The files are larger than 15 MB in total, up to and including the binary field "${file.property}"`,
				'Make them smaller, or send fewer at once. Nothing was sent for this item.',
			);
		}
		roomBytes -= loaded.sizeBytes;
		const sniffed = sniff(loaded);
		const why = whyNotUsable(file, loaded, sniffed);
		if (why) {
			return refuse(
				`The binary field "${file.property}" (Input Binary Fields) ${why}`,
				FILE_ADVICE,
			);
		}
		// What the first bytes say goes before what the item says.
		parts.push({ inlineData: { mimeType: sniffed ?? file.mimeType, data: loaded.base64 } });
	}
	return parts;
}

function sniff({ base64 }: Base64): string | undefined {
	const start = Buffer.from(base64.slice(0, 64), 'base64');
	const isPdf = start.toString('latin1', 0, 5) === '%PDF-';
	return isPdf ? 'application/pdf' : sniffImage(start);
}

function whyNotUsable(
	{ mimeType: declared }: InputFile,
	{ sizeBytes }: Base64,
	sniffed: string | undefined,
): string | undefined {
	if (sizeBytes === 0) return 'is empty';
	if (sniffed) return undefined;
	if (declared === '') return 'does not say what type of file it contains';
	return KNOWN_IMAGES.test(declared) ? 'does not contain an image' : undefined;
}
