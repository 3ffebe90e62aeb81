import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../lib/json';
import type { Part } from '../service/textApi';

/** A file whose bytes came inside an answer: an image, a sound, or anything else a model makes. */
export interface InlineFile {
	/** The type that the service names, or empty. */
	mimeType: string;
	/** Base64; each piece is encoded by itself. */
	pieces: string[];
}

/**
 * Returns the files of an answer. Sound without a header may come in pieces; consecutive pieces of
 * the same type are one file.
 */
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

/** Returns a file that can be opened, with its type; sound without a header gets one. */
export function toFile({ mimeType, pieces }: InlineFile): { mimeType: string; bytes: Buffer } {
	const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
	const format = readPcmFormat(mimeType);
	return format ? { mimeType: 'audio/wav', bytes: toWav(bytes, format) } : { mimeType, bytes };
}

/** Returns a copy of an answer without the base64 of its files, which are the item's binaries. */
export function withoutBytes(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutBytes);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([name, entry]) => [name, withoutBytes(entry)]);
	const copy = Object.fromEntries(entries) as IDataObject;
	const { inlineData } = copy;
	if (!isObject(inlineData)) return copy;
	return { ...copy, inlineData: { ...inlineData, data: '[binary data of the item]' } };
}

/**
 * Matches a reference to a binary field of the same item, which stands in a turn in place of the
 * bytes. Base64 never looks like this.
 */
const REFERENCE = /^\s*\[binary field (.+)\]\s*$/;
/** Longer than any reference; a longer text holds bytes. */
const MAX_REFERENCE_CHARS = 1_000;

/** Returns what stands in a part in place of the bytes of a binary field. */
export const toReference = (field: string) => `[binary field ${field}]`;

/** Returns the binary field that a part refers to; `undefined` if it refers to none. */
export function readReference({ inlineData }: Part): string | undefined {
	if (!isObject(inlineData) || typeof inlineData.data !== 'string') return undefined;
	if (inlineData.data.length > MAX_REFERENCE_CHARS) return undefined;
	return REFERENCE.exec(inlineData.data)?.[1].trim();
}

/**
 * Returns a turn with references in place of its files; `undefined` if no part is left. The pieces
 * of a sound are one file, so one reference stands in place of the first piece. A picture in the
 * model's thoughts is not a file of the item and is left out.
 *
 * @param fieldOf returns the binary field that a file is in
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

/** The format of sound without a header: samples one after the other, lowest byte first. */
export interface PcmFormat {
	/** Samples per second. */
	rate: number;
	channels: number;
	/** Bits per sample. */
	bits: number;
}

const PCM = /^audio\/(?:l(8|16|24|32)|(?:x-)?(?:pcm|raw))(?:\s*;|\s*$)/i;
const DEFAULT_BITS = 16;
/** Speech models use this rate if they do not state one. */
const DEFAULT_RATE = 24_000;
const MAX_RATE = 768_000;
const MAX_CHANNELS = 32;
const HEADER_BYTES = 44;

/** Reads a type such as `audio/L16;codec=pcm;rate=24000`; `undefined` for all other types. */
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

/** Returns a WAV file: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
export function toWav(pcm: Buffer, { rate, channels, bits }: PcmFormat): Buffer {
	const isWav = pcm.toString('latin1', 0, 4) === 'RIFF' && pcm.toString('latin1', 8, 12) === 'WAVE';
	// Some deployments send a file with a header under the type of sound without one.
	if (isWav) return pcm;
	const frameBytes = (channels * bits) / 8;
	// Some players refuse a file that ends in the middle of a sample.
	const size = pcm.length - (pcm.length % frameBytes);
	// Chunks of a WAV file have an even length.
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
