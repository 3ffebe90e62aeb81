import type { MediaFile } from '../../shared/lib/mediaFile';
import { giveWay } from '../../shared/lib/time';
import { createCursor, type Cursor, refuseClip } from './clipFile';
import { BLOCK, flacEntry, writeFrame } from './flac';
import type { SoundSource } from './soundSource';

const PCM_CODE = 1;
/** The format then stands behind the other fields. */
const EXTENSIBLE = 0xfffe;
/** What is behind is not needed. */
const FORMAT_BYTES = 40;
/** They take some 10 ms. */
const FRAMES_IN_A_TURN = 64;
/** As many as FLAC has, and as much as it can say (RFC 9639, section 8.2). */
const MAX_CHANNELS = 8;
const MAX_RATE = 2 ** 20 - 1;
/** Real files have some ten; 16 MB of empty ones, with 8 bytes each, froze n8n for 3 s. */
const MAX_CHUNKS = 1000;

/** Reads a WAV file of PCM with 16 bits as FLAC, because no player takes PCM in an MP4. */
export async function openWav(file: MediaFile): Promise<SoundSource> {
	const cursor = createCursor(file);
	try {
		const { rate, channels, from, to } = await readHead(cursor, file.sizeBytes);
		return {
			entry: flacEntry(rate, channels),
			timescale: rate,
			from: 0,
			frames: () => readPcmFrames(file, channels, from, to),
		};
	} finally {
		await cursor.close();
	}
}

/** https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
async function readHead(cursor: Cursor, sizeBytes: number) {
	let format: Buffer | undefined;
	await cursor.skipTo(12);
	for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
		const head = await cursor.read(8);
		const begin = cursor.position();
		// A service that does not know the length yet writes 4 GB.
		const end = Math.min(begin + head.readUInt32LE(4), sizeBytes);
		const id = head.toString('latin1', 0, 4);
		if (id === 'data' && format) return { ...readWavFormat(format), from: begin, to: end };
		if (id === 'fmt ') format = await cursor.read(Math.min(FORMAT_BYTES, end - begin));
		await cursor.skipTo(end + (end % 2));
	}
	throw new RangeError(`it has more than ${MAX_CHUNKS} chunks`);
}

function readWavFormat(fmt: Buffer) {
	const [format, channels] = [fmt.readUInt16LE(0), fmt.readUInt16LE(2)];
	const coding = format === EXTENSIBLE ? fmt.readUInt16LE(24) : format;
	const [rate, bits] = [fmt.readUInt32LE(4), fmt.readUInt16LE(14)];
	const isPcm = coding === PCM_CODE && bits === 16;
	if (!isPcm || !rate || rate > MAX_RATE || !channels || channels > MAX_CHANNELS) {
		const kind =
			coding === PCM_CODE
				? `PCM with ${bits} bits, ${channels} channels, ${rate} Hz`
				: `coding ${coding}`;
		const advice = 'A WAV file must be PCM with 16 bits. Ask the service for that, or for MP3.';
		refuseClip(`is a WAV file that cannot be taken: ${kind}`, advice);
	}
	return { rate, channels };
}

async function* readPcmFrames(file: MediaFile, channels: number, from: number, to: number) {
	const cursor = createCursor(file);
	const sampleBytes = 2 * channels;
	const end = to - ((to - from) % sampleBytes);
	try {
		await cursor.skipTo(from);
		for (let number = 0; cursor.position() < end; number++) {
			// A file in n8n's memory comes without a wait.
			if (number % FRAMES_IN_A_TURN === 0) await giveWay(number);
			const pcm = await cursor.read(Math.min(BLOCK * sampleBytes, end - cursor.position()));
			yield { bytes: writeFrame(pcm, channels, number), duration: pcm.length / sampleBytes };
		}
	} finally {
		await cursor.close();
	}
}
