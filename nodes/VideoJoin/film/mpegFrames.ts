import type { MediaFile } from '../../shared/lib/mediaFile';
import { giveWay } from '../../shared/lib/time';
import { u16 } from '../../shared/mp4/boxes';
import { createCursor, refuseClip } from './clipFile';
import { AAC, AAC_RATES } from './codec';
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
/** A frame of ADTS has at most 8,191. */
const MIN_BYTES = 8191 + HEAD_BYTES;
const SCAN_BYTES = 64 * 1024;
const MP3 = 0x6b;
/** MPEG-2 and 2.5, whose rates are below 32 kHz. */
const MP3_LOW_RATE = 0x69;
/**
 * The samples of silence that an MP3 begins with: 576 of LAME, and 529 of the decoder. In whole frames,
 * because Chromium 156 cuts a part of the first frame twice.
 */
const MP3_DELAY = 1152;
/** FFmpeg's encoder, and those of most services, begin AAC with one frame; ADTS cannot say so. */
const AAC_DELAY = 1024;

/** "ID3". */
const isId3 = (first: Buffer) => first.readUIntBE(0, 3) === 0x49_44_33;

/** Reads MP3, or AAC in ADTS. */
export async function openMpeg(file: MediaFile): Promise<SoundSource> {
	for await (const { header } of readFrames(file)) {
		const { codec, rate, channels, config } = header;
		const objectType = codec === 'aac' ? AAC : rate < 32_000 ? MP3_LOW_RATE : MP3;
		return {
			entry: soundEntry({ rate, channels, objectType, config }),
			timescale: rate,
			from: codec === 'aac' ? AAC_DELAY : MP3_DELAY,
			frames: () => toSound(file),
		};
	}
	throw new RangeError('it has no frames of MP3 or AAC');
}

/** Leaves out frames that tell of the file; their tag lies behind the side information. */
async function* toSound(file: MediaFile) {
	for await (const { header, bytes } of readFrames(file)) {
		if (header.codec === 'mp3' && /Xing|Info|VBRI/.test(bytes.toString('latin1', 0, 44))) continue;
		yield { bytes, duration: header.samples };
	}
}

/** Yields all frames. Passes over tags, and over what is no frame. */
async function* readFrames(file: MediaFile): AsyncGenerator<MpegFrame, void> {
	const cursor = createCursor(file);
	const left = () => file.sizeBytes - cursor.position();
	let bytes: Buffer = Buffer.alloc(0);
	let first: FrameHeader | undefined;
	/** Whether these bytes lie behind a frame or a tag, or at the beginning. */
	let isInStep = true;
	try {
		for (let chunk = 0; ;) {
			if (bytes.length < MIN_BYTES && left() > 0) {
				// A file in n8n's memory comes without a wait.
				await giveWay(chunk++);
				const more = await cursor.read(Math.min(SCAN_BYTES, left()));
				bytes = Buffer.concat([bytes, more]);
			}
			if (bytes.length < HEAD_BYTES) return;
			const header = readFrameHeader(bytes);
			if (isId3(bytes)) {
				const sevens = [...bytes.subarray(6, 10)];
				const end = sevens.reduce((sum, bits) => sum * 128 + bits, 0) + 10;
				await cursor.skipTo(cursor.position() + Math.max(0, end - bytes.length));
				bytes = bytes.subarray(end);
				isInStep = true;
			} else if (header && (isInStep || isFollowed(header, bytes))) {
				first ??= header;
				if (!isAlike(header, first)) refuseClip('changes its format on the way', 'Encode it anew.');
				// The last one may be cut.
				if (header.bytes > bytes.length) return;
				const frame = bytes.subarray(header.headerBytes, header.bytes);
				bytes = bytes.subarray(header.bytes);
				isInStep = true;
				yield { header, bytes: frame };
			} else {
				const next = bytes.indexOf(0xff, 1);
				bytes = bytes.subarray(next < 0 ? bytes.length : next);
				isInStep = false;
			}
		}
	} finally {
		await cursor.close();
	}
}

/** Bytes of a picture look like a frame now and then, but not like two in a row. */
function isFollowed(header: FrameHeader, bytes: Buffer): boolean {
	if (bytes.length === header.bytes) return true;
	const next = readFrameHeader(bytes.subarray(header.bytes));
	return next !== undefined && isAlike(header, next);
}

/** Chromium 156 stops at other channels ("Unsupported midstream configuration change"). */
const isAlike = (one: FrameHeader, other: FrameHeader) =>
	one.codec === other.codec && one.rate === other.rate && one.channels === other.channels;

/** Reads the beginning of a frame; `undefined` if there is none. */
function readFrameHeader(head: Buffer): FrameHeader | undefined {
	if (head.length < HEAD_BYTES) return undefined;
	const bits = head.readUInt32BE(0);
	const layer = (bits >> 17) & 3;
	if (layer === LAYER_3 && bits >>> 21 === 0x7ff) return readMp3(bits);
	// Eleven bits are also those of markers in a JPEG.
	return layer === 0 && bits >>> 20 === 0xfff ? readAdts(bits, head) : undefined;
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
