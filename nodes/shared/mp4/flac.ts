import { box, fullBox, u16, u32 } from './boxes';

/** Samples of each channel in a frame; the last frame has fewer. */
export const BLOCK = 4096;
/** Bits of a sample. */
const DEPTH = 16;
/** The largest that 4 bits can say; 15 stands for samples that are not coded. */
const MAX_RICE = 14;
const MAX_ORDER = 4;

/** Makes the sample entry of FLAC in MP4 (https://github.com/xiph/flac/blob/master/doc/isoflac.txt). */
export function flacEntry(rate: number, channels: number): Buffer {
	const writer = createBits(34);
	writer.put(BLOCK, 16);
	writer.put(BLOCK, 16);
	// Sizes of frames are not told.
	writer.put(0, 24);
	writer.put(0, 24);
	writer.put(rate, 20);
	writer.put(channels - 1, 3);
	writer.put(DEPTH - 1, 5);
	// Neither is the number of samples (36 bits), nor their hash (128 bits).
	writer.put(0, 4);
	const streamInfo = Buffer.concat([writer.end(), Buffer.alloc(4 + 16)]);
	const isLast = 0x8000_0000;
	return box(
		'fLaC',
		u16(0, 0, 0, 1, 0, 0, 0, 0, channels, DEPTH, 0, 0, rate > 65_535 ? 0 : rate, 0),
		fullBox('dfLa', 0, u32(isLast + streamInfo.length), streamInfo),
	);
}

/**
 * Encodes a frame of FLAC (RFC 9639, section 9): each channel by itself, with a fixed predictor.
 *
 * @param pcm up to 4,096 samples of each channel in turns, 16 bits, little-endian
 * @param number counts the frames from 0
 */
export function encodeFrame(pcm: Buffer, channels: number, number: number): Buffer {
	const count = pcm.length / (2 * channels);
	// A residual takes 1 + 14 bits, and on average no more than 3 beyond.
	const writer = createBits(64 + 4 * count * channels);
	// The rate is that of the entry, and the number of samples follows in 16 bits.
	writer.put(0xfff8, 16);
	writer.put(0x70, 8);
	writer.put(((channels - 1) << 4) | (4 << 1), 8);
	for (const byte of toUtf8(number)) writer.put(byte, 8);
	writer.put(count - 1, 16);
	writer.put(checksum(writer.end(), CRC_8), 8);
	for (let channel = 0; channel < channels; channel++) {
		const samples = new Int32Array(count);
		for (let i = 0; i < count; i++) samples[i] = pcm.readInt16LE(2 * (i * channels + channel));
		putChannel(writer, samples);
	}
	writer.pad();
	writer.put(checksum(writer.end(), CRC_16), 16);
	return writer.end();
}

/** Writes a channel as what the best predictor leaves, in Rice codes. */
function putChannel({ put, putZeros }: ReturnType<typeof createBits>, samples: Int32Array): void {
	let best = { order: 0, rest: samples, sum: sumOf(samples) };
	let rest = samples;
	for (let order = 1; order <= Math.min(MAX_ORDER, samples.length - 1); order++) {
		rest = differencesOf(rest);
		const sum = sumOf(rest);
		if (sum < best.sum) best = { order, rest, sum };
	}
	put((8 | best.order) << 1, 8);
	for (let i = 0; i < best.order; i++) put(samples[i], DEPTH);
	const mean = (2 * best.sum) / best.rest.length;
	const rice = Math.min(MAX_RICE, Math.floor(Math.log2(Math.max(1, mean))));
	// One partition of codes with parameters of 4 bits.
	put(0, 6);
	put(rice, 4);
	for (const value of best.rest) {
		const code = value < 0 ? -2 * value - 1 : 2 * value;
		putZeros(code >>> rice);
		put((1 << rice) | (code & ((1 << rice) - 1)), rice + 1);
	}
}

function differencesOf(values: Int32Array): Int32Array {
	const differences = new Int32Array(values.length - 1);
	for (let i = 0; i < differences.length; i++) differences[i] = values[i + 1] - values[i];
	return differences;
}

function sumOf(values: Int32Array): number {
	let sum = 0;
	for (const value of values) sum += Math.abs(value);
	return sum;
}

/** Returns a writer of bits, the highest first. */
function createBits(maxBytes: number) {
	const bytes = Buffer.alloc(maxBytes);
	let length = 0;
	let open = 0;
	let openBits = 0;
	/** @param bits at most 24 */
	const put = (value: number, bits: number) => {
		open = (open << bits) | (value & ((1 << bits) - 1));
		openBits += bits;
		while (openBits >= 8) {
			openBits -= 8;
			bytes[length++] = open >>> openBits;
		}
	};
	return {
		put,
		putZeros(count: number) {
			for (let left = count; left > 0; left -= 24) put(0, Math.min(24, left));
		},
		/** Fills the last byte with zeros. */
		pad() {
			if (openBits > 0) put(0, 8 - openBits);
		},
		/** Returns the bytes that are full. */
		end: () => bytes.subarray(0, length),
	};
}

/** Writes a number as UTF-8 writes a character, surrogates included. */
function toUtf8(number: number): number[] {
	if (number < 0x80) return [number];
	const more = number < 0x800 ? 1 : number < 0x1_0000 ? 2 : 3;
	const first = (0x7f80 >> more) & 0xff;
	const rest = Array.from({ length: more }, (_, i) => (number >> (6 * (more - 1 - i))) & 0x3f);
	return [first | (number >> (6 * more)), ...rest.map((bits) => 0x80 | bits)];
}

interface Crc {
	bits: number;
	table: number[];
}

const CRC_8 = toCrc(8, 0x07);
const CRC_16 = toCrc(16, 0x8005);

function toCrc(bits: number, polynomial: number): Crc {
	const [top, mask] = [1 << (bits - 1), 2 ** bits - 1];
	const table = Array.from({ length: 256 }, (_, byte) => {
		let value = byte << (bits - 8);
		for (let i = 0; i < 8; i++) value = ((value << 1) ^ (value & top ? polynomial : 0)) & mask;
		return value;
	});
	return { bits, table };
}

function checksum(bytes: Buffer, { bits, table }: Crc): number {
	let sum = 0;
	for (const byte of bytes) {
		sum = ((sum << 8) & (2 ** bits - 1)) ^ table[(sum >> (bits - 8)) ^ byte];
	}
	return sum;
}
