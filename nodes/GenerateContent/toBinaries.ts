import type { IBinaryKeyData } from 'n8n-workflow';

import type { Run } from '../shared/item/run';
import { sniffImage } from '../shared/service/image';
import { type InlineFile, toFile } from '../shared/text/files';

/** As it is written into a header; anything else that a service calls a type says nothing. */
const MIME_TYPE = /^[a-z]{1,40}\/[\w.+-]{1,100}(;[ -~]{0,200})?$/i;

/** Where the files of an answer go: `data`, `data_1`, `data_2`. */
export const toFieldName = (binaryProperty: string, file: number) =>
	file === 0 ? binaryProperty : `${binaryProperty}_${file}`;

/** The files of an answer, numbered from the second one on. */
export async function toBinaries(
	{ context: { helpers }, redaction: { redact } }: Pick<Run, 'context' | 'redaction'>,
	files: InlineFile[],
	binaryProperty: string,
): Promise<IBinaryKeyData> {
	const binary: IBinaryKeyData = {};
	for (const [i, file] of files.entries()) {
		const { mimeType: declared, bytes } = toFile(file);
		const isType = MIME_TYPE.test(declared) && redact(declared) === declared;
		const mimeType = isType ? declared : (sniffImage(bytes) ?? 'application/octet-stream');
		const data = await helpers.prepareBinaryData(bytes, undefined, mimeType);
		const kind = mimeType.split('/')[0];
		const name = ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
		data.fileName = `${name}${i === 0 ? '' : `_${i}`}.${data.fileExtension ?? 'bin'}`;
		binary[toFieldName(binaryProperty, i)] = data;
	}
	return binary;
}
