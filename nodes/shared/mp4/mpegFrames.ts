import { u16 } from './boxes';
import { createCursor, type MediaFile, refuseClip } from './clipFile';
import { AAC_RATES } from './codec';
import { soundEntry, type SoundSource } from './soundSource';

/** What a frame of MP3, or of AAC in ADTS, says of itself. */
interface FrameHeader {
	codec: 'mp3' | 'aac';
	rate: number;
	channels: number;
	samples: number;
	/** Bytes of the whole frame. */
	bytes: number;
	/** Those in front that an MP4 leaves out. */
	headerBytes: number;
	/** The configuration for the decoder of AAC. */
	config?: Buffer;
}

interface MpegFrame {
	header: FrameHeader;
	/** As an MP4 has it. */
	bytes: Buffer;
}

const HEAD_BYTES = 7;
const MP3 = 0x6b;
/** MPEG-2 and 2.5, whose rates are below 32 kHz. */
const MP3_LOW_RATE = 0x69;
/** Samples of silence that an MP3 begins with: those of the decoder, and those of LAME if it names none. */
const MP3_DECODER_DELAY = 529;
const LAME_DELAY = 576;
/** FFmpeg's encoder, and those of most services, begin AAC with one frame; ADTS cannot say so. */
const AAC_DELAY = 1024;

/** Returns whether a file begins as MP3 does, or AAC in ADTS. */
export const isMpeg = (first: Buffer) => isId3(first) || readFrameHeader(first) !== undefined;

const isId3 = (first: Buffer) => first.toString('latin1', 0, 3) === 'ID3';

/** Reads MP3, or AAC in ADTS. */
export async function openMpeg(file: MediaFile): Promise<SoundSource> {
	let delays = { begin: LAME_DELAY, end: 0 };
	for await (const { header, bytes } of readFrames(file)) {
		const { codec, rate, channels, samples, config } = header;
		const common = { timescale: rate, frames: () => toSound(file) };
		if (codec === 'aac') {
			const entry = soundEntry({ rate, channels, config });
			return { ...common, entry, from: AAC_DELAY, padding: 0 };
		}
		const told = readDelays(bytes);
		if (told) {
			if (told.begin > 0) delays = told;
			continue;
		}
		const objectType = rate < 32_000 ? MP3_LOW_RATE : MP3;
		return {
			...common,
			entry: soundEntry({ rate, channels, objectType }),
			// In whole frames, because Chromium 156 cuts a part of the first frame twice.
			from: Math.round((delays.begin + MP3_DECODER_DELAY) / samples) * samples,
			padding: Math.max(0, delays.end - MP3_DECODER_DELAY),
		};
	}
	throw new RangeError('it has no frames of MP3 or AAC');
}

/** Leaves out frames that are no sound. */
async function* toSound(file: MediaFile) {
	for await (const { header, bytes } of readFrames(file)) {
		if (header.codec === 'mp3' && readDelays(bytes)) continue;
		yield { bytes, duration: header.samples };
	}
}

/** Yields all frames. Passes over tags, and over what is no frame. */
async function* readFrames(file: MediaFile): AsyncGenerator<MpegFrame, void> {
	const cursor = createCursor(file);
	const has = (bytes: number) => cursor.position() + bytes <= file.sizeBytes;
	let first: FrameHeader | undefined;
	let head: Buffer = Buffer.alloc(0);
	try {
		while (has(HEAD_BYTES - head.length)) {
			head = Buffer.concat([head, await cursor.read(HEAD_BYTES - head.length)]);
			const header = readFrameHeader(head);
			if (isId3(head)) {
				const [...sevens] = Buffer.concat([head.subarray(6), await cursor.read(3)]);
				await cursor.skipTo(cursor.position() + sevens.reduce((sum, bits) => sum * 128 + bits, 0));
				head = Buffer.alloc(0);
			} else if (header) {
				first ??= header;
				if (header.rate !== first.rate || header.codec !== first.codec) {
					refuseClip('changes its format on the way', 'Encode it anew.');
				}
				// The last one may be cut.
				if (!has(header.bytes - HEAD_BYTES)) return;
				const rest = await cursor.read(header.bytes - HEAD_BYTES);
				yield { header, bytes: Buffer.concat([head, rest]).subarray(header.headerBytes) };
				head = Buffer.alloc(0);
			} else {
				head = head.subarray(1);
			}
		}
	} finally {
		await cursor.close();
	}
}

