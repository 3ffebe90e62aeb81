import type { IDataObject } from 'n8n-workflow';

import { sniffImage } from '../lib/image';
import { toText } from '../lib/json';
import { toHttpUrl } from '../lib/url';

/** A body that is not JSON, with its content type. */
export interface Form {
	bytes: Buffer;
	contentType: string;
}

/** The fields of a request that hold a picture, or a list of pictures. */
const FILE_FIELDS = ['image', 'images', 'input_reference'];

/** Returns whether a request holds a picture in one of these fields. */
export const hasFile = (request: IDataObject): boolean =>
	FILE_FIELDS.some((name) => request[name] !== undefined);

export const DATA_URI = /^data:[^,]{0,200};base64,/;

/**
 * Returns a request as a form (multipart/form-data, RFC 7578): pictures as files, lists as one part
 * for each of their values, objects as JSON.
 *
 * @param load loads a picture by its address; throws if it cannot
 * @param fileFields the names of fields that hold pictures
 */
export async function toForm(
	request: IDataObject,
	load: (url: string) => Promise<Buffer> = loadNothing,
	fileFields = FILE_FIELDS,
): Promise<Form> {
	const boundary = `form-${crypto.randomUUID()}`;
	const parts: Buffer[] = [];
	for (const [name, value] of Object.entries(request)) {
		for (const one of [value].flat()) {
			const picture = fileFields.includes(name) ? await toPicture(one, load) : undefined;
			parts.push(Buffer.from(`--${boundary}\r\n${toHead(name, picture)}\r\n\r\n`));
			parts.push(picture ?? Buffer.from(toPart(one)), Buffer.from('\r\n'));
		}
	}
	parts.push(Buffer.from(`--${boundary}--\r\n`));
	return {
		bytes: Buffer.concat(parts),
		contentType: `multipart/form-data; boundary=${boundary}`,
	};
}

const loadNothing = async () => await Promise.reject(new Error('This form takes no addresses'));

const toPart = (value: unknown) =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

function toHead(name: string, picture?: Buffer): string {
	const shown = name.replace(/["\r\n]/g, encodeURIComponent);
	const head = `Content-Disposition: form-data; name="${shown}"`;
	if (!picture) return head;
	const type = sniffImage(picture) ?? 'application/octet-stream';
	return `${head}; filename="image.${type.split('/')[1]}"\r\nContent-Type: ${type}`;
}

async function toPicture(
	value: unknown,
	load: (url: string) => Promise<Buffer>,
): Promise<Buffer | undefined> {
	const text = toText(value) ?? '';
	if (toHttpUrl(text)) return await load(text);
	const base64 = Buffer.from(text.replace(DATA_URI, ''), 'base64');
	return sniffImage(base64) ? base64 : undefined;
}
