import type { IDataObject } from 'n8n-workflow';

import { isObject, toText } from '../../shared/lib/json';

/** A file whose bytes came inside an answer. */
interface InlineFile {
	/** Empty if the service names none. */
	mimeType: string;
	/** Base64; each piece is encoded by itself. */
	pieces: string[];
}

/** Returns the files of an answer. Consecutive pieces of sound without a header are one file. */
export function readInlineFiles(parts: IDataObject[]): InlineFile[] {
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

const PICTURE_BEGINS = /!\[[^[\]]{0,200}\]\(data:(image\/[\w.+-]{1,40});base64,/g;
/** Each becomes a file. A visitor of a chat can have a model repeat a text of thousands (OWASP LLM10). */
const MAX_PICTURES = 100;

/**
 * Takes the pictures out of a text. Relays that speak another protocol to the vendor write them as
 * Markdown, `![image](data:image/png;base64,...)`: https://github.com/awsl-project/maxx/pull/821. One
 * that was cut off is no file, and those above the limit stay in the text.
 */
export function takeOutPictures(written: string): { text: string; pictures: InlineFile[] } {
	const pictures: InlineFile[] = [];
	let text = '';
	let at = 0;
	for (const { index, 0: begin, 1: mimeType } of written.matchAll(PICTURE_BEGINS)) {
		if (pictures.length === MAX_PICTURES) break;
		// Inside of the last one: 100 kB of beginnings became 4,000 files of 100 kB.
		if (index < at) continue;
		text += written.slice(at, index);
		const from = index + begin.length;
		const end = written.indexOf(')', from);
		if (end < 0) return { text, pictures };
		pictures.push({ mimeType, pieces: [written.slice(from, end)] });
		at = end + 1;
	}
	return { text: text + written.slice(at), pictures };
}

/** Does the same with words that come bit by bit; holds back what may be the beginning of a picture. */
export function createPictureFilter() {
	let held: string[] = [];
	let isOpen = false;
	return {
		/** Returns the words that can be shown. */
		add(words: string): string {
			held.push(words);
			if (isOpen && !words.includes(')')) return '';
			const text = held.join('');
			const begin = text.lastIndexOf('![');
			isOpen = begin >= 0 && !text.includes(')', begin);
			const shown = isOpen ? begin : text.length - (text.endsWith('!') ? 1 : 0);
			held = [text.slice(shown)];
			return takeOutPictures(text.slice(0, shown)).text;
		},
		/** Returns the last words. */
		end: (): string => takeOutPictures(held.join('')).text,
	};
}

/** Returns a file's bytes and type; sound without a header becomes WAV, so that players open it. */
export function toFile({ mimeType, pieces }: InlineFile): { mimeType: string; bytes: Buffer } {
	const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
	const format = readPcmFormat(mimeType);
	return format ? { mimeType: 'audio/wav', bytes: toWav(bytes, format) } : { mimeType, bytes };
}

/** Returns a copy of an answer without the bytes of its files, which are too long for an item. */
export function withoutBytes(answer: object): IDataObject {
	const json = JSON.stringify(answer, (name, value: unknown) => {
		if (name === 'inlineData' && isObject(value)) return { ...value, data: LEFT_OUT };
		return name === 'text' && typeof value === 'string' ? takeOutPictures(value).text : value;
	});
	return JSON.parse(json) as IDataObject;
}

const LEFT_OUT = '[left out: files are in the binary data of the item]';

const PCM = /^audio\/(?:l16|(?:x-)?pcm)(?:\s*;|\s*$)/i;
const SAMPLE_BYTES = 2;
/** Speech models use this rate if they do not state one. */
const DEFAULT_RATE = 24_000;
const HEADER_BYTES = 44;

interface PcmFormat {
	rate: number;
	channels: number;
}

/** Reads the type of 16-bit sound without a header, such as `audio/L16;rate=24000`; of no other. */
export function readPcmFormat(mimeType: string): PcmFormat | undefined {
	if (!PCM.test(mimeType)) return undefined;
	const [, rate = DEFAULT_RATE] = /;\s*rate\s*=\s*(\d{1,6})/i.exec(mimeType) ?? [];
	const [, channels = 1] = /;\s*channels\s*=\s*(\d)/i.exec(mimeType) ?? [];
	return { rate: Number(rate), channels: Number(channels) };
}

/** Returns a WAV file: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
function toWav(pcm: Buffer, { rate, channels }: PcmFormat): Buffer {
	const frameBytes = channels * SAMPLE_BYTES;
	const header = Buffer.alloc(HEADER_BYTES);
	header.write('RIFF', 0, 'latin1');
	header.writeUInt32LE(HEADER_BYTES - 8 + pcm.length, 4);
	header.write('WAVEfmt ', 8, 'latin1');
	header.writeUInt32LE(16, 16);
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(channels, 22);
	header.writeUInt32LE(rate, 24);
	header.writeUInt32LE(rate * frameBytes, 28);
	header.writeUInt16LE(frameBytes, 32);
	header.writeUInt16LE(8 * SAMPLE_BYTES, 34);
	header.write('data', 36, 'latin1');
	header.writeUInt32LE(pcm.length, 40);
	return Buffer.concat([header, pcm]);
}
