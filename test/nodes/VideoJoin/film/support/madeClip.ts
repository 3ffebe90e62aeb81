import { refuseClip } from '../../../../../nodes/VideoJoin/film/clipFile';
import { readCodedPicture, type Sound } from '../../../../../nodes/VideoJoin/film/codec';
import { type Clip, openClip, readClip } from '../../../../../nodes/VideoJoin/film/readClip';
import type { Samples } from '../../../../../nodes/VideoJoin/film/samples';
import type { InputFile, MediaFile } from '../../../../../nodes/shared/lib/mediaFile';
import { box, u16, u32 } from '../../../../../nodes/shared/mp4/boxes';

/** What a clip is made of: numbers alone, so that any will do. */
export interface Shape {
	timescale: number;
	/** How long each picture lasts, and how much later than decoded it is shown. */
	pictures: Array<{ duration: number; delay: number; bytes: number; isKey: boolean }>;
	/** When the first frame of sound is heard, how many there are, and where some seconds are missing. */
	sound?: { from: number; frames: number; timescale: number; gapAt: number; gapSeconds: number };
	/** Makes its settings differ from those of another clip. */
	quality: number;
	/** Its samples lie in its file in the order of their times from the last to the first. */
	isBackwards?: boolean;
}

export const RATE = 48_000;
const FRAME = 1024;

const SOUND: Sound = {
	rate: RATE,
	channels: 2,
	config: Buffer.from([0x11, 0x90]),
	silence: Buffer.from([0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c]),
};

const noSamples = (): Samples => ({ offsets: [], sizes: [], times: [0], delays: [], isKey: [] });

function pictureOf(quality: number) {
	const sps = Buffer.from([0x67, 66, 0, 30, 0x99]);
	const pps = Buffer.from([0x68, quality]);
	const avcC = Buffer.concat([
		Buffer.from([1, 66, 0, 30, 0xff, 0xe1]),
		...[u16(sps.length), sps, Buffer.from([1]), u16(pps.length), pps],
	]);
	const head = Buffer.alloc(78);
	head.writeUInt16BE(160, 24);
	head.writeUInt16BE(120, 26);
	head.writeInt16BE(-1, 76);
	return readCodedPicture('avc1', Buffer.concat([head, box('avcC', avcC)]));
}

const PIECE_BYTES = 1000;

export const toFile = (bytes: Buffer): InputFile => ({
	label: 'Clip 1 (a.mp4)',
	sizeBytes: bytes.length,
	async *pieces() {
		for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
			yield await Promise.resolve(bytes.subarray(at, at + PIECE_BYTES));
		}
	},
});

/** Makes a clip, its pictures and its sound in turns behind some bytes that belong to neither. */
export function madeClip(shape: Shape, seed = 0): Clip {
	const { timescale, pictures, sound, quality, isBackwards } = shape;
	const [video, audio] = [noSamples(), noSamples()];
	const places: Array<{ samples: Samples; number: number; bytes: number }> = [];
	const add = (
		samples: Samples,
		bytes: number,
		duration: number,
		delay: number,
		isKey: boolean,
	) => {
		places.push({ samples, number: samples.sizes.length, bytes });
		samples.sizes.push(bytes);
		samples.times.push(samples.times[samples.times.length - 1] + duration);
		samples.delays.push(delay);
		samples.isKey.push(isKey);
	};
	const frames = sound?.frames ?? 0;
	const timeAt = (frame: number) => {
		const { timescale: scale, gapAt, gapSeconds } = sound!;
		return Math.round(((frame * FRAME) / RATE + (frame > gapAt ? gapSeconds : 0)) * scale);
	};
	for (let i = 0; i < Math.max(pictures.length, frames); i++) {
		const picture = pictures[i];
		if (picture) add(video, picture.bytes, picture.duration, picture.delay, picture.isKey);
		if (i < frames) add(audio, 10 + (i % 7), timeAt(i + 1) - timeAt(i), 0, true);
	}
	video.isKey[0] = true;
	const parts: Buffer[] = [Buffer.alloc(40, 0xee)];
	let at = 40;
	for (const { samples, number, bytes } of isBackwards ? places.reverse() : places) {
		parts.push(Buffer.alloc(bytes, (seed + parts.length) % 251));
		samples.offsets[number] = at;
		at += bytes;
	}
	const tkhd = u32(65_536, 0, 0, 0, 65_536, 0, 0, 0, 2 ** 30, 160 << 16, 120 << 16);
	return {
		file: toFile(Buffer.concat(parts)),
		video: { format: pictureOf(quality), timescale, samples: video, shift: 0, shape: tkhd },
		audio:
			sound && frames > 0
				? {
						format: SOUND,
						timescale: sound.timescale,
						samples: audio,
						shift: sound.from,
						shape: tkhd,
					}
				: undefined,
	};
}

export async function bytesOf(file: MediaFile): Promise<Buffer> {
	const parts: Uint8Array[] = [];
	for await (const part of file.pieces()) parts.push(part);
	return Buffer.concat(parts);
}

/** Reads a file as a clip with its sound. */
export async function openAndRead(file: InputFile): Promise<Clip> {
	const index = await openClip(file);
	if (index.kind !== 'clip') return refuseClip('Clip 1 is sound', 'It has no pictures.');
	return readClip(file, index, true);
}
