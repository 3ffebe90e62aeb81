import type { IDataObject } from 'n8n-workflow';

/** A body as bytes, with its content type. */
export interface Body {
	bytes: Buffer;
	contentType: string;
}

/** A file as JSON holds it. */
export interface FileInJson {
	bytes: Buffer;
	/** What stands before the base64, such as `data:image/png;base64,`. */
	before: string;
}

/** Three bytes are four letters, so that pieces can be encoded by themselves. */
const PIECE_BYTES = 48 * 1024;

/**
 * Returns a request as JSON in which files stand in base64. It is written once, into bytes: an object with
 * a picture of 8 MB in base64 becomes four copies of it on its way through n8n's HTTP helper.
 *
 * @param files by the texts that stand for them in the request
 */
export function toJsonBody(request: IDataObject, files: ReadonlyMap<string, FileInJson>): Body {
	const mark = crypto.randomUUID();
	const found: FileInJson[] = [];
	const json = JSON.stringify(request, (_name, value: unknown) => {
		const file = typeof value === 'string' ? files.get(value) : undefined;
		if (!file) return value;
		found.push(file);
		return mark;
	});
	const [first, ...others] = json.split(`"${mark}"`);
	const texts = others.map((text, i) => [`"${found[i].before}`, `"${text}`]);
	const sizes = [first, ...texts.flat()].map((text) => Buffer.byteLength(text));
	const size = [...sizes, ...found.map(sizeInBase64)].reduce((sum, one) => sum + one, 0);
	const body = Buffer.allocUnsafe(size);
	let at = body.write(first);
	for (const [i, [before, after]] of texts.entries()) {
		at += body.write(before, at);
		at = writeBase64(body, found[i].bytes, at);
		at += body.write(after, at);
	}
	return { bytes: body, contentType: 'application/json' };
}

const sizeInBase64 = ({ bytes }: FileInJson) => 4 * Math.ceil(bytes.length / 3);

/** Returns where the next text goes. */
function writeBase64(body: Buffer, bytes: Buffer, begin: number): number {
	let at = begin;
	for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
		at += body.write(bytes.toString('base64', from, from + PIECE_BYTES), at, 'latin1');
	}
	return at;
}
