import { fullBox, u16, u32 } from '../../shared/mp4/boxes';
import { soundBox } from './soundSource';

/** Samples of each channel in a frame; the last frame has fewer. */
export const BLOCK = 4096;

/** Makes the sample entry of FLAC in MP4 (https://github.com/xiph/flac/blob/master/doc/isoflac.txt). */
export function flacEntry(rate: number, channels: number, bits: number): Buffer {
	const shape = rate * 2 ** 12 + ((channels - 1) << 9) + ((bits - 1) << 4);
	// Neither sizes of frames are told, nor the number of samples, nor their hash.
	const streamInfo = [u16(BLOCK, BLOCK), Buffer.alloc(6), u32(shape), Buffer.alloc(20)];
	const isLast = 0x8000_0000;
	const config = fullBox('dfLa', 0, u32(isLast + 34), ...streamInfo);
	return soundBox('fLaC', rate, channels, config, bits);
}

const VERBATIM = 0x02;
/** By the bits of a sample (RFC 9639, section 9.1.4). */
const SIZE_CODES: Record<number, number> = { 16: 4, 24: 6 };

/**
 * Writes a frame of FLAC (RFC 9639, section 9) with its samples as they are. So a voice is as large as
 * its WAV file: 48 kB a second at 24 kHz in mono, which is little beside the film.
 *
 * @param pcm up to 4,096 samples of each channel in turns, little-endian
 * @param number counts the frames from 0
 * @param bits those of a sample, 16 or 24
 */
export function writeFrame(pcm: Buffer, channels: number, number: number, bits: number): Buffer {
	const sampleBytes = bits / 8;
	const count = pcm.length / (sampleBytes * channels);
	// The rate is that of the entry, and the number of samples stands behind the frame's own.
	const kind = Buffer.from([0xff, 0xf8, 0x70, ((channels - 1) << 4) | (SIZE_CODES[bits] << 1)]);
	const head = Buffer.concat([kind, Buffer.from(toUtf8(number)), u16(count - 1)]);
	const body = Buffer.alloc(channels + pcm.length);
	let at = 0;
	for (let channel = 0; channel < channels; channel++) {
		body[at++] = VERBATIM;
		const step = sampleBytes * channels;
		for (let from = sampleBytes * channel; from < pcm.length; from += step) {
			for (let byte = sampleBytes - 1; byte >= 0; byte--) body[at++] = pcm[from + byte];
		}
	}
	const frame = Buffer.concat([head, Buffer.from([checksum(head, CRC_8) >> 8]), body]);
	return Buffer.concat([frame, u16(checksum(frame, CRC_16))]);
}

/** Writes a number as UTF-8 writes a character, surrogates included. */
function toUtf8(number: number): number[] {
	if (number < 0x80) return [number];
	const more = number < 0x800 ? 1 : number < 0x1_0000 ? 2 : 3;
	const first = (0x7f80 >> more) & 0xff;
	const rest = Array.from({ length: more }, (_, i) => (number >> (6 * (more - 1 - i))) & 0x3f);
	return [first | (number >> (6 * more)), ...rest.map((bits) => 0x80 | bits)];
}

/** A sum of 8 bits is the upper half of one of 16. */
const CRC_8 = toTable(0x0700);
const CRC_16 = toTable(0x8005);

function toTable(polynomial: number): number[] {
	return Array.from({ length: 256 }, (_, byte) => {
		let value = byte << 8;
		for (let i = 0; i < 8; i++) value = (value << 1) ^ (value & 0x8000 ? polynomial : 0);
		return value & 0xffff;
	});
}

function checksum(bytes: Buffer, table: number[]): number {
	let sum = 0;
	for (const byte of bytes) sum = ((sum << 8) & 0xffff) ^ table[(sum >> 8) ^ byte];
	return sum;
}
