import { box, fullBox, halves, u16, u32 } from './boxes';
import { createCursor, type MediaFile, withLabel } from './clipFile';
import type { Sound } from './codec';
import { type Film, FRAME, TIMESCALE } from './planFilm';
import type { Samples } from './samples';

/** Where the samples of a track are, counted from the first of all, and how large. */
type Places = Pick<Samples, 'offsets' | 'sizes'>;

/** A sample of the film, and where it comes from. */
interface Sample {
	isSound: boolean;
	/** Its number in its track of the film, from 0. */
	number: number;
	/** Where it is in the clip. */
	at: number;
	/** 0 for a frame of silence. */
	bytes: number;
	/** What has to stand before it. */
	settings?: Buffer;
}

/** Returns what the film takes of a clip, in the order in which it lies in the clip's file. */
function samplesOf({ clips, pictures, repeatsSettings, sound }: Film, clip: number): Sample[] {
	const { video, audio } = clips[clip];
	const { offsets, sizes, isKey } = video.samples;
	const samples: Sample[] = offsets.map((at, i) => ({
		...{ isSound: false, number: pictures[clip] + i, at, bytes: sizes[i] },
		settings: repeatsSettings && isKey[i] ? video.format.parameterSets : undefined,
	}));
	// Silence lies behind the frame before it.
	let at = 0;
	sound?.frames[clip].forEach((frame, i) => {
		const number = sound.slots[clip] + i;
		if (frame !== undefined) at = audio!.samples.offsets[frame];
		const bytes = frame === undefined ? 0 : audio!.samples.sizes[frame];
		samples.push({ isSound: true, number, at, bytes });
	});
	return samples.sort((a, b) => a.at - b.at);
}

/** Lays out the film, index first. Reads nothing of the clips until its pieces are read. */
export function layOut(film: Film): MediaFile {
	const video: Places = { offsets: [], sizes: [] };
	const audio: Places = { offsets: [], sizes: [] };
	const silence = film.sound?.format.silence ?? Buffer.alloc(0);
	let position = 0;
	film.clips.forEach((_, clip) => {
		for (const { isSound, number, bytes, settings } of samplesOf(film, clip)) {
			const { offsets, sizes } = isSound ? audio : video;
			offsets[number] = position;
			sizes[number] = (bytes || silence.length) + (settings?.length ?? 0);
			position += sizes[number];
		}
	});
	const head = makeHead(film, video, audio, position);
	return { sizeBytes: head.length + position, pieces: () => writePieces(film, head, silence) };
}

async function* writePieces(film: Film, head: Buffer, silence: Buffer) {
	yield head;
	for (const [clip, { file }] of film.clips.entries()) {
		const cursor = createCursor(file);
		/** Samples that lie one behind the other are read as one. */
		let [from, to] = [0, 0];
		const pass = async function* () {
			await cursor.skipTo(from);
			yield* cursor.passTo(to);
		};
		try {
			for (const { at, bytes, settings } of samplesOf(film, clip)) {
				if (bytes === 0 || settings || at !== to) {
					yield* pass();
					[from, to] = bytes === 0 ? [to, to] : [at, at];
					if (bytes === 0) yield silence;
					// A copy, because a storage frees each piece that it has written.
					else if (settings) yield Buffer.from(settings);
				}
				to += bytes;
			}
			yield* pass();
		} catch (error) {
			throw withLabel(file, error);
		} finally {
			await cursor.close();
		}
	}
}

const NO_ROTATION = u32(65_536, 0, 0, 0, 65_536, 0, 0, 0, 2 ** 30);

/** Makes `ftyp`, `moov`, and the header of `mdat`. A film may be larger than 4 GB. */
function makeHead(film: Film, video: Places, audio: Places, dataBytes: number): Buffer {
	const mdat = Buffer.concat([u32(1), Buffer.from('mdat'), u32(halves(16 + dataBytes))]);
	const ftyp = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso2mp41'));
	const end = film.starts[film.clips.length];
	const mvhd = [u32(0, 0, TIMESCALE, end, 65_536), u16(256, 0, 0, 0, 0, 0), NO_ROTATION];
	const make = (base: number) => {
		const tracks = [videoTrack(film, placesAt(video, base))];
		if (film.sound) tracks.push(audioTrack(film, placesAt(audio, base)));
		const header = fullBox('mvhd', 0, ...mvhd, u32(0, 0, 0, 0, 0, 0, tracks.length + 1));
		return box('moov', header, ...tracks.map((track, i) => toTrak(i + 1, end, track)));
	};
	const base = ftyp.length + make(0).length + mdat.length;
	return Buffer.concat([ftyp, make(base), mdat]);
}

