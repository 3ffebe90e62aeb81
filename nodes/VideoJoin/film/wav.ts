import type { MediaFile } from '../../shared/lib/mediaFile';
import { giveWay } from '../../shared/lib/time';
import { createCursor, type Cursor, refuseClip } from './clipFile';
import { BLOCK, flacEntry, writeFrame } from './flac';
import type { SoundSource } from './soundSource';

/** How the samples of a file become those of FLAC. */
interface SampleFormat {
	/** Bytes of a sample in the file. */
	bytes: number;
	/** Bits of a sample in the film. */
	bits: number;
	/** Returns samples as whole numbers, little-endian. */
	toPcm: (samples: Buffer) => Buffer;
}

const PCM = 1;
const FLOAT = 3;
/** The format then stands behind the other fields. */
const EXTENSIBLE = 0xfffe;
/** By coding and bits. */
const SAMPLE_FORMATS = new Map<string, SampleFormat>([
	[`${PCM}/16`, { bytes: 2, bits: 16, toPcm: (samples) => samples }],
	// Servers of Kokoro write it, and call it MP3 (https://github.com/lucasjinreal/Kokoros/issues/63).
	[
		`${FLOAT}/32`,
		{
			bytes: 4,
			bits: 24,
			toPcm: (samples) => toPcm24(samples, 4, (at) => samples.readFloatLE(at)),
		},
	],
	// SciPy writes it of what NumPy has computed (https://github.com/suno-ai/bark/issues/252).
	[
		`${FLOAT}/64`,
		{
			bytes: 8,
			bits: 24,
			toPcm: (samples) => toPcm24(samples, 8, (at) => samples.readDoubleLE(at)),
		},
	],
]);
/** What telephone services write (RFC 2361, appendix A). */
const OTHER_CODINGS: Record<number, string | undefined> = { 6: 'A-law', 7: 'mu-law' };
/** What is behind is not needed. */
const FORMAT_BYTES = 40;
/** They take some 10 ms. */
const FRAMES_IN_A_TURN = 64;
/** As many as FLAC has, and as much as it can say (RFC 9639, section 8.2). */
const MAX_CHANNELS = 8;
const MAX_RATE = 2 ** 20 - 1;
/** Real files have some ten; 16 MB of empty ones, with 8 bytes each, froze n8n for 3 s. */
const MAX_CHUNKS = 1000;

/** Reads a WAV file of PCM or floats as FLAC, because no player takes these in an MP4. */
export async function openWav(file: MediaFile): Promise<SoundSource> {
	const cursor = createCursor(file);
	try {
		const sound = await readHead(cursor, file.sizeBytes);
		const { rate, channels, format } = sound;
		return {
			entry: flacEntry(rate, channels, format.bits),
			timescale: rate,
			from: 0,
			frames: () => readFrames(file, sound),
		};
	} finally {
		await cursor.close();
	}
}

interface WavSound {
	rate: number;
	channels: number;
	format: SampleFormat;
	/** Where its samples are in the file. */
	from: number;
	to: number;
}

/** https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
async function readHead(cursor: Cursor, sizeBytes: number): Promise<WavSound> {
	let format: Buffer | undefined;
	await cursor.skipTo(12);
	for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
		const head = await cursor.read(8);
		const begin = cursor.position();
		const id = head.toString('latin1', 0, 4);
		// Who does not know the length yet writes 4 GB (OpenAI, ffmpeg to a pipe), or 0 (libsndfile:
		// https://github.com/speaches-ai/speaches/issues/493).
		const claimed = head.readUInt32LE(4) || (id === 'data' ? Infinity : 0);
		const end = Math.min(begin + claimed, sizeBytes);
		if (id === 'data' && format) return { ...readWavFormat(format), from: begin, to: end };
		if (id === 'fmt ') format = await cursor.read(Math.min(FORMAT_BYTES, end - begin));
		await cursor.skipTo(end + (end % 2));
	}
	throw new RangeError(`it has more than ${MAX_CHUNKS} chunks`);
}

function readWavFormat(fmt: Buffer) {
	const [code, channels] = [fmt.readUInt16LE(0), fmt.readUInt16LE(2)];
	const coding = code === EXTENSIBLE ? fmt.readUInt16LE(24) : code;
	const [rate, bits] = [fmt.readUInt32LE(4), fmt.readUInt16LE(14)];
	const format = SAMPLE_FORMATS.get(`${coding}/${bits}`);
	if (!format || !rate || rate > MAX_RATE || !channels || channels > MAX_CHANNELS) {
		const name = { [PCM]: 'PCM', [FLOAT]: 'floats' }[coding];
		const kind = name
			? `${name} with ${bits} bits, ${channels} channels, ${rate} Hz`
			: (OTHER_CODINGS[coding] ?? `coding ${coding}`);
		const advice =
			'A WAV file must be PCM with 16 bits, or floats with 32 or 64. Ask the service for that, or for MP3.';
		return refuseClip(`is a WAV file that cannot be taken: ${kind}`, advice);
	}
	return { rate, channels, format };
}

async function* readFrames(file: MediaFile, { channels, format, from, to }: WavSound) {
	const cursor = createCursor(file);
	const frameBytes = format.bytes * channels;
	const end = to - ((to - from) % frameBytes);
	try {
		await cursor.skipTo(from);
		for (let number = 0; cursor.position() < end; number++) {
			// A file in n8n's memory comes without a wait.
			if (number % FRAMES_IN_A_TURN === 0) await giveWay(number);
			const samples = await cursor.read(Math.min(BLOCK * frameBytes, end - cursor.position()));
			const bytes = writeFrame(format.toPcm(samples), channels, number, format.bits);
			yield { bytes, duration: samples.length / frameBytes };
		}
	} finally {
		await cursor.close();
	}
}

const MOST_24 = 2 ** 23;

/** Cuts off what is louder than 1, as players do; what is no number is silence. */
function toPcm24(samples: Buffer, sampleBytes: number, read: (at: number) => number): Buffer {
	const pcm = Buffer.alloc((samples.length / sampleBytes) * 3);
	for (let from = 0, at = 0; from < samples.length; from += sampleBytes) {
		const value = Math.round(read(from) * MOST_24);
		const clipped = Math.max(-MOST_24, Math.min(value, MOST_24 - 1));
		pcm[at++] = clipped;
		pcm[at++] = clipped >> 8;
		pcm[at++] = clipped >> 16;
	}
	return pcm;
}
