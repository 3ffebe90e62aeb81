import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../lib/json';
import type { Part } from '../service/textApi';
import type { InlineFile } from './inlineFiles';

/**
 * What stands in a turn for the bytes of a file that is binary data of the same item, such as
 * `[binary field data]`. No base64 looks like it.
 */
const REFERENCE = /^\s*\[binary field (.+)\]\s*$/;

/** Longer than any of them; bytes are longer. */
const MAX_REFERENCE_CHARS = 1_000;

const toReference = (field: string) => `[binary field ${field}]`;

/** The binary field that the bytes of a part are in; `undefined` where they are in the part itself. */
export function readReference({ inlineData }: Part): string | undefined {
	if (!isObject(inlineData) || typeof inlineData.data !== 'string') return undefined;
	if (inlineData.data.length > MAX_REFERENCE_CHARS) return undefined;
	return REFERENCE.exec(inlineData.data)?.[1].trim();
}

/**
 * A turn with references in the place of its files. Pieces of a sound are one file, and stand where
 * its first one was. What is no file of the item, such as a picture in the model's thoughts, is
 * left out.
 *
 * @param fieldOf by file, the binary field that it is in
 */
export function referToFiles(
	turn: IDataObject,
	files: InlineFile[],
	fieldOf: (file: number) => string,
): IDataObject | undefined {
	const fields = new Map(files.map(({ pieces }, i) => [pieces[0], fieldOf(i)]));
	const parts = (turn.parts as Part[]).flatMap((part) => {
		const { inlineData } = part;
		if (!isObject(inlineData)) return [part];
		const field = part.thought === true ? undefined : fields.get(String(inlineData.data));
		if (field === undefined) return [];
		return [{ ...part, inlineData: { ...inlineData, data: toReference(field) } }];
	});
	return parts.length > 0 ? { ...turn, parts } : undefined;
}