/** Reads the beginning of a frame; `undefined` if there is none. */
function readFrameHeader(head: Buffer): FrameHeader | undefined {
	const bits = head.readUInt32BE(0);
	if (bits >>> 21 !== 0x7ff) return undefined;
	const layer = (bits >> 17) & 3;
	if (layer === 0) return readAdts(bits, head);
	return layer === LAYER_3 ? readMp3(bits) : undefined;
}

const LAYER_3 = 1;
const MPEG_1 = 3;
/** By the version, 2.5, none, 2, 1. */
const MP3_RATES = [11_025, 0, 22_050, 44_100];
const KILOBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const LOW_KILOBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MONO = 3;

/** ISO/IEC 11172-3, section 2.4.1.3, and ISO/IEC 13818-3. */
function readMp3(bits: number): FrameHeader | undefined {
	const version = (bits >> 19) & 3;
	const rateIndex = (bits >> 10) & 3;
	const rate = Math.round(MP3_RATES[version] * [1, 160 / 147, 320 / 441, 0][rateIndex]);
	const kilobits = (version === MPEG_1 ? KILOBITS : LOW_KILOBITS)[(bits >> 12) & 15];
	if (!rate || !kilobits) return undefined;
	const samples = version === MPEG_1 ? 1152 : 576;
	const bytes = Math.floor((samples * 125 * kilobits) / rate) + ((bits >> 9) & 1);
	const channels = ((bits >> 6) & 3) === MONO ? 1 : 2;
	return { codec: 'mp3', rate, channels, samples, bytes, headerBytes: 0 };
}

/** ISO/IEC 14496-3, section 1.A.2. HE-AAC does not show in it; decoders find it by themselves. */
function readAdts(bits: number, head: Buffer): FrameHeader | undefined {
	const [profile, rateIndex, channels] = [(bits >> 14) & 3, (bits >> 10) & 15, (bits >> 6) & 7];
	const rate = AAC_RATES[rateIndex];
	const bytes = (head.readUInt32BE(3) >> 13) & 0x1fff;
	const headerBytes = bits & 0x10000 ? 7 : 9;
	const hasSeveralBlocks = (head[6] & 3) > 0;
	if (!rate || bytes <= headerBytes || hasSeveralBlocks) return undefined;
	const config = u16(((profile + 1) << 11) | (rateIndex << 7) | (channels << 3));
	return { codec: 'aac', rate, channels, samples: 1024, bytes, headerBytes, config };
}

/** The sound of a frame that tells of the file is not played; its tag lies behind the side information. */
const TAG_WITHIN_BYTES = 44;
const FIELD_BYTES = [4, 4, 100, 4];

/**
 * Returns how many samples of silence the encoder has put before and behind the sound, by a frame that
 * tells of the file (Xing, LAME, VBRI), or zeros if it does not say; `undefined` for a frame of sound.
 *
 * @see http://gabriel.mp3-tech.org/mp3infotag.html
 */
function readDelays(frame: Buffer): { begin: number; end: number } | undefined {
	const tag = /Xing|Info|VBRI/.exec(frame.toString('latin1', 0, TAG_WITHIN_BYTES));
	if (!tag) return undefined;
	const flags = frame.readUInt32BE(tag.index + 4);
	const fields = FIELD_BYTES.filter((_, i) => flags & (1 << i));
	const at = tag.index + 8 + fields.reduce((sum, bytes) => sum + bytes, 0) + 21;
	if (tag[0] === 'VBRI' || frame.length < at + 3) return { begin: 0, end: 0 };
	const both = frame.readUIntBE(at, 3);
	return { begin: both >> 12, end: both & 0xfff };
}
