import type { Reader } from '../shared/item/reader';
import { toHttpUrl } from '../shared/service/credential';
import { sniffImage, toBase64 } from '../shared/service/image';

/** A picture at an address, or its bytes. */
export type Picture = { url: string } | PictureData;

export interface PictureData {
	mimeType: string;
	/** Standard alphabet, padded. */
	base64: string;
	/** As the person gave it: with or without the head of a data URI. */
	typed: string;
}

const NOTHING_SENT = 'Nothing was submitted.';
const KINDS = 'PNG, JPEG, GIF, WebP, AVIF or HEIC file';

/** One picture, checked before any money is spent; `undefined` for none. */
export async function readImage(read: Reader): Promise<Picture | undefined> {
	switch (read.choice('imageSource')) {
		case 'url':
			return { url: readUrl(read) };
		case 'base64':
			return readBase64(read);
		case 'binary':
			return await readBinary(read);
	}
	return undefined;
}

function readUrl(read: Reader): string {
	const text = read.text('image', 'Image URL');
	if (toHttpUrl(text)) return text;
	return read.refuse(
		'Image URL is not an http or https address',
		`For image data, set Image Source to Base64 or Data URI. ${NOTHING_SENT}`,
	);
}

function readBase64(read: Reader): PictureData {
	const typed = read.text('image', 'Image Data');
	const base64 = toBase64(typed);
	const bytes = Buffer.from(base64 ?? '', 'base64');
	const mimeType = sniffImage(bytes);
	// Gateways read base64 in its standard form alone, and drop any other in silence.
	if (mimeType) return { mimeType, base64: bytes.toString('base64'), typed };
	return read.refuse(
		'Image Data is not a base64-encoded image',
		`It must be the base64 text or data URI of a ${KINDS}. ${NOTHING_SENT}`,
	);
}

async function readBinary(read: Reader): Promise<PictureData> {
	const property = read.text('imageBinaryProperty');
	const picture = toPictureData(await read.bytes(property, 'Input Binary Field'));
	if (picture) return picture;
	return read.refuse(
		`The binary field "${property}" (Input Binary Field) does not contain an image`,
		`It must be a ${KINDS}. ${NOTHING_SENT}`,
	);
}

/** `undefined` for bytes that are no image. */
export function toPictureData(bytes: Buffer): PictureData | undefined {
	const mimeType = sniffImage(bytes);
	if (!mimeType) return undefined;
	const base64 = bytes.toString('base64');
	// A data URI where the form is open: it carries the type, and every deployment takes it.
	return { mimeType, base64, typed: `data:${mimeType};base64,${base64}` };
}
