import type { IDataObject } from 'n8n-workflow';

import { beforeBase64, readReference } from '../lib/heldFile';
import { sniffImage } from '../lib/image';
import { mapTexts, toText } from '../lib/json';
import { extensionOf, sniff } from '../lib/mediaType';
import { toHttpUrl } from '../lib/url';
import type { Body } from './body';

/** The fields of a request that hold a picture, or a list of pictures. */
const FILE_FIELDS = ['image', 'images', 'input_reference'];

/** Returns the web addresses of the pictures in these fields, which a form needs as files. */
export const urlsIn = (request: IDataObject): string[] =>
	FILE_FIELDS.flatMap((name) => [request[name]].flat())
		.map((value) => toText(value) ?? '')
		.filter((text) => toHttpUrl(text));

/** Returns whether a request holds a picture in one of these fields. */
export const hasFile = (request: IDataObject): boolean =>
	FILE_FIELDS.some((name) => request[name] !== undefined);

export const DATA_URI = /^data:[^,]{0,200};base64,/;

/**
 * Returns a request as a form (multipart/form-data, RFC 7578): pictures as files, lists as one part
 * for each of their values, objects as JSON.
 *
 * @param request a Buffer is a file by whatever name
 * @param files pictures by their addresses or by the texts that stand for them
 */
export function toForm(
	request: Record<string, unknown>,
	files: ReadonlyMap<string, Buffer> = new Map(),
): Body {
	const boundary = `form-${crypto.randomUUID()}`;
	const parts: Buffer[] = [];
	for (const [name, value] of Object.entries(request)) {
		for (const one of [value].flat()) {
			const picture = Buffer.isBuffer(one) ? one : toPicture(name, one, files);
			parts.push(Buffer.from(`--${boundary}\r\n${toHead(name, picture)}\r\n\r\n`));
			parts.push(picture ?? Buffer.from(toPart(one, files)), Buffer.from('\r\n'));
		}
	}
	parts.push(Buffer.from(`--${boundary}--\r\n`));
	return {
		bytes: Buffer.concat(parts),
		contentType: `multipart/form-data; boundary=${boundary}`,
	};
}

/** Returns any other field. A picture inside an object is a data URI there. */
function toPart(value: unknown, files: ReadonlyMap<string, Buffer>): string {
	const written = mapTexts(value, (text) => {
		const held = readReference(text);
		const bytes = held && files.get(text);
		return bytes ? beforeBase64(held.mimeType, held.bare) + bytes.toString('base64') : text;
	});
	return typeof written === 'object' ? JSON.stringify(written) : String(written);
}

function toHead(name: string, picture?: Buffer): string {
	const shown = name.replace(/["\r\n]/g, encodeURIComponent);
	const head = `Content-Disposition: form-data; name="${shown}"`;
	if (!picture) return head;
	const type = sniff(picture);
	const fileName = type?.startsWith('image/')
		? `image.${type.split('/')[1]}`
		: `file.${type ? extensionOf(type) : 'bin'}`;
	const contentType = type ?? 'application/octet-stream';
	return `${head}; filename="${fileName}"\r\nContent-Type: ${contentType}`;
}

function toPicture(
	name: string,
	value: unknown,
	files: ReadonlyMap<string, Buffer>,
): Buffer | undefined {
	if (!FILE_FIELDS.includes(name)) return undefined;
	const text = toText(value) ?? '';
	const file = files.get(text);
	if (file) return file;
	const base64 = Buffer.from(text.replace(DATA_URI, ''), 'base64');
	return sniffImage(base64) ? base64 : undefined;
}
