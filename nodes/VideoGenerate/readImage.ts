import type { IExecuteFunctions } from 'n8n-workflow';

import { requireText, throwInput } from '../shared/item/parameters';
import { toHttpUrl } from '../shared/service/baseUrl';
import { sniffImage, toBase64 } from '../shared/service/image';

const NOTHING_SENT = 'Nothing was submitted.';

/** The `image` field of the request, checked before any money is spent; `undefined` for none. */
export async function readImage(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<string | undefined> {
	const source = context.getNodeParameter('imageSource', itemIndex, 'none') as string;
	if (source === 'url') return readUrl(context, itemIndex);
	if (source === 'base64') return readBase64(context, itemIndex);
	if (source === 'binary') return await readBinary(context, itemIndex);
	return undefined;
}

function readUrl(context: IExecuteFunctions, itemIndex: number): string {
	const text = requireText(context, itemIndex, 'image', 'Image URL');
	const url = toHttpUrl(text);
	if (url) return text;
	return throwInput(
		context,
		itemIndex,
		'Image URL is not an http or https address',
		`For image data, set Image Source to Base64 or Data URI. ${NOTHING_SENT}`,
	);
}

function readBase64(context: IExecuteFunctions, itemIndex: number): string {
	const text = requireText(context, itemIndex, 'image', 'Image Data');
	const base64 = toBase64(text);
	const mimeType = base64 && sniffImage(Buffer.from(base64.slice(0, 64), 'base64'));
	if (mimeType) return text.trim();
	return throwInput(
		context,
		itemIndex,
		'Image Data is not an image in base64',
		`It must be the base64 text or data URI of a PNG, JPEG, GIF, WebP, AVIF or HEIC file. ${NOTHING_SENT}`,
	);
}

async function readBinary(context: IExecuteFunctions, itemIndex: number): Promise<string> {
	const property = requireText(context, itemIndex, 'imageBinaryProperty', 'Input Binary Field');
	if (context.getInputData()[itemIndex].binary?.[property] === undefined) {
		throwInput(
			context,
			itemIndex,
			`The item has no binary field "${property}" (Input Binary Field)`,
			`Add a node that loads the image before this one, or correct the name. ${NOTHING_SENT}`,
		);
	}
	const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, property);
	const mimeType = sniffImage(bytes);
	// A data URI, not a URL or a bare text: it carries the type, and every deployment takes it.
	if (mimeType) return `data:${mimeType};base64,${bytes.toString('base64')}`;
	return throwInput(
		context,
		itemIndex,
		`The binary field "${property}" (Input Binary Field) holds no image`,
		`It must be a PNG, JPEG, GIF, WebP, AVIF or HEIC file. ${NOTHING_SENT}`,
	);
}
