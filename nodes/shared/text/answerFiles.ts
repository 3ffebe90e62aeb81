import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';

/** A file whose bytes came inside an answer. */
export interface InlineFile {
	/** Empty if the service names none. */
	mimeType: string;
	/** Base64; each piece is encoded by itself. */
	pieces: string[];
}

/** Returns the files of an answer. Consecutive pieces of sound without a header are one file. */
export function readFiles(parts: IDataObject[]): InlineFile[] {
	const files: InlineFile[] = [];
	for (const { inlineData } of parts) {
		if (!isObject(inlineData)) continue;
		const base64 = toText(inlineData.data);
		if (!base64) continue;
		const mimeType = toText(inlineData.mimeType) ?? '';
		const last = files.at(-1);
		const goesOn = last?.mimeType === mimeType && readPcmFormat(mimeType) !== undefined;
		if (goesOn) last.pieces.push(base64);
		else files.push({ mimeType, pieces: [base64] });
	}
	return files;
}

/** Returns a file's bytes and type; sound without a header becomes WAV, so that players open it. */
export function toFile({ mimeType, pieces }: InlineFile): { mimeType: string; bytes: Buffer } {
	const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
	const format = readPcmFormat(mimeType);
	return format ? { mimeType: 'audio/wav', bytes: toWav(bytes, format) } : { mimeType, bytes };
}

/** Returns a copy of an answer with a note in place of each file's base64, too long for an item. */
export function withoutBytes(answer: object): IDataObject {
	const json = JSON.stringify(answer, (name, value: unknown) =>
		name === 'inlineData' && isObject(value) ? { ...value, data: LEFT_OUT } : value,
	);
	return JSON.parse(json) as IDataObject;
}

const LEFT_OUT = '[left out: files are in the binary data of the item]';

/** Matches a reference, which replaces a file's bytes in a turn; base64 has no brackets. */
const REFERENCE = /^\s{0,20}\[binary field (.{1,900})\]\s{0,20}$/;

export const toReference = (field: string) => `[binary field ${field}]`;

/** Returns the item's binary field that a part refers to; `undefined` if it refers to none. */
export function readReference({ inlineData }: IDataObject): string | undefined {
	const data = isObject(inlineData) ? inlineData.data : undefined;
	return typeof data === 'string' ? REFERENCE.exec(data)?.[1].trim() : undefined;
}

/**
 * Returns a turn with references in place of its files; `undefined` if no part is left. Further pieces
 * of a sound are left out, and so are pictures in the model's thoughts.
 *
 * @param fieldOf returns the binary field of the file at an index of `files`
 */
export function referToFiles(
	turn: IDataObject,
	files: InlineFile[],
	fieldOf: (file: number) => string,
): IDataObject | undefined {
	const fields = new Map(files.map(({ pieces }, i) => [pieces[0], fieldOf(i)]));
	const parts = (turn.parts as IDataObject[]).flatMap((part) => {
		const { inlineData } = part;
		if (!isObject(inlineData)) return [part];
		const field = part.thought === true ? undefined : fields.get(String(inlineData.data));
		if (field === undefined) return [];
		return [{ ...part, inlineData: { ...inlineData, data: toReference(field) } }];
	});
	return parts.length > 0 ? { ...turn, parts } : undefined;
}

const PCM = /^audio\/(?:l16|(?:x-)?pcm)(?:\s*;|\s*$)/i;
const SAMPLE_BYTES = 2;
/** Speech models use this rate if they do not state one. */
const DEFAULT_RATE = 24_000;
const HEADER_BYTES = 44;

/** Reads the type of 16-bit sound without a header, such as `audio/L16;rate=24000`; of no other. */
export function readPcmFormat(mimeType: string) {
	if (!PCM.test(mimeType.trim())) return undefined;
	const [, rate = DEFAULT_RATE] = /;\s*rate\s*=\s*"?([1-9]\d{0,5})\b/i.exec(mimeType) ?? [];
	const [, channels = 1] = /;\s*channels\s*=\s*"?([1-9]\d?)\b/i.exec(mimeType) ?? [];
	return { rate: Number(rate), channels: Number(channels) };
}

/** Returns a WAV file: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
export function toWav(
	pcm: Buffer,
	{ rate, channels }: NonNullable<ReturnType<typeof readPcmFormat>>,
): Buffer {
	// Some deployments send a whole WAV file under the type of sound without a header.
	if (pcm.toString('latin1', 0, 4) === 'RIFF') return pcm;
	const frameBytes = channels * SAMPLE_BYTES;
	// Some players refuse a file that ends in the middle of a sample.
	const size = pcm.length - (pcm.length % frameBytes);
	const header = Buffer.alloc(HEADER_BYTES);
	header.write('RIFF', 0, 'latin1');
	header.writeUInt32LE(HEADER_BYTES - 8 + size, 4);
	header.write('WAVEfmt ', 8, 'latin1');
	header.writeUInt32LE(16, 16);
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(channels, 22);
	header.writeUInt32LE(rate, 24);
	header.writeUInt32LE(rate * frameBytes, 28);
	header.writeUInt16LE(frameBytes, 32);
	header.writeUInt16LE(8 * SAMPLE_BYTES, 34);
	header.write('data', 36, 'latin1');
	header.writeUInt32LE(size, 40);
	return Buffer.concat([header, pcm.subarray(0, size)]);
}
