import type { IDataObject } from 'n8n-workflow';

import { isObject, MAX_DEPTH, toText } from '../lib/json';
import { readPcmFormat, toWav, WAV } from './wav';

/** Bytes that came inside an answer: an image, sound, or what else a model makes. */
export interface InlineFile {
	/** As the service calls it, or empty. */
	mimeType: string;
	/** In base64, each by itself. */
	pieces: string[];
}

/** Sound without a header comes in pieces that are one file; all other parts are files themselves. */
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

/** A file as it can be opened, and its type; sound gets the header that it came without. */
export function toFile({ mimeType, pieces }: InlineFile): { mimeType: string; bytes: Buffer } {
	const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
	const format = readPcmFormat(mimeType);
	return format ? { mimeType: WAV, bytes: toWav(bytes, format) } : { mimeType, bytes };
}

/**
 * The answer as it came, without the base64 of files: those are the item's binaries. What is nested
 * too deeply for an item is nobody's file.
 */
export function withoutBytes(value: unknown, depth = 0): unknown {
	if (depth > MAX_DEPTH) return value;
	const inside = (entry: unknown) => withoutBytes(entry, depth + 1);
	if (Array.isArray(value)) return value.map(inside);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([name, entry]) => [name, inside(entry)]);
	const copy = Object.fromEntries(entries) as IDataObject;
	const { inlineData } = copy;
	if (!isObject(inlineData)) return copy;
	return { ...copy, inlineData: { ...inlineData, data: '[binary data of the item]' } };
}
