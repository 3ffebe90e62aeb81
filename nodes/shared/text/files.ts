import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';
import type { Part } from '../service/textApi';

/** Bytes that came inside an answer: an image, sound, or what else a model makes. */
export interface InlineFile {
	/** As the service calls it, or empty. */
	mimeType: string;
	/** In base64, each by itself. */
	pieces: string[];
}

/** Returns the files of an answer. Sound without a header comes in pieces that are one file. */
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

/** Returns a file as it can be opened, with its type; sound gets the header that it came without. */
export function toFile({ mimeType, pieces }: InlineFile): { mimeType: string; bytes: Buffer } {
	const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
	const format = readPcmFormat(mimeType);
	return format ? { mimeType: 'audio/wav', bytes: toWav(bytes, format) } : { mimeType, bytes };
}

/** Copies an answer without the base64 of its files: those are the item's binaries. */
export function withoutBytes(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutBytes);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([name, entry]) => [name, withoutBytes(entry)]);
	const copy = Object.fromEntries(entries) as IDataObject;
	const { inlineData } = copy;
	if (!isObject(inlineData)) return copy;
	return { ...copy, inlineData: { ...inlineData, data: '[binary data of the item]' } };
}

/** Stands in a turn for the bytes of a binary field of the same item; no base64 looks like it. */
const REFERENCE = /^\s*\[binary field (.+)\]\s*$/;
/** Longer than any reference; bytes are longer. */
const MAX_REFERENCE_CHARS = 1_000;

/** Returns the binary field that a part refers to; `undefined` where it has its bytes in itself. */
export function readReference({ inlineData }: Part): string | undefined {
	if (!isObject(inlineData) || typeof inlineData.data !== 'string') return undefined;
	if (inlineData.data.length > MAX_REFERENCE_CHARS) return undefined;
	return REFERENCE.exec(inlineData.data)?.[1].trim();
}

/**
 * Returns a turn with references in the place of its files. Pieces of a sound are one file, and stand
 * where its first one was. A picture in the model's thoughts is no file of the item and is left out.
 *
 * @param fieldOf gives the binary field that a file is in
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
		return [{ ...part, inlineData: { ...inlineData, data: `[binary field ${field}]` } }];
	});
	return parts.length > 0 ? { ...turn, parts } : undefined;
}

/** Describes sound without a header: samples, one after the other, lowest byte first. */
export interface PcmFormat {
	/** Samples a second. */
	rate: number;
	channels: number;
	/** Bits of a sample. */
	bits: number;
}

const PCM = /^audio\/(?:l(8|16|24|32)|(?:x-)?(?:pcm|raw))(?:\s*;|\s*$)/i;
const DEFAULT_BITS = 16;
/** Speech models give this rate where they do not say it. */
const DEFAULT_RATE = 24_000;
const MAX_RATE = 768_000;
const MAX_CHANNELS = 32;
const HEADER_BYTES = 44;

/** Reads a type such as `audio/L16;codec=pcm;rate=24000`; returns `undefined` for all others. */
export function readPcmFormat(mimeType: string): PcmFormat | undefined {
	const type = PCM.exec(mimeType.trim());
	if (!type) return undefined;
	const parameter = (name: string, max: number) => {
		const [, value] = new RegExp(`;\\s*${name}\\s*=\\s*"?(\\d{1,6})\\b`, 'i').exec(mimeType) ?? [];
		const number = Number(value);
		return number >= 1 && number <= max ? number : undefined;
	};
	return {
		rate: parameter('rate', MAX_RATE) ?? DEFAULT_RATE,
		channels: parameter('channels', MAX_CHANNELS) ?? 1,
		bits: Number(type[1] ?? DEFAULT_BITS),
	};
}

/** Returns a file that players play: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
export function toWav(pcm: Buffer, { rate, channels, bits }: PcmFormat): Buffer {
	const isWav = pcm.toString('latin1', 0, 4) === 'RIFF' && pcm.toString('latin1', 8, 12) === 'WAVE';
	// Some deployments give a file with a header the type of one without.
	if (isWav) return pcm;
	const frameBytes = (channels * bits) / 8;
	// Some players refuse a file that ends with half a sample.
	const size = pcm.length - (pcm.length % frameBytes);
	// Chunks of a file have an even length.
	const padding = size % 2;
	const header = Buffer.alloc(HEADER_BYTES);
	header.write('RIFF', 0, 'latin1');
	header.writeUInt32LE(HEADER_BYTES - 8 + size + padding, 4);
	header.write('WAVEfmt ', 8, 'latin1');
	header.writeUInt32LE(16, 16);
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(channels, 22);
	header.writeUInt32LE(rate, 24);
	header.writeUInt32LE(rate * frameBytes, 28);
	header.writeUInt16LE(frameBytes, 32);
	header.writeUInt16LE(bits, 34);
	header.write('data', 36, 'latin1');
	header.writeUInt32LE(size, 40);
	return Buffer.concat([header, pcm.subarray(0, size), Buffer.alloc(padding)]);
}