/** Makes the tables that say where the samples are. Each is a chunk of its own. */
function placesAt({ offsets, sizes }: Places, base: number): Buffer[] {
	const places = offsets.flatMap((at) => halves(base + at));
	return [
		fullBox('stsc', 0, u32(1, 1, 1, 1)),
		fullBox('stsz', 0, u32(0, sizes.length, sizes)),
		fullBox('co64', 0, u32(offsets.length, places)),
	];
}

type TrackBoxes = ReturnType<typeof videoTrack>;

function videoTrack({ clips, times, delays, delay }: Film, places: Buffer[]) {
	const [{ shape, video }] = clips;
	const areKeys = clips.flatMap((clip) => clip.video.samples.isKey);
	const keys = areKeys.flatMap((isKey, i) => (isKey ? [i + 1] : []));
	const tables = [
		fullBox('stsd', 0, u32(1), box(video.format.type, video.format.entry)),
		fullBox('stts', 0, toRuns(delays.map((_, i) => times[i + 1] - times[i]))),
		fullBox('ctts', 0, toRuns(delays)),
		fullBox('stss', 0, u32(keys.length, keys)),
	];
	return {
		...{ kind: 'vide', volume: 0, shape, timescale: TIMESCALE, length: times[delays.length] },
		...{ from: delay, header: fullBox('vmhd', 1, u32(0, 0)), tables: [...tables, ...places] },
	};
}

function audioTrack({ sound }: Film, places: Buffer[]): TrackBoxes {
	const { format, slots } = sound!;
	const count = slots[slots.length - 1];
	const tables = [
		fullBox('stsd', 0, u32(1), soundEntry(format)),
		fullBox('stts', 0, u32(1, count, FRAME)),
	];
	const shape = Buffer.concat([NO_ROTATION, u32(0, 0)]);
	return {
		...{ kind: 'soun', volume: 256, shape, timescale: format.rate, length: count * FRAME },
		// The first slot is before the film's start.
		...{ from: FRAME, header: fullBox('smhd', 0, u32(0)), tables: [...tables, ...places] },
	};
}

const UNDETERMINED_LANGUAGE = 0x55c4;

function toTrak(id: number, end: number, track: TrackBoxes): Buffer {
	const { kind, volume, shape, timescale, length, from, header, tables } = track;
	// Enabled, and a part of the film.
	const flags = 3;
	const tkhd = fullBox('tkhd', flags, u32(0, 0, id, 0, end, 0, 0), u16(0, 0, volume, 0), shape);
	const elst = fullBox('elst', 0, u32(1, end, from, 65_536));
	const mdhd = fullBox('mdhd', 0, u32(0, 0, timescale, length), u16(UNDETERMINED_LANGUAGE, 0));
	const hdlr = fullBox('hdlr', 0, u32(0), Buffer.from(kind), u32(0, 0, 0), Buffer.from('\0'));
	const dinf = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));
	const minf = box('minf', header, dinf, box('stbl', ...tables));
	return box('trak', tkhd, box('edts', elst), box('mdia', mdhd, hdlr, minf));
}

/** Writes a table whose rows are a value and how often it follows itself. */
function toRuns(values: number[]): Buffer {
	const rows: number[] = [];
	values.forEach((value, i) => {
		if (i > 0 && values[i - 1] === value) rows[rows.length - 2]++;
		else rows.push(1, value);
	});
	return u32(rows.length / 2, rows);
}

/** Writes AAC as MP4 has it; QuickTime has other fields. */
function soundEntry({ rate, channels, config }: Sound): Buffer {
	const descriptor = (tag: number, ...parts: Buffer[]) => {
		const body = Buffer.concat(parts);
		return Buffer.concat([Buffer.from([tag, body.length]), body]);
	};
	const AAC_STREAM = Buffer.from([0x40, 0x15, 0, 0, 0]);
	const decoder = descriptor(4, AAC_STREAM, u32(0, 0), descriptor(5, config));
	const esds = descriptor(3, u16(0), Buffer.from([0]), decoder, descriptor(6, Buffer.from([2])));
	return box(
		'mp4a',
		u16(0, 0, 0, 1, 0, 0, 0, 0, channels, 16, 0, 0, rate > 65_535 ? 0 : rate, 0),
		fullBox('esds', 0, esds),
	);
}
