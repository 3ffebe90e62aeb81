import type { Reader } from '../shared/item/reader';
import { toHttpUrl } from '../shared/service/baseUrl';
import { sniffImage, toBase64 } from '../shared/service/image';

const NOTHING_SENT = 'Nothing was submitted.';

/** The `image` field of the request, checked before any money is spent; `undefined` for none. */
export async function readImage(read: Reader): Promise<string | undefined> {
	switch (read.choice('imageSource')) {
		case 'url':
			return readUrl(read);
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

function readBase64(read: Reader): string {
	const text = read.text('image', 'Image Data');
	const base64 = toBase64(text);
	const mimeType = base64 && sniffImage(Buffer.from(base64.slice(0, 64), 'base64'));
	if (mimeType) return text;
	return read.refuse(
		'Image Data is not a base64-encoded image',
		`It must be the base64 text or data URI of a PNG, JPEG, GIF, WebP, AVIF or HEIC file. ${NOTHING_SENT}`,
	);
}

async function readBinary(read: Reader): Promise<string> {
	const property = read.text('imageBinaryProperty');
	const bytes = await read.bytes(property, 'Input Binary Field');
	const mimeType = sniffImage(bytes);
	// A data URI, not a URL or a bare text: it carries the type, and every deployment takes it.
	if (mimeType) return `data:${mimeType};base64,${bytes.toString('base64')}`;
	return read.refuse(
		`The binary field "${property}" (Input Binary Field) does not contain an image`,
		`It must be a PNG, JPEG, GIF, WebP, AVIF or HEIC file. ${NOTHING_SENT}`,
	);
}
