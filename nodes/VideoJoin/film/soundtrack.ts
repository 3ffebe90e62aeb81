import type { InputFile, MediaFile } from '../../shared/lib/mediaFile';
import { giveWay } from '../../shared/lib/time';
import { createCursor, refuseClip, withLabel } from './clipFile';
import { findAacConfig } from './codec';
import { openMpeg } from './mpegFrames';
import { type Index, readTrack, type Stream } from './readClip';
import { checkCount } from './samples';
import { soundEntry, type SoundSource } from './soundSource';
import { openWav } from './wav';

/** The sound of a film, which has a file of its own. */
export interface Soundtrack extends SoundSource {
	file: InputFile;
	sizes: number[];
	/** When each frame begins; the last entry is their end. */
	times: number[];
	/** How long it is heard, at most as long as its film. */
	seconds: number;
	/** Whether it would go on behind its film. */
	isCut: boolean;
}

/** What fits into the numbers of a film; at 48 kHz, a day. */
const MAX_TIME = 2 ** 32 - 1;
/** They take some milliseconds. */
const FRAMES_IN_A_TURN = 1000;
/** Real ones take a few bytes, and the length of what they are in has one byte. */
const MAX_CONFIG_BYTES = 64;
/** Longer by less than this is what encoders add. */
const MAX_PADDING_SECONDS = 0.1;

/**
 * Reads a file of sound as far as its film goes, and names it in what it throws.
 *
 * @param opened what `openClip` has returned
 * @param filmSeconds the length of the film
 */
export async function readSoundtrack(
	file: InputFile,
	opened: Index | Stream,
	filmSeconds: number,
): Promise<Soundtrack> {
	try {
		const source = await openSound(file, opened);
		const { timescale, from } = source;
		const end = from + filmSeconds * timescale;
		const late = end + MAX_PADDING_SECONDS * timescale;
		const sizes: number[] = [];
		const times = [0];
		let time = 0;
		for await (const { bytes, duration } of source.frames()) {
			if (time > late) break;
			const isHeard = time < end;
			time += duration;
			if (!isHeard) continue;
			checkCount(sizes.push(bytes.length));
			times.push(time);
		}
		const seconds = (times[sizes.length] - from) / timescale;
		const hasBytes = sizes.some((bytes) => bytes > 0);
		if (seconds <= 0 || !hasBytes) throw new RangeError('it has no sound');
		if (times[sizes.length] > MAX_TIME) throw new RangeError('its times are too large');
		return {
			...source,
			file,
			sizes,
			times,
			seconds: Math.min(seconds, filmSeconds),
			isCut: time > late,
		};
	} catch (error) {
		throw withLabel(file, error);
	}
}

async function openSound(file: MediaFile, opened: Index | Stream): Promise<SoundSource> {
	if ('moov' in opened) return openM4a(file, opened);
	return opened.kind === 'wav' ? await openWav(file) : await openMpeg(file);
}

/** Reads an MP4 of sound alone. */
function openM4a(file: MediaFile, index: Index): SoundSource {
	const track = readTrack(index, 'soun', readAac);
	if (!track) throw new RangeError('it has no sound');
	const { format, timescale, samples, shift } = track;
	const { offsets, sizes, times } = samples;
	async function* frames() {
		const cursor = createCursor(file);
		try {
			for (const [i, offset] of offsets.entries()) {
				// A file in n8n's memory comes without a wait.
				if (i % FRAMES_IN_A_TURN === 0) await giveWay(i);
				if (offset < cursor.position()) throw new RangeError('its frames are not in order');
				await cursor.skipTo(offset);
				yield { bytes: await cursor.read(sizes[i]), duration: times[i + 1] - times[i] };
			}
		} finally {
			await cursor.close();
		}
	}
	const from = Math.max(0, Math.round(-shift * timescale) - times[0]);
	return { entry: format, timescale, from, frames, indexed: sizes.length };
}

function readAac(type: string, body: Buffer): Buffer {
	const config = type === 'mp4a' ? findAacConfig(body) : undefined;
	if (config) {
		if (config.length < 2 || config.length > MAX_CONFIG_BYTES) {
			throw new RangeError('its AAC configuration is cut or too large');
		}
		return soundEntry({ rate: body.readUInt16BE(24), channels: body.readUInt16BE(16), config });
	}
	const kind = type === 'mp4a' ? 'mp4a other than AAC' : type;
	return refuseClip(`has sound that cannot be taken: ${kind}`, 'Convert it to AAC or MP3.');
}
