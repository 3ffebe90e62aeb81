/** Sound without a header: samples, one after the other, lowest byte first. */
export interface PcmFormat {
	/** Samples a second. */
	rate: number;
	channels: number;
	/** Of a sample. */
	bits: number;
}

export const WAV = 'audio/wav';

const PCM = /^audio\/(?:l(8|16|24|32)|(?:x-)?(?:pcm|raw))(?:\s*;|\s*$)/i;
const DEFAULT_BITS = 16;
/** What speech models give where they do not say. */
const DEFAULT_RATE = 24_000;
const MAX_RATE = 768_000;
const MAX_CHANNELS = 32;
const HEADER_BYTES = 44;

/** What `audio/L16;codec=pcm;rate=24000` says of its samples; `undefined` for all else. */
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

/** A file that players play: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
export function toWav(pcm: Buffer, { rate, channels, bits }: PcmFormat): Buffer {
	// Some call a file with a header so.
	if (isWav(pcm)) return pcm;
	const frameBytes = (channels * bits) / 8;
	// Half a sample at the end is none; a file with one is refused by some players.
	const size = pcm.length - (pcm.length % frameBytes);
	// Chunks have an even length.
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

const isWav = (bytes: Buffer) =>
	bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE';
